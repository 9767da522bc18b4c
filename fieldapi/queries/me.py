"""Reads what a device needs to know of itself, its person and its authority: the answer of `/me`.

The list of pounds and places is the authority's own; the statute is the one in force today.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from fieldapi.domain.access import Principal
from fieldapi.domain.records import SCHEMA_VERSION
from fieldapi.models import DevicePerson, Person
from fieldapi.packs import Packs
from fieldapi.queries.authorities import (
    AuthorityView,
    PlaceView,
    PoundView,
    all_places,
    all_pounds,
    authority,
)
from fieldapi.queries.devices import DeviceView, device
from fieldapi.queries.people import MembershipView, PersonView, person
from sync.wire import JSON

PROTOCOL = 1


@dataclass(frozen=True, slots=True)
class Named:
    """A person who may be named as `by` on the device."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Me:
    """Everything a phone keeps of itself. `keeps`: ids of the pounds that the person keeps.

    `statute`: the profile as JSON, labels in `language`. `schema`: version of the records.
    """

    person: PersonView
    roles: Sequence[str]
    memberships: Sequence[MembershipView]
    authority: AuthorityView
    device: DeviceView | None
    people: Sequence[Named]
    pounds: Sequence[PoundView]
    keeps: Sequence[str]
    places: Sequence[PlaceView]
    language: str
    statute: dict[str, JSON]
    schema: int
    protocol: int
    server_now: datetime


@dataclass(frozen=True, slots=True)
class Asked:
    """How `/me` is asked. `language`: of the labels, None for the person's own. `today`: IST."""

    now: datetime
    today: date
    language: str | None = None


def me(session: Session, principal: Principal, packs: Packs, *, asked: Asked) -> Me:
    """Return what the holder of a token needs. Raises `NotFound` if the person was erased."""
    here = authority(session, principal.authority_id)
    self_ = person(session, here.id, principal.person_id, is_masked=False)
    pounds = [pound for pound in all_pounds(session, here.id) if pound.closed_at is None]
    language = asked.language or self_.language
    profile = packs.profile(here.statute, on=asked.today)
    return Me(
        person=self_,
        roles=sorted(principal.roles),
        memberships=[one for one in self_.roles if _is_held(one, asked.now)],
        authority=here,
        device=None
        if principal.device_id is None
        else device(session, here.id, principal.device_id),
        people=_people_on(session, principal, asked.now),
        pounds=pounds,
        keeps=_kept(principal, pounds),
        places=all_places(session, here.id),
        language=language,
        statute=packs.public(profile, language),
        schema=SCHEMA_VERSION,
        protocol=PROTOCOL,
        server_now=asked.now,
    )


def _is_held(role: MembershipView, now: datetime) -> bool:
    return role.starts_at <= now and (role.ends_at is None or now < role.ends_at)


def _kept(principal: Principal, pounds: Sequence[PoundView]) -> list[str]:
    if not principal.has("pound_keeper"):
        return []
    kept = principal.pounds
    return [pound.id for pound in pounds if kept is None or pound.id in kept]


def _own_device(session: Session, principal: Principal) -> DeviceView | None:
    if principal.device_id is None:
        return None
    return device(session, principal.authority_id, principal.device_id)


def _people_on(session: Session, principal: Principal, now: datetime) -> list[Named]:
    if principal.device_id is None:
        return []
    rows = session.execute(
        select(Person.id, Person.name)
        .join(
            DevicePerson,
            (DevicePerson.authority_id == Person.authority_id)
            & (DevicePerson.person_id == Person.id),
        )
        .where(
            DevicePerson.authority_id == principal.authority_id,
            DevicePerson.device_id == principal.device_id,
            or_(DevicePerson.until.is_(None), DevicePerson.until > now),
        )
        .order_by(Person.name, Person.id)
    )
    return [Named(row.id, row.name) for row in rows]
