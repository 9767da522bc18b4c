"""What befalls phones and servers: time passes and clocks jump, phones die and are cloned, servers
are restored from backups.
"""

from __future__ import annotations

from sync.simulated.phone import DRIFTS
from sync.simulated.stage import DAY_MS, MINUTE_MS, Dice
from sync.simulated.world import MOST_PHONES, World


def tick(world: World, dice: Dice) -> None:
    """Time passes; sometimes a phone's clock jumps."""
    world.now += 1 + dice.below(5 * MINUTE_MS) if dice.chance(90) else DAY_MS
    if dice.chance(15):
        phone = dice.pick(world.phones)
        phone.drift = dice.pick(DRIFTS)
        world.tell(lambda: f"the clock of phone {phone.at} is off by {phone.drift} ms")


def crash(world: World, dice: Dice) -> None:
    """A phone dies: what was on its screen is gone, what was saved is not."""
    dice.pick(world.phones).form = None


def clone(world: World, dice: Dice) -> None:
    """A phone's storage is copied to a second phone."""
    if len(world.phones) < MOST_PHONES and not world.cloned:
        phone = dice.pick(world.phones)
        world.phones.append(phone.copy(len(world.phones)))
        world.cloned.add(phone.actor)
        world.tell(lambda: f"phone {phone.at} is cloned as {world.phones[-1].at}")


def save(world: World, dice: Dice) -> None:
    """The server is backed up, or restored from its backup."""
    if world.backup is None or dice.chance(70):
        world.backup = world.server.back_up()
        world.tell(lambda: "the server is backed up")
    else:
        world.server.restore(world.backup)
        world.tell(lambda: "the server is restored")
