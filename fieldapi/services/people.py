"""Adds people and grants or ends their roles. Called by the api and the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from fieldapi.domain.values import CODE, MOBILE, NAME, UUID, Choice, ValueType
from fieldapi.ids import new_id
from fieldapi.locale import LANGUAGES
from fieldapi.models import Membership, Person, Pound
from fieldapi.models.person import ROLES
from fieldapi.problems import Conflict, NotFound
from fieldapi.services.authorise import Principal, require
from fieldapi.services.fields import check_fields, refuse
from fieldapi.unit import Unit

_TYPES: dict[str, ValueType] = {
    "id": UUID,
    "name": NAME,
    "capacity": CODE,
    "mobile": MOBILE,
    "language": Choice(LANGUAGES),
}


@dataclass(frozen=True, slots=True)
class Grant:
    """A role to be held from `starts_at` (None: now) until `ends_at` (None: open).

    `pound_id` narrows a keeper to one pound.
    """

    role: str
    pound_id: str | None = None
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class NewPerson:
    """A person to be. `capacity`: code of the right by which this person seizes."""

    name: str
    roles: Sequence[Grant] = field(default=())
    capacity: str | None = None
    mobile: str | None = None
    language: str = "en"
    id: str | None = None


def add(unit: Unit, principal: Principal, new: NewPerson) -> Person:
    """Add a person with their roles. Raises `InvalidBody`, `Conflict`, `NotFound` (a pound)."""
    require(principal, "person.add")
    _check(new)
    row = Person(
        authority_id=principal.authority_id,
        id=new.id or new_id(),
        name=new.name,
        capacity=new.capacity,
        mobile=new.mobile,
        language=new.language,
        created_at=unit.now,
    )
    if unit.session.get(Person, (row.authority_id, row.id)):
        raise Conflict("This id is already the id of a person.")
    unit.session.add(row)
    unit.session.flush()
    unit.enter(row.authority_id, "person.added", subject=f"person/{row.id}", actor=principal.actor)
    for role in new.roles:
        grant(unit, principal, role, person_id=row.id)
    return row


def grant(unit: Unit, principal: Principal, new: Grant, *, person_id: str) -> Membership:
    """Give a person a role. Raises `InvalidBody`, `NotFound` (the person, the pound)."""
    require(principal, "person.add")
    get(unit, principal, person_id)
    _check_grant(unit, principal, new)
    row = Membership(
        authority_id=principal.authority_id,
        id=new.id or new_id(),
        person_id=person_id,
        role=new.role,
        pound_id=new.pound_id,
        starts_at=new.starts_at or unit.now,
        ends_at=new.ends_at,
    )
    if row.ends_at is not None and row.ends_at <= row.starts_at:
        raise refuse("ends_at", "A role ends after it starts.")
    unit.session.add(row)
    unit.session.flush()
    _enter(unit, principal, row, kind="membership.granted")
    return row


def end(
    unit: Unit, principal: Principal, membership_id: str, *, at: datetime | None = None
) -> Membership:
    """End a role at `at` (None: now). Raises `NotFound`, `Conflict` if it has ended before."""
    require(principal, "person.add")
    row = unit.session.get(
        Membership, (principal.authority_id, membership_id), with_for_update=True
    )
    if row is None:
        raise NotFound("There is no such role.")
    ends_at = at or unit.now
    if row.ends_at is not None and row.ends_at <= ends_at:
        raise Conflict("This role has already ended.")
    if ends_at <= row.starts_at:
        raise refuse("at", "A role ends after it starts.")
    row.ends_at = ends_at
    _enter(unit, principal, row, kind="membership.ended")
    return row


def get(unit: Unit, principal: Principal, person_id: str) -> Person:
    """Return a person of the principal's authority. Raises `NotFound`."""
    row = unit.session.get(Person, (principal.authority_id, person_id))
    if row is None:
        raise NotFound("There is no such person.")
    return row


def _enter(unit: Unit, principal: Principal, row: Membership, *, kind: str) -> None:
    unit.enter(
        row.authority_id,
        kind,
        subject=f"membership/{row.id}",
        actor=principal.actor,
        person=row.person_id,
        role=row.role,
        pound=row.pound_id or "",
    )


def _check(new: NewPerson) -> None:
    check_fields(
        _TYPES,
        {
            "id": new.id,
            "name": new.name,
            "capacity": new.capacity,
            "mobile": new.mobile,
            "language": new.language,
        },
    )


def _check_grant(unit: Unit, principal: Principal, new: Grant) -> None:
    check_fields({"id": UUID, "role": Choice(ROLES)}, {"id": new.id, "role": new.role})
    if new.pound_id is None:
        return
    if new.role != "pound_keeper":
        raise refuse("pound_id", "Only a pound_keeper keeps a pound.")
    if unit.session.get(Pound, (principal.authority_id, new.pound_id)) is None:
        raise refuse("pound_id", "There is no such pound.")
