"""Sets the scene: an authority with its limits, a pound, villages, the people, two enrolment codes
and Bina's password. An operator does the same by `fieldapi authority`, `pound`, `person`, `enrol`.
"""

from __future__ import annotations

from dataclasses import dataclass

from fieldapi import migrate
from fieldapi.demo.place import Place
from fieldapi.demo.telling import Teller
from fieldapi.house import House, open_house, require_safe
from fieldapi.ids import new_id
from fieldapi.services import (
    authorities,
    enrolments,
    fees,
    passwords,
    people,
    places,
    pounds,
    sign_ins,
)
from fieldapi.services.authorise import Principal, operator
from fieldapi.services.authorities import NewAuthority
from fieldapi.services.people import Grant, NewPerson
from fieldapi.services.places import NewPlace
from fieldapi.services.pounds import NewPound
from fieldapi.settings import Settings
from fieldapi.unit import Unit
from sync.wire import JSON

AUTHORITY = NewAuthority("RJK", "Rajkot Taluka demo", "gujarat", languages=("en", "gu"))
POUND = NewPound("Bedi cattle pound", lat=22.3512, lon=70.8018)
VILLAGES = (
    NewPlace("Bedi", "બેડી", 22.3561, 70.8047),
    NewPlace("Ratanpar", "રતનપર", 22.3725, 70.8346),
    NewPlace("Navagam", "નવાગામ", 22.3187, 70.8421),
)
SIGN_IN = "bina"
# Longitude before latitude, as GeoJSON has it.
AREA: JSON = {
    "type": "Polygon",
    "coordinates": [
        [
            [70.702, 22.231],
            [70.811, 22.204],
            [70.921, 22.262],
            [70.934, 22.371],
            [70.842, 22.433],
            [70.726, 22.398],
            [70.702, 22.231],
        ]
    ],
}


@dataclass(frozen=True, slots=True)
class Village:
    """What the rest of the story needs: where cattle go, enrolment codes, Bina's password."""

    pound_id: str
    asha_code: str
    bina_code: str
    mohan_code: str
    password: str


def set_up(tell: Teller, place: Place) -> Village:
    """Make the installation and everybody in it."""
    settings = place.settings()
    with tell.step("migrate", "making the database") as done:
        migrate.upgrade(settings.database_url)
        done("database made (SQLite)", schema=migrate.newest())
    house = _open(settings)
    try:
        return _settle(tell, house)
    finally:
        house.database.close()


def _open(settings: Settings) -> House:
    house = open_house(settings)
    require_safe(house)
    return house


def _settle(tell: Teller, house: House) -> Village:
    with tell.step("authority", "founding the authority") as done:
        boss, pound_id = house.database.transact(_found)
        done(
            f"{AUTHORITY.name} ({AUTHORITY.code}): limits, a pound, {len(VILLAGES)} villages",
            authority=AUTHORITY.code,
        )
    with tell.step("people", "adding the people") as done:
        asha, bina, mohan = house.database.transact(lambda unit: _people(unit, boss, pound_id))
        password = passwords.generate()
        sign_ins.set_password(house.database, boss, bina, name=SIGN_IN, password=password)
        asha_code, bina_code, mohan_code = house.database.transact(
            lambda unit: (
                _code(unit, boss, asha),
                _code(unit, boss, bina),
                _code(unit, boss, mohan),
            )
        )
        done("Asha the watchman, Mohan the pound keeper, Bina the reviewer, an admin")
    with tell.step("fees", "loading the sample scale of fees") as done:
        loaded = house.database.transact(
            lambda unit: fees.load(unit, boss, fees.sample(unit, boss))
        )
        done(f"{len(loaded)} sample scales loaded, marked as samples")
    return Village(pound_id, asha_code, bina_code, mohan_code, password)


def _found(unit: Unit) -> tuple[Principal, str]:
    boss = operator(authorities.found(unit, AUTHORITY).id)
    authorities.set_area(unit, boss, AREA)
    pound = pounds.add(unit, boss, POUND)
    places.import_many(unit, boss, VILLAGES)
    return boss, pound.id


def _people(unit: Unit, boss: Principal, pound_id: str) -> tuple[str, str, str]:
    """Add everybody; return the ids of Asha, Bina and Mohan."""
    watchman = NewPerson("Asha Parmar", (Grant("reporter"),), capacity="panchayat_watchman")
    asha = people.add(unit, boss, watchman)
    bina = people.add(unit, boss, NewPerson("Bina Joshi", (Grant("reviewer"),)))
    keeper = NewPerson("Mohan Rathod", (Grant("pound_keeper", pound_id),))
    mohan = people.add(unit, boss, keeper)
    people.add(unit, boss, NewPerson("Demo administrator", (Grant("admin"),)))
    return asha.id, bina.id, mohan.id


def _code(unit: Unit, boss: Principal, person_id: str) -> str:
    """Return a code that enrols one phone of a person, which need not be confirmed afterwards."""
    issued = enrolments.issue(unit, boss, person_id, enrolment_id=new_id(), is_confirmed=True)
    return issued.code
