"""Adds people and grants or ends their roles. Called by the api and the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from sqlalchemy import or_, select

from fieldapi.clock import format_instant
from fieldapi.domain.values import CODE, MOBILE, NAME, UUID, Choice, ValueType
from fieldapi.domain.words import sentence
from fieldapi.ids import new_id
from fieldapi.locale import FALLBACK, LANGUAGES
from fieldapi.models import Membership, Person, Pound
from fieldapi.models.person import ROLES
from fieldapi.problems import Conflict, NotFound
from fieldapi.services import outside
from fieldapi.services.authorise import Principal, require
from fieldapi.services.fields import check_fields, refuse
from fieldapi.services.imports import Imported
from fieldapi.unit import Unit
from sync.wire import JSON

ROLE_ENDED = "role_ended"
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
    """A person to be. `capacity`: code of the right by which this person seizes.

    What is None is left as it is when somebody known is imported again.
    """

    name: str
    roles: Sequence[Grant] = field(default=())
    capacity: str | None = None
    mobile: str | None = None
    language: str | None = None
    id: str | None = None


def add(unit: Unit, principal: Principal, new: NewPerson) -> Person:
    """Add a person with their roles. Raises `InvalidBody`, `Conflict`, `NotFound` (a pound)."""
    require(principal, "person.add")
    check(new)
    row = Person(
        authority_id=principal.authority_id,
        id=new.id or new_id(),
        name=new.name,
        capacity=new.capacity,
        mobile=new.mobile,
        language=new.language or FALLBACK,
        created_at=unit.now,
    )
    if unit.session.get(Person, (row.authority_id, row.id)):
        raise Conflict(sentence("This id is already the id of a person."))
    unit.session.add(row)
    unit.session.flush()
    unit.enter(row.authority_id, "person.added", subject=f"person/{row.id}", actor=principal.actor)
    for role in new.roles:
        grant(unit, principal, role, person_id=row.id)
    return row


def import_many(unit: Unit, principal: Principal, rows: Sequence[NewPerson]) -> Imported:
    """Add the people that are new, by id or else by name; correct and promote the others.

    Nobody loses a role by an import. Raises `InvalidBody`.
    """
    require(principal, "person.add")
    known = _known(unit, principal.authority_id)
    added = changed = 0
    for new in rows:
        row = known.get(new.id or new.name)
        if row is None:
            add(unit, principal, new)
            added += 1
        else:
            changed += _correct(unit, principal, row, to=new)
    return Imported(added, changed, len(rows) - added - changed)


def check(new: NewPerson) -> None:
    """Raise `InvalidBody` unless the person and the roles can be taken as they are written."""
    given: dict[str, JSON] = {
        "id": new.id,
        "name": new.name,
        "capacity": new.capacity,
        "mobile": new.mobile,
        "language": new.language,
    }
    check_fields(_TYPES, given)
    for role in new.roles:
        check_fields({"role": Choice(ROLES)}, {"role": role.role})


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
        raise refuse("ends_at", sentence("A role ends after it starts."))
    unit.session.add(row)
    unit.session.flush()
    _enter(unit, principal, row, kind="membership.granted")
    return row


def end(
    unit: Unit,
    principal: Principal,
    membership_id: str,
    *,
    at: datetime | None = None,
    log: Path | None = None,
) -> Membership:
    """End a role at `at` (None: now); one that is over stays as it is. `log`: outside the database,
    where the ending is noted for a restore.

    Raises `NotFound`, and `Conflict` if it ends earlier already.
    """
    require(principal, "person.add")
    row = unit.session.get(
        Membership, (principal.authority_id, membership_id), with_for_update=True
    )
    if row is None:
        raise NotFound(sentence("There is no such role."))
    ends_at = at or unit.now
    if row.ends_at is not None and row.ends_at in {ends_at, min(row.ends_at, unit.now)}:
        return row
    if row.ends_at is not None and row.ends_at < ends_at:
        raise Conflict(sentence("This role ends earlier already."))
    if ends_at <= row.starts_at:
        raise refuse("at", sentence("A role ends after it starts."))
    row.ends_at = ends_at
    _enter(unit, principal, row, kind="membership.ended")
    if log is not None:
        ended = {"authority": row.authority_id, "membership": row.id}
        at_text = format_instant(ends_at)
        outside.append(log, {"what": ROLE_ENDED, "at": at_text, **ended})
    return row


def get(unit: Unit, principal: Principal, person_id: str) -> Person:
    """Return a person of the principal's authority. Raises `NotFound`."""
    row = unit.session.get(Person, (principal.authority_id, person_id))
    if row is None:
        raise NotFound(sentence("There is no such person."))
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


def _known(unit: Unit, authority_id: str) -> Mapping[str, Person]:
    """Return everybody by id and by name."""
    rows = list(unit.session.scalars(select(Person).where(Person.authority_id == authority_id)))
    return {row.name: row for row in rows} | {row.id: row for row in rows}


def _correct(unit: Unit, principal: Principal, row: Person, *, to: NewPerson) -> bool:
    """Bring a person to what the import says; say whether anything was different."""
    wanted = {"name": to.name, "capacity": to.capacity, "mobile": to.mobile}
    wanted["language"] = to.language
    fields = sorted(
        name for name, value in wanted.items() if value not in {None, getattr(row, name)}
    )
    for name in fields:
        setattr(row, name, wanted[name])
    if fields:
        subject = f"person/{row.id}"
        unit.enter(
            row.authority_id,
            "person.changed",
            subject=subject,
            actor=principal.actor,
            fields=fields,
        )
    missing = _missing(unit, row, to.roles)
    for role in missing:
        grant(unit, principal, role, person_id=row.id)
    return bool(fields or missing)


def _missing(unit: Unit, row: Person, wanted: Sequence[Grant]) -> list[Grant]:
    held = unit.session.execute(
        select(Membership.role, Membership.pound_id).where(
            Membership.authority_id == row.authority_id,
            Membership.person_id == row.id,
            or_(Membership.ends_at.is_(None), Membership.ends_at > unit.now),
        )
    )
    has = {(role, pound_id) for role, pound_id in held}
    return [one for one in wanted if (one.role, one.pound_id) not in has]


def _check_grant(unit: Unit, principal: Principal, new: Grant) -> None:
    check_fields({"id": UUID, "role": Choice(ROLES)}, {"id": new.id, "role": new.role})
    if new.pound_id is None:
        return
    if new.role != "pound_keeper":
        raise refuse("pound_id", sentence("Only a pound keeper keeps a pound."))
    if unit.session.get(Pound, (principal.authority_id, new.pound_id)) is None:
        raise refuse("pound_id", sentence("There is no such pound."))
