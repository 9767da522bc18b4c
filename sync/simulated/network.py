"""What the network does: it loses requests and answers, doubles them, brings them late, and in the
end it heals.
"""

from __future__ import annotations

from sync.simulated.phone import LIAR, Phone
from sync.simulated.server import Answer, EpochChanged, Request
from sync.simulated.stage import MINUTE_MS, Dice
from sync.simulated.world import World

WELL, LOST, LATE, COPIED, TWICE, UNANSWERED = (
    "well",
    "lost",
    "lost, lands later",
    "a copy lands later",
    "twice",
    "answer lost",
)
_FATES = (LOST, LATE, COPIED, TWICE, UNANSWERED, *[WELL] * 7)
_ALL = 50  # ops or records at once: more than a history has


def sync(world: World, dice: Dice) -> None:
    """A phone syncs, and the network does what it wants."""
    phone = dice.pick(world.phones)
    if world.offline.get(phone.at, 0) > world.now:
        return
    for _ in range(1 + dice.below(3)):
        # None at all: what a server sees that is too busy to store, and answers `retry`.
        request = phone.request(world.now, most=dice.below(6), limit=1 + dice.below(5))
        if phone.manner == LIAR and dice.chance(50):
            request = request._replace(ops=request.ops[::-1])
        answer = _carry(world, phone, request, dice.pick(_FATES))
        if answer is None:
            return
        phone.take(answer)
        if not answer.more and not phone.waiting:
            return


def _carry(world: World, phone: Phone, request: Request, fate: str) -> Answer | None:
    """Bring a request to the server and its answer back, if the network lets them."""
    world.tell(lambda: f"phone {phone.at} sends {_in_words(request)}: {fate}")
    if fate in {LATE, COPIED}:
        world.flights.append(request)
    if fate in {LOST, LATE}:
        return None
    answer = _serve(world, request)
    if fate == TWICE:
        answer = _serve(world, request)
    if fate == UNANSWERED:
        return None
    if answer is None:
        phone.start_over()
    return answer


def _serve(world: World, request: Request) -> Answer | None:
    """Let the server answer; None for a request from before a restore."""
    bearer = world.phones[request.sender].bearer()
    try:
        return world.server.exchange(request, bearer, world.now)
    except EpochChanged:
        return None


def land(world: World, dice: Dice) -> None:
    """A copy of a request that wandered about reaches the server; nobody hears the answer."""
    if world.flights:
        request = world.flights.pop(dice.below(len(world.flights)))
        world.tell(lambda: f"a copy lands: {_in_words(request)}")
        _serve(world, request)


def part(world: World, dice: Dice) -> None:
    """A phone is cut off for a while."""
    phone = dice.pick(world.phones)
    world.offline[phone.at] = world.now + (1 + dice.below(60)) * MINUTE_MS


def heal(world: World) -> None:
    """Let everything arrive and everybody come to rest. Raises Restless."""
    world.tell(lambda: "the network heals")
    for request in world.flights:
        _serve(world, request)
    world.flights = []
    rounds = world.rounds("the phones")
    while [phone for phone in world.phones if _speak(world, phone)]:
        next(rounds)


def _speak(world: World, phone: Phone) -> bool:
    """Let a phone hand in and pull everything; say whether anything was left to do."""
    rounds, has_spoken = world.rounds(f"phone {phone.at}"), False
    while phone.waiting or not _is_up_to_date(world, phone):
        next(rounds)
        has_spoken = True
        answer = _serve(world, phone.request(world.now, most=_ALL, limit=_ALL))
        if answer is None:
            phone.start_over()
        else:
            phone.take(answer)
    return has_spoken


def _is_up_to_date(world: World, phone: Phone) -> bool:
    cursor = phone.cursor
    if cursor is None or (cursor.epoch, cursor.view) != (world.server.epoch, phone.standing):
        return False
    return cursor.seq == world.server.seq


def _in_words(request: Request) -> str:
    return " ".join(op.id[-3:] for op in request.ops) or "nothing"
