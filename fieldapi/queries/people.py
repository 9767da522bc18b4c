"""Reads the people of an authority with their roles. Mobile numbers are masked but to an admin
who asks for one person.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.models import Membership, Person
from fieldapi.problems import NotFound
from fieldapi.queries.pages import Page, Turn, page

_SHOWN_DIGITS = 4


@dataclass(frozen=True, slots=True)
class MembershipView:
    """A role held from `starts_at` until `ends_at` (None: open)."""

    id: str
    role: str
    pound_id: str | None
    starts_at: datetime
    ends_at: datetime | None


@dataclass(frozen=True, slots=True)
class PersonView:
    """A person and every role they hold, held or will hold."""

    id: str
    name: str
    capacity: str | None
    mobile: str | None
    language: str
    roles: list[MembershipView]
    created_at: datetime


def people(session: Session, authority_id: str, turn: Turn) -> Page[PersonView]:
    """Return a page of people, mobile numbers masked."""
    found = page(
        session, select(Person).where(Person.authority_id == authority_id), turn, by=Person.id
    )
    roles = _roles(session, authority_id, [row.id for row in found.items])
    return found.map(lambda row: _view(row, roles, is_masked=True))


def person(
    session: Session, authority_id: str, person_id: str, *, is_masked: bool = True
) -> PersonView:
    """Return one person. Raises `NotFound`."""
    row = session.get(Person, (authority_id, person_id))
    if row is None:
        raise NotFound("There is no such person.")
    return _view(row, _roles(session, authority_id, [person_id]), is_masked=is_masked)


def all_people(session: Session, authority_id: str) -> list[PersonView]:
    """Return everybody of an authority by name, mobile numbers masked."""
    query = select(Person).where(Person.authority_id == authority_id)
    rows = list(session.scalars(query.order_by(Person.name, Person.id)))
    roles = _roles(session, authority_id, [row.id for row in rows])
    return [_view(row, roles, is_masked=True) for row in rows]


def membership(session: Session, authority_id: str, membership_id: str) -> MembershipView:
    """Return one role of somebody. Raises `NotFound`."""
    row = session.get(Membership, (authority_id, membership_id))
    if row is None:
        raise NotFound("There is no such role.")
    return _membership(row)


def masked(mobile: str | None) -> str | None:
    """Return a mobile number with all but its last digits hidden.

    >>> masked("9876543210")
    '••••••3210'
    """
    if mobile is None:
        return None
    hidden = max(len(mobile) - _SHOWN_DIGITS, 0)
    return "•" * hidden + mobile[hidden:]


def _roles(
    session: Session, authority_id: str, person_ids: Sequence[str]
) -> Mapping[str, list[MembershipView]]:
    rows = session.scalars(
        select(Membership)
        .where(Membership.authority_id == authority_id, Membership.person_id.in_(person_ids))
        .order_by(Membership.starts_at, Membership.id)
    )
    found: dict[str, list[MembershipView]] = {}
    for row in rows:
        found.setdefault(row.person_id, []).append(_membership(row))
    return found


def _membership(row: Membership) -> MembershipView:
    return MembershipView(row.id, row.role, row.pound_id, row.starts_at, row.ends_at)


def _view(row: Person, roles: Mapping[str, list[MembershipView]], *, is_masked: bool) -> PersonView:
    return PersonView(
        id=row.id,
        name=row.name,
        capacity=row.capacity,
        mobile=masked(row.mobile) if is_masked else row.mobile,
        language=row.language,
        roles=roles.get(row.id, []),
        created_at=row.created_at,
    )
