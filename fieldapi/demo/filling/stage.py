"""The stage of a filling: a clock that is moved on, ids by the seed, and the deeds that services
offer, each done by a named part. Called by the plots; knows no plot.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TypeVar

from fieldapi.clock import cut, format_instant, to_ms
from fieldapi.demo.filling.cast import Cast
from fieldapi.house import House
from fieldapi.problems import ActNeedsReason
from fieldapi.queries import case_views
from fieldapi.services import complaints, parties, photos, records, reviews, seizures
from fieldapi.services.acts import arrivals, performing
from fieldapi.services.acts.performing import Turn
from fieldapi.services.authorise import Principal, person_principal
from fieldapi.services.complaints import NewComplaint
from fieldapi.services.ops.build import Change
from fieldapi.services.ops.scene import scene_of
from fieldapi.services.parties import NewParty
from fieldapi.services.photos import Body
from fieldapi.services.reviews import NewReview
from fieldapi.unit import Unit
from sync.wire import JSON

T = TypeVar("T")
Fields = dict[str, JSON]


@dataclass(slots=True)
class Hand:
    """A clock that stands until it is moved."""

    now: datetime

    def __call__(self) -> datetime:
        return self.now


@dataclass(slots=True)
class Stage:
    """An authority under way. `phones`: principals of phones by part; `people`: ids by part."""

    house: House
    hand: Hand
    chance: random.Random
    cast: Cast
    authority_id: str
    pounds: tuple[str, str]
    people: Mapping[str, str]
    phones: Mapping[str, Principal]
    photo_size: tuple[int, int]
    shots: dict[str, tuple[str, bytes]] = field(default_factory=dict)

    def new_id(self) -> str:
        """Return an id of this moment that follows from the seed (UUIDv7)."""
        bits = f"{to_ms(self.hand.now):012x}7{self.chance.getrandbits(12):03x}"
        bits += f"{8 + self.chance.getrandbits(2):x}{self.chance.getrandbits(60):015x}"
        return f"{bits[:8]}-{bits[8:12]}-{bits[12:16]}-{bits[16:20]}-{bits[20:]}"

    def later(self, step: timedelta) -> None:
        """Move the clock on a little: each deed has its own moment."""
        self.hand.now = cut(self.hand.now + step)

    def work(self, task: Callable[[Unit], T]) -> T:
        """Run a task in a unit of its own, some seconds after the one before."""
        self.later(timedelta(seconds=self.chance.randint(3, 40)))
        return self.house.database.transact(task)

    def desk(self, part: str) -> Principal:
        """Return a part as they act in the console."""
        with self.house.database.read() as session:
            return person_principal(session, self.authority_id, self.people[part], self.hand.now)

    # ---- deeds ---------------------------------------------------------------------------------

    def report(self, part: str, body: Fields) -> str:
        """Report a seizure from a phone, or as a clerk from paper; returns its id."""
        who = self.phones[part]

        def task(unit: Unit) -> str:
            scene = scene_of(unit, self.house.packs, self.authority_id)
            return seizures.report(unit, who, scene, body).created.record_id

        return self.work(task)

    def send(self, part: str, photo_id: str) -> None:
        """Hand in the bytes of a photo that was announced."""
        content = self.shots[photo_id][1]
        self.later(timedelta(seconds=self.chance.randint(2, 20)))
        digest = sha256(content).hexdigest()
        photos.receive(
            self.house, self.phones[part], photo_id, Body(io.BytesIO(content), len(content), digest)
        )

    def arrive(self, part: str, body: Fields) -> None:
        """Count cattle in at a pound, from a keeper's phone."""
        who = self.phones[part]

        def task(unit: Unit) -> None:
            packs = self.house.packs
            scene = scene_of(unit, packs, self.authority_id)
            made = records.create(
                unit, who, scene, "intake", body=body, prepare=lambda change: change
            )
            unit.session.flush()
            arrivals.take_in(unit, packs, self.authority_id, made.record_id)

        self.work(task)

    def help(self, part: str, body: Fields) -> None:
        """Report the police's aid."""
        who = self.phones[part]

        def task(unit: Unit) -> None:
            scene = scene_of(unit, self.house.packs, self.authority_id)
            records.create(unit, who, scene, "aid", body=body, prepare=lambda change: change)

        self.work(task)

    def correct(self, part: str, kind: str, record_id: str, fields: Fields) -> None:
        """Write fields of a record from a phone that has not seen what others wrote."""
        who, change = self.phones[part], Change(kind, record_id, fields, self.new_id())

        def task(unit: Unit) -> None:
            scene = scene_of(unit, self.house.packs, self.authority_id)
            records.write(unit, who, scene, [change])

        self.work(task)

    def party(self, name: str, parent: str, residence: str) -> str:
        """Enter somebody in the register of people."""
        new = NewParty(name, parent, residence, id=self.new_id())
        who = self.desk("keeper")
        return self.work(lambda unit: parties.add(unit, who, new)).id

    def complain(self, case: str, party: str, text: str) -> None:
        """Take a complaint of illegal seizure in, at the counter."""
        who, packs = self.desk("reviewer"), self.house.packs
        new = NewComplaint(self.new_id(), case, party, text, allegations=(("place", text),))
        self.work(lambda unit: complaints.add(unit, who, packs, new))

    def review(self, case: str, outcome: str, reason: str = "") -> None:
        """Decide on a report."""
        who, new = self.desk("reviewer"), NewReview(self.new_id(), case, outcome, reason)
        self.work(lambda unit: reviews.review(unit, who, new))

    def check(self, case: str, act: str, *, by: str, body: Fields) -> Mapping[str, JSON]:
        """Return what would become of an act at this moment."""
        said: Fields = {"id": self.new_id(), "act": act, "mode": "check", **body}
        who = self.desk(by)
        return self.work(lambda unit: performing.act(self._turn(unit, who, case), said)).answer

    def act(self, case: str, act: str, *, by: str, body: Fields) -> Mapping[str, JSON]:
        """Perform an act; where the law doubts it, with a written reason."""
        said: Fields = {"id": self.new_id(), "act": act, **body}
        who = self.desk(by)
        try:
            return self.work(lambda unit: performing.act(self._turn(unit, who, case), said)).answer
        except ActNeedsReason:
            said["reason"] = "Compared with the register; the officer decided so."
            return self.work(lambda unit: performing.act(self._turn(unit, who, case), said)).answer

    def look(self, case: str) -> Mapping[str, JSON]:
        """Return a case as it stands."""
        who = self.desk("secretary")
        with self.house.database.read() as session:
            return case_views.case(session, who, self.house.packs, case, at=self.hand.now)

    def moment(self) -> str:
        """Return this moment as text."""
        return format_instant(self.hand.now)

    def _turn(self, unit: Unit, who: Principal, case: str) -> Turn:
        return Turn(unit, who, self.house.packs, case)
