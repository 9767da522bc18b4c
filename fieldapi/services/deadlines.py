"""Tells the ledger, once each, that a deadline of an open case has passed: pending work.

What is due soon is a read (`queries.case_views.deadlines`); nothing has to run for it to be right.
"""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.clock import format_instant
from fieldapi.house import House
from fieldapi.jobs import Job
from fieldapi.models import CaseFile, Deadline
from fieldapi.services.authorise import OPERATOR_ACTOR
from fieldapi.unit import Unit

_AT_ONCE = 200


def telling(house: House) -> Job:
    """Return the job that enters deadlines which have passed."""
    return Job(
        "deadlines",
        lambda session: _pending(session, house),
        lambda subject: house.database.transact(lambda unit: tell(unit, subject)),
    )


def _pending(session: Session, house: House) -> list[str]:
    query = (
        select(Deadline.authority_id, Deadline.seizure_id, Deadline.n)
        .join(
            CaseFile,
            (CaseFile.authority_id == Deadline.authority_id) & (CaseFile.id == Deadline.seizure_id),
        )
        .where(
            Deadline.told_at.is_(None),
            Deadline.is_met.is_(False),
            Deadline.last_moment < house.database.clock(),
            CaseFile.state == "open",
        )
        .order_by(Deadline.last_moment)
        .limit(_AT_ONCE)
    )
    return [f"{authority}/{seizure}/{n}" for authority, seizure, n in session.execute(query)]


def tell(unit: Unit, subject: str) -> None:
    """Enter that a deadline has passed, unless it was entered or has gone meanwhile."""
    authority_id, seizure_id, n = subject.split("/")
    key = (authority_id, seizure_id, int(n))
    row = unit.session.get(Deadline, key, with_for_update=True)
    if row is None or row.told_at is not None or row.last_moment >= unit.now:
        return
    row.told_at = unit.now
    unit.enter(
        authority_id,
        "deadline.passed",
        subject=f"seizure/{seizure_id}",
        actor=OPERATOR_ACTOR,
        rule=row.rule,
        last_moment=format_instant(row.last_moment),
    )
