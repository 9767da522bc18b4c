"""What befalls phones, servers and the network of a history with the real service."""

from __future__ import annotations

from sync.simulated.phone import DRIFTS
from sync.simulated.stage import Dice
from tests.sim.service.desk import see_anew
from tests.sim.service.world import Held, World, offline_is_fine

_PATIENCE = 30


def sync(world: World, dice: Dice) -> None:
    """A phone syncs over a network that does what it wants."""
    held = dice.pick(world.phones)
    world.network.dice, world.network.told = dice, []
    with offline_is_fine():
        held.phone.sync()
    world.network.dice = None
    world.tell(f"phone {held.at} syncs:", "; ".join(world.network.told))


def land(world: World, dice: Dice) -> None:
    """A copy of a request reaches the server; nobody hears the answer."""
    flights = world.network.flights
    if flights:
        world.network.ask(*flights.pop(dice.below(len(flights))))
        world.tell("a copy lands")


def tick(world: World, dice: Dice) -> None:
    """Time passes; sometimes a phone's clock jumps."""
    world.installation.clock.move(seconds=1 + dice.below(300))
    if dice.chance(20):
        world.installation.clock.move(hours=7)
    if dice.chance(20):
        held = dice.pick(world.phones)
        held.drift = dice.pick(DRIFTS)
        world.tell(f"the clock of phone {held.at} is off by {held.drift} ms")


def restart(world: World, dice: Dice) -> None:
    """The server is restarted."""
    world.installation.restart()
    world.tell("the server restarts")


def save(world: World, dice: Dice) -> None:
    """The server is backed up, or restored from its backup."""
    if world.installation.backup is None or dice.chance(60):
        world.installation.back_up()
        world.tell("the server is backed up")
        return
    world.installation.restore()
    world.was_restored = True
    see_anew(world)
    world.tell("the server is restored")


def clone(world: World, dice: Dice) -> None:
    """A phone's storage is copied to a second phone."""
    held = dice.pick(world.phones)
    if len(world.phones) < 9 and held.owner.name not in {"bina", "mohan"}:
        world.clone(held)
        world.tell(f"phone {held.at} is cloned as {world.phones[-1].at}")


def heal(world: World) -> None:
    """Let everything arrive and everybody come to rest."""
    world.tell("the network heals")
    world.network.dice = None
    for request, token in world.network.flights:
        world.network.ask(request, token)
    world.network.flights = []
    for _ in range(_PATIENCE):
        if not [held for held in world.phones if _speak(held)]:
            return
    raise AssertionError("phones go on asking although nothing is new")


def _speak(held: Held) -> bool:
    """Let a phone hand in and pull everything; say whether anything was new."""
    if held.is_revoked:
        return False
    done = held.phone.sync()
    return bool(done.changes or done.answers)
