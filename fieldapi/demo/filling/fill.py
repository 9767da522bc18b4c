"""Founds the authority, its people, phones and register, and lets the plots happen in it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial

from fieldapi.clock import INDIA
from fieldapi.demo.filling.cast import CASTS, ROLES, Cast
from fieldapi.demo.filling.playing import play
from fieldapi.demo.filling.stage import Hand, Stage
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.pending import jobs_of
from fieldapi.services import (
    authorise,
    authorities,
    calendars,
    devices,
    enrolments,
    fees,
    people,
    places,
    pounds,
    sign_ins,
)
from fieldapi.services.authorise import Credential, Principal, operator
from fieldapi.services.calendars import Change, ClosedOn
from fieldapi.services.devices import NewDevice
from fieldapi.services.enrolments import Redemption
from fieldapi.services.people import Grant, NewPerson
from fieldapi.unit import Database, Unit
from sync.wire import JSON

BEFORE = timedelta(days=120)
_ROUNDS = 200
_PHONES = (
    ("Nokia", "C12", "charcoal"),
    ("Samsung", "Galaxy A04", "green"),
    ("Lava", "Blaze", "blue"),
    ("Xiaomi", "Redmi A2", "black"),
)
_DESK = ("keeper", "reviewer", "secretary", "admin", "second_admin")
_LARGE, _SMALL = (1280, 960), (160, 120)
_PHONED = ("watch", "police", "canal", "keeper", "second_keeper")


@dataclass(frozen=True, slots=True)
class Wish:
    """What to fill. `series`: of statutes; `until`: the moment up to which it has lived;
    `is_small`: one report of each kind of story, few and small photos, sign-ins for the desk alone:
    for tests, in a few seconds.
    """

    series: str
    password: str
    seed: int = 1
    until: datetime | None = None
    is_small: bool = False


@dataclass(frozen=True, slots=True)
class Filled:
    """What stands now. `sign_ins`: names by part; `people`: ids by part; `reports`: how many."""

    authority_id: str
    code: str
    name: str
    pounds: tuple[str, str]
    people: Mapping[str, str]
    sign_ins: Mapping[str, str]
    reports: int


def fill(house: House, wish: Wish) -> Filled:
    """Fill an installation with one authority. Raises `Conflict` if its code is taken."""
    until = wish.until or house.database.clock()
    hand = Hand(until - BEFORE)
    own = Database(house.settings.database_url, keys=house.keys, clock=hand)
    with closing(own):
        inner = replace(house, database=own)
        stage, phones = _found(inner, hand, wish)
        reports = play(stage, until, is_small=wish.is_small)
        for phone in phones:
            own.transact(partial(devices.mark_used, credential=phone))
        _work_off(inner)
    cast = stage.cast
    return Filled(
        authority_id=stage.authority_id,
        code=cast.authority.code,
        name=cast.authority.name,
        pounds=stage.pounds,
        people=stage.people,
        sign_ins={part: _sign_in(cast, part) for part in ROLES},
        reports=reports,
    )


def _found(house: House, hand: Hand, wish: Wish) -> tuple[Stage, list[Credential]]:
    """Found everything; returns the stage, and the phones that are in use."""
    cast, chance = CASTS[wish.series], random.Random(wish.seed)  # noqa: S311 - a story, no secret
    made = house.database.transact(lambda unit: authorities.found(unit, cast.authority).id)
    boss = operator(made)
    kept = house.database.transact(lambda unit: _ground(unit, boss, cast))
    staff = house.database.transact(lambda unit: _people(unit, boss, cast, kept))
    for part in _DESK if wish.is_small else ROLES:
        name = _sign_in(cast, part)
        sign_ins.set_password(house.database, boss, staff[part], name=name, password=wish.password)
    hand.now += timedelta(hours=3)
    used = {part: _phone(house, boss, staff[part], n=n) for n, part in enumerate(_PHONED)}
    phones = {part: one.principal for part, one in used.items()}
    size = _SMALL if wish.is_small else _LARGE
    newcomer = _phone(house, boss, staff["newcomer"], n=3, is_confirmed=False)
    phones["newcomer"] = newcomer.principal
    stage = Stage(house, hand, chance, cast, made, kept, staff, phones, size)
    return stage, [*used.values(), newcomer]


def _ground(unit: Unit, boss: Principal, cast: Cast) -> tuple[str, str]:
    lat, lon = cast.centre
    corners = (
        (-0.11, -0.1),
        (-0.14, 0.01),
        (-0.08, 0.12),
        (0.03, 0.13),
        (0.1, 0.04),
        (0.07, -0.09),
    )
    ring: list[JSON] = [[lon + east, lat + north] for north, east in (*corners, corners[0])]
    authorities.set_area(unit, boss, {"type": "Polygon", "coordinates": [ring]})
    first, second = (pounds.add(unit, boss, one).id for one in cast.pounds)
    places.import_many(unit, boss, cast.villages)
    fees.load(unit, boss, fees.sample(unit, boss))
    closed = [ClosedOn(day, reason) for day, reason in _holidays(unit.now.astimezone(INDIA).date())]
    for calendar in ("office", "pound"):
        calendars.change(unit, boss, Change(calendar, closed))
    return first, second


def _holidays(first: date) -> list[tuple[date, str]]:
    """Return the Sundays of a good half year, and two feasts."""
    sundays = [first + timedelta(days=n) for n in range(220)]
    listed = [(day, "Sunday") for day in sundays if day.weekday() == 6]  # noqa: PLR2004 - Sunday
    return [*listed, (first + timedelta(days=52), "Local fair")]


def _people(unit: Unit, boss: Principal, cast: Cast, kept: tuple[str, str]) -> dict[str, str]:
    found = {}
    for part, role in ROLES.items():
        pound = {"keeper": kept[0], "second_keeper": kept[1]}.get(part)
        # The keeper keys in the slips of those who have no phone.
        grants = [Grant(role, pound), *([Grant("reporter")] if part == "keeper" else [])]
        new = NewPerson(cast.staff[part], grants, capacity=cast.capacities.get(part))
        found[part] = people.add(unit, boss, new).id
    return found


def _phone(
    house: House, boss: Principal, person_id: str, *, n: int, is_confirmed: bool = True
) -> Credential:
    """Enrol a phone of a person; return who acts by it."""
    code = house.database.transact(
        lambda unit: enrolments.issue(
            unit, boss, person_id, enrolment_id=new_id(), is_confirmed=is_confirmed
        )
    ).code
    make, model, colour = _PHONES[n % len(_PHONES)]
    phone = NewDevice(make=make, model=model, colour=colour, os="Android 12", app_version="1.0")
    asked = Redemption(code, phone, {"code": code}, id=None, address="127.0.0.1")
    enrolled = enrolments.redeem(house.database, asked)
    return authorise.credential_of_token(house.database, enrolled.token, house.database.clock())


def _work_off(house: House) -> None:
    """Do what is pending: photos looked into, deadlines told."""
    jobs = jobs_of(house)
    for _ in range(_ROUNDS):
        with house.database.read() as session:
            due = [(job, one) for job in jobs for one in job.pending(session)]
        if not due:
            return
        for job, subject in due:
            job.run(subject)


def _sign_in(cast: Cast, part: str) -> str:
    """Return the sign-in name of a part, e.g. `bina.gjd`."""
    return f"{cast.staff[part].split()[0].lower()}.{cast.authority.code.lower()}"
