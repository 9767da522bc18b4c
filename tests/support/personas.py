"""The people of every story, each with a role and a confirmed phone, made through the services.

asha (watch and ward), ravi (constable), kanta (cultivator), mohan (pound keeper), bina (reviewer)
and admin belong to RJK in Gujarat; chetan belongs to KLM in Kerala and sees nothing of them.

    village = found_village(database)
    village["asha"].headers     # {"Authorization": "Bearer csd1_…"}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fieldapi.ids import new_id
from fieldapi.services import authorise, authorities, enrolments, people, pounds
from fieldapi.services.authorise import Principal, operator
from fieldapi.services.authorities import NewAuthority
from fieldapi.services.devices import Enrolled, NewDevice
from fieldapi.services.enrolments import Redemption
from fieldapi.services.people import Grant, NewPerson
from fieldapi.services.pounds import NewPound
from fieldapi.unit import Database, Unit


@dataclass(frozen=True, slots=True)
class Persona:
    """A person with a phone. `name` is also the key in the village."""

    name: str
    authority_id: str
    person_id: str
    device_id: str
    number: int
    actor: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        """The headers of a request by this person."""
        return {"Authorization": f"Bearer {self.token}"}

    def principal(self, database: Database) -> Principal:
        """Who this is to the services, at this moment."""
        return authorise.credential_of_token(database, self.token, database.clock()).principal


@dataclass(frozen=True, slots=True)
class Village:
    """Two authorities and their people. `pound_id`: the pound that mohan keeps."""

    rjk: str
    klm: str
    pound_id: str
    other_pound_id: str
    people: Mapping[str, Persona]

    def __getitem__(self, name: str) -> Persona:
        return self.people[name]

    def __iter__(self) -> Iterator[Persona]:
        return iter(self.people.values())


_RJK = {
    "asha": ("reporter", "watch_and_ward"),
    "ravi": ("reporter", "police"),
    "kanta": ("reporter", "cultivator"),
    "mohan": ("pound_keeper", None),
    "bina": ("reviewer", None),
    "admin": ("admin", None),
}


@dataclass(slots=True)
class _Ground:
    """What stands before anybody has a phone; `codes`: name → enrolment code."""

    rjk: str
    klm: str
    pounds: list[str]
    codes: dict[str, str]


def found_village(database: Database) -> Village:
    """Found RJK and KLM with their pounds, people and phones."""
    ground = database.transact(_found)
    made = {name: persona_of(name, redeem(database, code)) for name, code in ground.codes.items()}
    kept, other = ground.pounds
    return Village(ground.rjk, ground.klm, kept, other, made)


def add_pound(database: Database, authority_id: str, name: str) -> str:
    """Add a pound and return its id."""
    new = NewPound(name, lat=22.3039, lon=70.8022)
    return database.transact(lambda unit: pounds.add(unit, operator(authority_id), new)).id


def add_persona(
    database: Database,
    authority_id: str,
    name: str,
    *,
    role: str,
    capacity: str | None = None,
    pound_id: str | None = None,
    is_confirmed: bool = True,
) -> Persona:
    """Add a person with one role and an enrolled phone (pending if not `is_confirmed`)."""
    new = NewPerson(name.title(), (Grant(role, pound_id),), capacity=capacity)
    boss = operator(authority_id)
    person_id = database.transact(lambda unit: people.add(unit, boss, new)).id
    enrolled = enrol(database, authority_id, person_id, is_confirmed=is_confirmed)
    return persona_of(name, enrolled)


def enrol(
    database: Database, authority_id: str, person_id: str, *, is_confirmed: bool = True
) -> Enrolled:
    """Enrol one more phone for a person."""
    return redeem(database, issue(database, authority_id, person_id, is_confirmed=is_confirmed))


def redeem(database: Database, code: str) -> Enrolled:
    """Enrol a phone by its code."""
    phone = NewDevice(make="Nokia", model="C12", colour="grey", os="Android 12", app_version="1.0")
    return enrolments.redeem(
        database, Redemption(code, phone, {"code": code}, id=None, address="127.0.0.1")
    )


def issue(
    database: Database, authority_id: str, person_id: str, *, is_confirmed: bool = True
) -> str:
    """Return a fresh enrolment code for a person."""
    boss, name = operator(authority_id), new_id()
    issued = database.transact(
        lambda unit: enrolments.issue(
            unit, boss, person_id, enrolment_id=name, is_confirmed=is_confirmed
        )
    )
    return issued.code


def persona_of(name: str, enrolled: Enrolled) -> Persona:
    """Name what was enrolled."""
    device = enrolled.device
    return Persona(
        name=name,
        authority_id=device.authority_id,
        person_id=device.person_id,
        device_id=device.id,
        number=device.number,
        actor=device.actor,
        token=enrolled.token,
    )


def _found(unit: Unit) -> _Ground:
    rjk = authorities.found(unit, NewAuthority("RJK", "Rajkot Taluka Panchayat", "gujarat")).id
    klm = authorities.found(unit, NewAuthority("KLM", "Kollam Panchayat", "kerala")).id
    kept = [
        pounds.add(unit, operator(rjk), NewPound(name, 22.3039, 70.8022)).id
        for name in ("Dwarka Road", "Aji Dam")
    ]
    unit.session.flush()
    codes = {name: _code(unit, rjk, name, pound_id=kept[0]) for name in _RJK}
    return _Ground(rjk, klm, kept, {**codes, "chetan": _code(unit, klm, "chetan")})


def _code(unit: Unit, authority_id: str, name: str, *, pound_id: str | None = None) -> str:
    role, capacity = _RJK.get(name, ("reporter", "police"))
    grant = Grant(role, pound_id if role == "pound_keeper" else None)
    boss = operator(authority_id)
    person = people.add(unit, boss, NewPerson(name.title(), (grant,), capacity=capacity))
    return enrolments.issue(unit, boss, person.id, enrolment_id=new_id(), is_confirmed=True).code
