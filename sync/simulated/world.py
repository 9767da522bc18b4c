"""Everything there is in a history, between two moves. `people`, `network` and `accidents` move it,
`checks` look at what it came to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from sync.op import Op
from sync.simulated.phone import DRIFTS, HONEST, LIAR, UNBASED, Phone
from sync.simulated.server import CONFIRMED, PENDING, Backup, Merge, Request, Server
from sync.simulated.sight import Sight
from sync.simulated.stage import START_MS, Dice, person_id

MOST_PHONES = 8
_ACTORS = "abcdef0123456789"
_PEOPLE = "aabc"  # whose the phones are: one person has two
_REVIEWER = "e"
_MANNERS = (*[HONEST] * 6, LIAR, UNBASED)
_ROUNDS = 200  # in which everybody must come to rest


class Restless(Exception):
    """Phones that go on asking although nothing is new."""


@dataclass(slots=True)
class World:
    """The whole of it. `order`: what the checks shuffle ops by. `sights`: what the author of each
    honest op saw. `early`: own values that left a screen too early. `cloned`: actors that live on
    two phones. `blinded`: actors that for a while might not read, and took an empty pull for one
    that had ended. `offline`: until when, by phone. `flights`: requests that still wander in the
    network. `story`: what happened, in words, if anybody wants to read it.
    """

    server: Server
    order: int
    phones: list[Phone] = field(default_factory=list)
    now: int = START_MS
    ops: dict[str, Op] = field(default_factory=dict)
    records: list[str] = field(default_factory=list)
    sights: dict[str, Sight] = field(default_factory=dict)
    early: list[str] = field(default_factory=list)
    cloned: set[str] = field(default_factory=set)
    blinded: set[str] = field(default_factory=set)
    offline: dict[int, int] = field(default_factory=dict)
    flights: list[Request] = field(default_factory=list)
    backup: Backup | None = None
    story: list[str] | None = None

    def tell(self, words: Callable[[], str]) -> None:
        """Write down what happens, if anybody reads."""
        if self.story is not None:
            self.story.append(words())

    def rounds(self, of: str) -> Iterator[int]:
        """Yield as often as is reasonable. Raises Restless after that."""
        yield from range(_ROUNDS)
        raise Restless(f"{of} did not come to rest")


Move: TypeAlias = "Callable[[World, Dice], None]"


def found(merge: Merge, cast: int, *, order: int) -> World:
    """Return a world with two to four phones and a reviewer's, drawn from `cast`."""
    world, dice = World(Server(merge), order), Dice(cast)
    for person in _PEOPLE[: 2 + dice.below(3)]:
        manner = dice.pick(_MANNERS)
        standing = PENDING if dice.chance(8) else CONFIRMED
        phone = _phone(world, person, manner, standing=standing)
        phone.drift = dice.pick(DRIFTS)
    _phone(world, _REVIEWER, HONEST, standing=CONFIRMED).is_reviewer = True
    return world


def _phone(world: World, person: str, manner: str, *, standing: str) -> Phone:
    at = len(world.phones)
    phone = Phone(at, _ACTORS[at] * 16, person_id(person), manner, standing)
    world.phones.append(phone)
    return phone
