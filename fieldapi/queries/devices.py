"""Reads devices and enrolments: what admins list and confirm. Never a token, never a code."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from fieldapi.domain.fingerprints import fingerprint
from fieldapi.models import Device, DevicePerson, Enrolment, OpRow
from fieldapi.problems import NotFound
from fieldapi.queries.pages import Page, Turn, page

_MOST_GAPS = 20


@dataclass(frozen=True, slots=True)
class DeviceView:
    """A device. `fingerprint`: six digits that its screen shows too. `confirmed`: it may read.

    `missing`: numbers of its counter that never came, as first and last; None in a list, like
    `people`, the ids of those who may report from it.
    """

    id: str
    number: int
    actor: str
    person_id: str
    standing: str
    standing_reason: str | None
    confirmed: bool
    fingerprint: str
    make: str | None
    model: str | None
    colour: str | None
    os: str | None
    app_version: str | None
    has_key: bool
    is_cloned: bool
    enrolled_at: datetime
    standing_at: datetime
    first_used_at: datetime | None
    missing: tuple[tuple[int, int], ...] | None = None
    people: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class EnrolmentView:
    """A code that was issued. `state`: `open`, `used`, `burnt` or `expired`."""

    id: str
    person_id: str
    state: str
    confirmed: bool
    device_id: str | None
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None


def devices(
    session: Session, authority_id: str, turn: Turn, *, standing: str | None = None
) -> Page[DeviceView]:
    """Return a page of the devices of an authority, of one `standing` if it is given."""
    query = select(Device).where(Device.authority_id == authority_id)
    if standing is not None:
        query = query.where(Device.standing == standing)
    return page(session, query, turn, by=Device.id).map(view_device)


def device(session: Session, authority_id: str, device_id: str) -> DeviceView:
    """Return one device. Raises `NotFound`."""
    row = session.get(Device, (authority_id, device_id))
    if row is None:
        raise NotFound("There is no such device.")
    return replace(view_device(row), missing=_missing(session, row), people=_people(session, row))


def _people(session: Session, row: Device) -> tuple[str, ...]:
    """Return who may be named on a device: usually one, several on a shared phone."""
    query = select(DevicePerson.person_id).where(
        DevicePerson.authority_id == row.authority_id,
        DevicePerson.device_id == row.id,
        DevicePerson.until.is_(None),
    )
    return tuple(session.scalars(query.order_by(DevicePerson.person_id)))


def _missing(session: Session, row: Device) -> tuple[tuple[int, int], ...]:
    """Return the gaps in the counter of a device, the first ones: ops it wrote and never sent."""
    before = func.coalesce(func.lag(OpRow.n).over(order_by=OpRow.n), 0)
    counted = (
        select(OpRow.n.label("n"), before.label("before"))
        .where(
            OpRow.authority_id == row.authority_id,
            OpRow.actor == row.actor,
            OpRow.n.is_not(None),
        )
        .subquery()
    )
    query = (
        select(counted.c.before + 1, counted.c.n - 1)
        .where(counted.c.n > counted.c.before + 1)
        .order_by(counted.c.n)
        .limit(_MOST_GAPS)
    )
    return tuple((first, last) for first, last in session.execute(query))


def all_devices(
    session: Session, authority_id: str, *, standing: str | None = None
) -> list[DeviceView]:
    """Return every device of an authority by number."""
    query = select(Device).where(Device.authority_id == authority_id).order_by(Device.number)
    if standing is not None:
        query = query.where(Device.standing == standing)
    return [view_device(row) for row in session.scalars(query)]


def enrolments(
    session: Session, authority_id: str, turn: Turn, *, now: datetime
) -> Page[EnrolmentView]:
    """Return a page of the enrolments of an authority."""
    query = select(Enrolment).where(Enrolment.authority_id == authority_id)
    return page(session, query, turn, by=Enrolment.id).map(lambda row: _enrolment(row, now))


def enrolment(
    session: Session, authority_id: str, enrolment_id: str, *, now: datetime
) -> EnrolmentView:
    """Return one enrolment. Raises `NotFound`."""
    row = session.get(Enrolment, (authority_id, enrolment_id))
    if row is None:
        raise NotFound("There is no such enrolment.")
    return _enrolment(row, now)


def view_device(row: Device) -> DeviceView:
    """Return what may be shown of a device's row."""
    return DeviceView(
        id=row.id,
        number=row.number,
        actor=row.actor,
        person_id=row.person_id,
        standing=row.standing,
        standing_reason=row.standing_reason,
        confirmed=row.standing == "confirmed",
        fingerprint=fingerprint(row.id, row.actor, row.public_key),
        make=row.make,
        model=row.model,
        colour=row.colour,
        os=row.os,
        app_version=row.app_version,
        has_key=row.public_key is not None,
        is_cloned=row.is_cloned,
        enrolled_at=row.enrolled_at,
        standing_at=row.standing_at,
        first_used_at=row.seen_at,
    )


def _enrolment(row: Enrolment, now: datetime) -> EnrolmentView:
    return EnrolmentView(
        id=row.id,
        person_id=row.person_id,
        state=_state(row, now),
        confirmed=row.is_confirmed,
        device_id=row.device_id,
        created_at=row.created_at,
        expires_at=row.expires_at,
        used_at=row.used_at,
    )


def _state(row: Enrolment, now: datetime) -> str:
    if row.used_at is not None:
        return "used"
    if row.burnt_at is not None:
        return "burnt"
    return "expired" if now >= row.expires_at else "open"
