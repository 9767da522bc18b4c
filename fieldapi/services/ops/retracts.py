"""When a withdrawal comes too late: once cattle were received at a pound it is only a statement,
kept for a reviewer, and changes nothing.

Called by `push` and `release`. A reviewer's decision on a withdrawal is no statement.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.models import Intake
from fieldapi.services.ops.draft import Draft
from fieldapi.services.ops.store import RecordKey
from sync.op import WITHDRAWN, Op

_KINDS = frozenset({"seizure", "animal", "photo"})


def is_too_late(session: Session, draft: Draft, op: Op, drafts: Mapping[RecordKey, Draft]) -> bool:
    """Say whether an op withdraws something of a case that has begun. `drafts`: all that this unit
    works on, for what it has not written yet.
    """
    if not op.withdraws or op.is_decision or draft.kind not in _KINDS:
        return False
    seizure_id = draft.record_id if draft.kind == "seizure" else draft.shown.get("seizure_id")
    if not isinstance(seizure_id, str):
        return False
    return any(_is_intake_of(one, seizure_id) for one in drafts.values()) or _has_intake(
        session, draft.authority_id, seizure_id
    )


def _is_intake_of(draft: Draft, seizure_id: str) -> bool:
    if draft.kind != "intake" or not draft.is_touched:
        return False
    return draft.shown.get("seizure_id") == seizure_id and draft.shown.get(WITHDRAWN) is not True


def _has_intake(session: Session, authority_id: str, seizure_id: str) -> bool:
    query = select(Intake.id).where(
        Intake.authority_id == authority_id,
        Intake.seizure_id == seizure_id,
        Intake.heads != "",
        Intake.is_withdrawn.is_(False),
    )
    return session.scalars(query.limit(1)).first() is not None
