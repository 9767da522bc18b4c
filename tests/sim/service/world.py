"""Everything there is in a history with the real service: an installation, phones of the reference
client, a network between them.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from fieldapi.clock import to_ms
from fieldapi.house import House
from sync.client.device import Phone
from sync.client.faults import Fault, UnknownRecord
from sync.client.overlay import Screen
from sync.simulated.stage import Dice
from tests.sim.service.installation import PHONES, Ground, Installation, connecting
from tests.sim.service.line import Network
from tests.support.personas import Persona, Village

RecordKey = tuple[str, str]


@dataclass(slots=True)
class Held:
    """A phone in somebody's hand. `drift`: how far its clock is off, ms. `form`: a screen that
    stayed open. `may_read`: False once its access ended or before it was confirmed.
    """

    at: int
    owner: Persona
    folder: Path
    phone: Phone = field(init=False)
    drift: int = 0
    form: Screen | None = None
    may_read: bool = True
    is_revoked: bool = False

    def screen(self, key: RecordKey) -> Screen | None:
        """Return what it shows of a record, None if nothing."""
        try:
            return self.phone.screen(*key)
        except UnknownRecord:
            return None

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Ask the phone's file, as another program would."""
        with closing(sqlite3.connect(self.folder / "phone.sqlite")) as db:
            return db.execute(query).fetchall()


@dataclass(slots=True)
class World:
    """The whole of it. `records`: every one that was created, in order, with who did.

    `ended`: memberships that are over, by name. `story`: what happened, in words.
    """

    ground: Ground
    installation: Installation
    network: Network
    phones: list[Held]
    stack: ExitStack
    records: list[tuple[RecordKey, str]] = field(default_factory=list)
    ended: set[str] = field(default_factory=set)
    was_restored: bool = False
    numbers: int = 0
    story: list[str] = field(default_factory=list)

    @property
    def house(self) -> House:
        """Return the parts of the installation as it is now."""
        return self.installation.house

    @property
    def village(self) -> Village:
        """Return who lives there."""
        return self.ground.village

    def tell(self, *words: object) -> None:
        """Write down what happens."""
        self.story.append(" ".join(map(str, words)))

    def number(self) -> int:
        """Return 1, 2, 3 …"""
        self.numbers += 1
        return self.numbers

    def pick_up(self, owner: Persona, folder: Path) -> Held:
        """Take up the phone in a folder."""
        held = Held(len(self.phones), owner, folder)
        held.phone = self._open(held)
        self.phones.append(held)
        return held

    def clone(self, held: Held) -> None:
        """Copy a phone's storage to a second phone."""
        held.phone.close()
        folder = held.folder.with_name(str(len(self.phones)))
        shutil.copytree(held.folder, folder)
        held.phone = self._open(held)
        twin = self.pick_up(held.owner, folder)
        twin.drift, twin.may_read, twin.is_revoked = held.drift, held.may_read, held.is_revoked

    def _open(self, held: Held) -> Phone:
        phone = Phone(
            held.folder,
            clock_ms=lambda: max(to_ms(self.installation.clock.now) + held.drift, 0),
            connect=connecting(self.network),
        )
        return self.stack.enter_context(phone)


Move: TypeAlias = Callable[[World, Dice], None]


@contextmanager
def found(ground: Ground) -> Iterator[World]:
    """Give a world of its own, copied from the ground."""
    with ExitStack() as stack:
        installation = stack.enter_context(ground.installation())
        folders = stack.enter_context(ground.phone_folders())
        world = World(ground, installation, Network(installation), [], stack)
        for at, owner in enumerate(PHONES):
            held = world.pick_up(ground.village[owner.name], folders / str(at))
            held.may_read = owner.is_confirmed
        yield world


@contextmanager
def offline_is_fine() -> Iterator[None]:
    """Let a phone fail to reach its server: whatever was lost, it asks again later."""
    try:
        yield
    except Fault:
        return
