"""A pound in which cases are carried through HTTP, its clock moved as a story goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from flask import Flask

from fieldapi.clock import format_instant
from fieldapi.ids import new_id
from fieldapi.services import authorities, fees, pounds
from fieldapi.services.authorise import operator
from fieldapi.services.authorities import NewAuthority
from fieldapi.services.pounds import NewPound
from fieldapi.unit import Database, Unit
from tests.support.clock import StoppedClock
from tests.support.house import Answer, Client, client_with
from tests.support.personas import Persona, add_persona, enrol
from tests.support.reports import FIELD

IST = timedelta(hours=5, minutes=30)
RESTED = timedelta(days=100)
Body = dict[str, Any]


def ist(text: str) -> datetime:
    """Return the instant of an Indian wall clock, e.g. `2027-03-01 22:50`."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC) - IST


@dataclass(slots=True)
class PoundHouse:
    """One authority with a pound and its people. `parties`: ids by name.

    Who has not been seen for months gets a new phone: tokens that rest are good for nothing.
    """

    app: Flask
    database: Database
    clock: StoppedClock
    authority_id: str
    pound_id: str
    people: Mapping[str, Persona]
    clients: dict[str, Client] = field(default_factory=dict)
    parties: dict[str, str] = field(default_factory=dict)
    seen: dict[str, datetime] = field(default_factory=dict)

    def at(self, text: str) -> None:
        """Set the clock (IST)."""
        self.clock.now = ist(text)

    def as_(self, name: str) -> Client:
        """Return the client of one of the people."""
        known = self.seen.get(name)
        if known is None or self.clock.now - known > RESTED:
            person = self.people[name].person_id
            enrolled = enrol(self.database, self.authority_id, person)
            self.clients[name] = client_with(self.app, enrolled.token)
        self.seen[name] = self.clock.now
        return self.clients[name]

    def party(self, name: str, **fields: Any) -> str:
        """Return the id of a party, added to the register when first named."""
        if name not in self.parties:
            body = {"id": new_id(), "name": name, **fields}
            answer = self.as_("keeper").post("/api/v1/parties", json=body)
            assert answer.status_code == 201, answer.json
            self.parties[name] = body["id"]
        return self.parties[name]

    def notify(self, kind: str, **fields: Any) -> str:
        """Enter a notification that counts from 2026-04-01 on, approved."""
        body = {
            "id": new_id(),
            "kind": kind,
            "number": f"{kind}-1",
            "effective_from": "2026-04-01",
            "approved_by": "District Panchayat",
            **fields,
        }
        answer = self.as_("admin").post("/api/v1/notifications", json=body)
        assert answer.status_code == 201, answer.json
        return str(body["id"])

    def seize(self, animals: Mapping[str, int], /, **fields: Any) -> str:
        """Report a seizure made now; returns its id."""
        now = format_instant(self.clock.now)
        body: Body = {
            "id": new_id(),
            "seized_at": now,
            "capacity": "any_other_person",
            "ground": "straying",
            "place_kind": "street",
            "location": {**FIELD, "fixed_at": now},
            "pound_id": self.pound_id,
            "animals": [
                {"id": new_id(), "kind": kind, "count": count} for kind, count in animals.items()
            ],
            **fields,
        }
        answer = self.as_("reporter").post("/api/v1/seizures", json=body)
        assert answer.status_code == 201, answer.json
        return str(body["id"])

    def take_in(self, seizure_id: str, animals: Mapping[str, int]) -> Answer:
        """Count the cattle in at the pound, now."""
        body: Body = {
            "id": new_id(),
            "seizure_id": seizure_id,
            "pound_id": self.pound_id,
            "received_at": format_instant(self.clock.now),
            "counts": [{"kind": kind, "count": count} for kind, count in animals.items()],
        }
        answer = self.as_("keeper").post("/api/v1/intakes", json=body)
        assert answer.status_code == 201, answer.json
        return answer

    def act(self, case: str, act: str, *, by: str = "keeper", **body: Any) -> Answer:
        """Post an act; `party` by name."""
        if "party" in body:
            body["party"] = self.party(body["party"])
        sent = {"id": new_id(), "act": act, **body}
        return self.as_(by).post(f"/api/v1/cases/{case}/acts", json=sent)

    def done(self, case: str, act: str, *, by: str = "keeper", **body: Any) -> Body:
        """Post an act that has to be taken."""
        answer = self.act(case, act, by=by, **body)
        assert answer.status_code == 201, (act, answer.json)
        found: Body = answer.json
        return found

    def case(self, case: str, **query: str) -> Body:
        """Read a case."""
        answer = self.as_("decider").get(f"/api/v1/cases/{case}", query_string=query)
        assert answer.status_code == 200, answer.json
        found: Body = answer.json
        return found


def found_pound(
    app: Flask, database: Database, clock: StoppedClock, statute: str, *, code: str = "PND"
) -> PoundHouse:
    """Found an authority under a statute, with one pound and one person of each role."""
    made = database.transact(
        lambda unit: authorities.found(unit, NewAuthority(code, "Grama Panchayat", statute))
    )
    boss = operator(made.id)
    pound = database.transact(lambda unit: pounds.add(unit, boss, NewPound("A", 22.3, 70.8)))
    roles = {
        "reporter": ("reporter", "watch_and_ward", None),
        "keeper": ("pound_keeper", None, pound.id),
        "reviewer": ("reviewer", None, None),
        "decider": ("decider", None, None),
        "admin": ("admin", None, None),
    }
    people = {
        name: add_persona(database, made.id, name, role=role, capacity=capacity, pound_id=pound_id)
        for name, (role, capacity, pound_id) in roles.items()
    }
    return PoundHouse(app, database, clock, made.id, pound.id, people)


def load_sample(house: PoundHouse, database: Database) -> None:
    """Load the sample scales of the authority's statute."""
    boss = operator(house.authority_id)

    def load(unit: Unit) -> None:
        fees.load(unit, boss, fees.sample(unit, boss))

    database.transact(load)


def rates(rows: Mapping[str, int] | Sequence[Body]) -> Body:
    """Return the data of a schedule from paise by kind, or from whole rows."""
    if isinstance(rows, Mapping):
        return {"rates": [{"kind": kind, "paise": paise} for kind, paise in rows.items()]}
    return {"rates": [*rows]}
