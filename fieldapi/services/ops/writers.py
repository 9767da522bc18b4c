"""The two sides of a right: the person who writes, and where the record stands.

Called by `push` and `release`; read from memberships as they are now.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, or_, select
from sqlalchemy.orm import Session

from fieldapi.models import DevicePerson, Intake, Membership, Person, Seizure
from sync.wire import JSON

if TYPE_CHECKING:
    from fieldapi.services.ops.draft import Draft
    from sync.op import Op

KEEPER = "pound_keeper"
_NOW = bindparam("now", type_=Membership.starts_at.type)
# Made once: it runs with every delivery.
_RIGHTS = (
    select(Person.capacity, Membership.role, Membership.pound_id)
    .outerjoin(
        Membership,
        (Membership.authority_id == Person.authority_id)
        & (Membership.person_id == Person.id)
        & (Membership.starts_at <= _NOW)
        & or_(Membership.ends_at.is_(None), Membership.ends_at > _NOW),
    )
    .where(Person.authority_id == bindparam("authority"), Person.id == bindparam("person"))
)


@dataclass(frozen=True, slots=True)
class Writer:
    """The person named `by` in an op, as far as rights go. `pounds`: None for every pound."""

    person_id: str
    roles: frozenset[str]
    pounds: frozenset[str] | None
    capacity: str | None


@dataclass(frozen=True, slots=True)
class Standing:
    """The record an op wants to change. `author_id`: None while nobody created it.

    `pounds`: the pounds it is at, or would be at after the op.
    """

    author_id: str | None
    pounds: Collection[str]


def writer_of(session: Session, authority_id: str, person_id: str, now: datetime) -> Writer:
    """Return what a person may write now; without roles if unknown or no longer a member."""
    asked = {"authority": authority_id, "person": person_id, "now": now}
    rows = session.execute(_RIGHTS, asked).all()
    kept = {pound for _, role, pound in rows if role == KEEPER}
    return Writer(
        person_id,
        frozenset(role for _, role, _ in rows if role),
        None if None in kept else frozenset(pound for pound in kept if pound),
        rows[0].capacity if rows else None,
    )


def people_on(
    session: Session, authority_id: str, device_id: str, now: datetime
) -> dict[str, Writer]:
    """Return everyone who may be named `by` on a device."""
    query = select(DevicePerson.person_id).where(
        DevicePerson.authority_id == authority_id,
        DevicePerson.device_id == device_id,
        or_(DevicePerson.until.is_(None), DevicePerson.until > now),
    )
    return {one: writer_of(session, authority_id, one, now) for one in session.scalars(query)}


def standing_of(draft: Draft, op: Op, writer: Writer, drafts: Iterable[Draft]) -> Standing:
    """Return where the record stands; its pounds are looked up only if they can matter. `drafts`:
    all that this unit works on, for what it has not written yet.
    """
    if KEEPER not in writer.roles or writer.pounds is None:
        return Standing(draft.author_id, frozenset())
    return Standing(draft.author_id, _pounds(draft, op, drafts))


def _pounds(draft: Draft, op: Op, drafts: Iterable[Draft]) -> set[str]:
    """Return the pounds of a record: its own, its seizure's, and those of the seizure's intakes."""
    found = _named("pound_id", op.set, draft.shown)
    seizures = _named("seizure_id", op.set, draft.shown)
    if draft.kind == "seizure":
        seizures.add(draft.record_id)
    if not seizures:
        return found
    for one in drafts:
        if one.kind == "seizure" and one.record_id in seizures:
            found |= _named("pound_id", one.shown)
    session, at = draft.session, draft.authority_id
    query = select(Seizure.pound_id).where(Seizure.authority_id == at, Seizure.id.in_(seizures))
    received = select(Intake.pound_id).where(
        Intake.authority_id == at, Intake.seizure_id.in_(seizures)
    )
    rows = (*session.scalars(query), *session.scalars(received))
    return found | {pound for pound in rows if pound}


def _named(name: str, *places: Mapping[str, JSON]) -> set[str]:
    return {value for place in places if isinstance(value := place.get(name), str)}
