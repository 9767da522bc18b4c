"""Ranks reports by what the statute wants next: pending work, so that no push waits for the law.

Before the first act the only clock is that of the way to the pound; from then on the deadlines that
the acts stored count. Whoever may complain is not hurried by us: those clocks take no part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.clock import INDIA
from fieldapi.domain.reviews import REJECTED, RESUBMITTED
from fieldapi.domain.urgency import fresh_at, undue_at
from fieldapi.house import House
from fieldapi.jobs import Job
from fieldapi.law.clocks import OF_OTHERS, transit_deadline
from fieldapi.models import Authority, CaseFile, Deadline, Seizure, Urgency
from fieldapi.models.bulk import among, update_many
from fieldapi.packs import Packs
from fieldapi.unit import Unit

_AT_ONCE = 500

Due = tuple[datetime, str]


def ranking(house: House) -> Job:
    """Return the job that finds out what is due next in cases that changed."""
    return Job(
        "urgency",
        _pending,
        lambda subject: house.database.transact(lambda unit: rank(unit, house.packs, subject)),
    )


def _pending(session: Session) -> list[str]:
    query = select(Urgency.authority_id).where(Urgency.is_ranked.is_(False)).distinct()
    return list(session.scalars(query))


def rank(unit: Unit, packs: Packs, authority_id: str) -> None:
    """Rank what has changed in an authority, some hundred cases at once."""
    waiting = select(Urgency.seizure_id).where(
        Urgency.authority_id == authority_id, Urgency.is_ranked.is_(False)
    )
    ids = list(unit.session.scalars(waiting.limit(_AT_ONCE)))
    reports = _reports(unit.session, authority_id, ids)
    due = _due(unit.session, packs, authority_id, reports)
    rows = [
        {
            "authority_id": authority_id,
            "seizure_id": one.id,
            "due_at": place[0],
            "rule": place[1],
            "is_ranked": True,
        }
        for one in reports
        for place in (_place(one, due.get(one.id)),)
    ]
    update_many(unit.session, Urgency, rows, key=("authority_id", "seizure_id"))


def _place(report: Seizure, due: Due | None) -> tuple[datetime, str | None]:
    """Return where a report stands: one that came back corrected before all that is due."""
    if report.state == RESUBMITTED:
        return fresh_at(report.received_at), None
    return due if due is not None else (undue_at(report.received_at), None)


def _due(
    session: Session, packs: Packs, authority_id: str, reports: Sequence[Seizure]
) -> Mapping[str, Due]:
    """Return the next deadline of each case that has one."""
    files = _files(session, authority_id, [one.id for one in reports])
    found: dict[str, Due] = _stored(session, authority_id, [one for one in files if files[one]])
    statute = session.get_one(Authority, authority_id).statute
    for one in reports:
        if one.is_withdrawn or one.state == REJECTED:
            found.pop(one.id, None)
        elif one.id not in files and one.seized_at is not None:
            found |= _on_the_way(packs, statute, one.id, one.seized_at)
    return found


def _reports(session: Session, authority_id: str, ids: Sequence[str]) -> list[Seizure]:
    query = select(Seizure).where(
        Seizure.authority_id == authority_id, among(session, Seizure.id, ids)
    )
    return list(session.scalars(query))


def _files(session: Session, authority_id: str, ids: Sequence[str]) -> dict[str, bool]:
    """Return which cases have a file, and whether it is open."""
    query = select(CaseFile.id, CaseFile.state).where(
        CaseFile.authority_id == authority_id, among(session, CaseFile.id, ids)
    )
    return {case_id: state == "open" for case_id, state in session.execute(query)}


def _stored(session: Session, authority_id: str, ids: Sequence[str]) -> dict[str, Due]:
    query = (
        select(Deadline.seizure_id, Deadline.last_moment, Deadline.rule)
        .where(
            Deadline.authority_id == authority_id,
            among(session, Deadline.seizure_id, ids),
            Deadline.is_met.is_(False),
            Deadline.rule.not_in(OF_OTHERS),
        )
        .order_by(Deadline.last_moment.desc(), Deadline.n.desc())
    )
    return {case_id: (at, rule) for case_id, at, rule in session.execute(query)}


def _on_the_way(packs: Packs, statute: str, report: str, at: datetime) -> dict[str, Due]:
    """Return when cattle that were seized at this moment have to be at the pound."""
    deadline = transit_deadline(packs.profile(statute, on=at.astimezone(INDIA).date()), at)
    return {} if deadline is None else {report: (deadline.last_moment, deadline.clock.rule)}
