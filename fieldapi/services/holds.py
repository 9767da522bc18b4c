"""Legal holds: a case that a court or an inquiry asked for is neither erased nor let go.

Called by the command line. `erasures` and `retention` ask `is_held`.
"""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.domain.values import UUID, Text, ValueType
from fieldapi.models import Complaint, Hold, Seizure
from fieldapi.problems import Conflict, NotFound
from fieldapi.services.authorise import Principal, require
from fieldapi.services.fields import check_fields
from fieldapi.unit import Unit

_TYPES: dict[str, ValueType] = {"id": UUID, "reason": Text(200, shortest=3)}


def place(unit: Unit, principal: Principal, seizure_id: str, *, hold_id: str, reason: str) -> Hold:
    """Hold a case. `reason`: the number of the order, never a name. Raises `NotFound`, `Conflict`,
    `InvalidBody`.
    """
    require(principal, "erasure.make")
    check_fields(_TYPES, {"id": hold_id, "reason": reason})
    at = principal.authority_id
    if unit.session.get(Seizure, (at, seizure_id)) is None:
        raise NotFound("There is no such report.")
    if unit.session.get(Hold, (at, hold_id)) is not None:
        raise Conflict("This id is already the id of a hold.")
    row = Hold(
        authority_id=at,
        id=hold_id,
        seizure_id=seizure_id,
        reason=reason,
        since=unit.now,
        ended_at=None,
    )
    unit.session.add(row)
    _enter(unit, principal, row, kind="hold.set")
    return row


def end(unit: Unit, principal: Principal, hold_id: str) -> Hold:
    """End a hold; one that is over stays as it is. Raises `NotFound`."""
    require(principal, "erasure.make")
    row = unit.session.get(Hold, (principal.authority_id, hold_id), with_for_update=True)
    if row is None:
        raise NotFound("There is no such hold.")
    if row.ended_at is None:
        row.ended_at = unit.now
        _enter(unit, principal, row, kind="hold.ended")
    return row


def is_held(session: Session, authority_id: str, seizure_id: str) -> bool:
    """Say whether a hold on this case is open, or a complaint about it: evidence waits for both."""
    query = select(Hold.id).where(
        Hold.authority_id == authority_id,
        Hold.seizure_id == seizure_id,
        Hold.ended_at.is_(None),
    )
    complaint = select(Complaint.id).where(
        Complaint.authority_id == authority_id,
        Complaint.seizure_id == seizure_id,
        Complaint.outcome.is_(None),
        Complaint.state != "withdrawn",
    )
    return any(session.scalar(one.limit(1)) is not None for one in (query, complaint))


def _enter(unit: Unit, principal: Principal, row: Hold, *, kind: str) -> None:
    subject = f"seizure/{row.seizure_id}"
    unit.enter(row.authority_id, kind, subject=subject, actor=principal.actor, hold=row.id)
