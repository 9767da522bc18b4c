"""How soon something is due in cases, for lists. Shared by api and console."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.domain.urgency import is_due
from fieldapi.models import Urgency
from fieldapi.models.bulk import among


@dataclass(frozen=True, slots=True)
class Due:
    """The next deadline of a case. `rule`: of the statute."""

    at: datetime
    rule: str


def of(session: Session, authority_id: str, seizure_ids: Collection[str]) -> dict[str, Due]:
    """Return the next deadline of each case that has one."""
    query = select(Urgency.seizure_id, Urgency.due_at, Urgency.rule).where(
        Urgency.authority_id == authority_id, among(session, Urgency.seizure_id, seizure_ids)
    )
    return {
        case_id: Due(at, rule)
        for case_id, at, rule in session.execute(query)
        if is_due(at) and rule
    }
