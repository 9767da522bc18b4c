"""Lets go what was kept long enough: personal values of decided cases, and lines of the log.

Off until an authority says for how long (`fieldapi authority retention`). Evidence stays: photos,
counts, structure, ledger and proofs. A hold stops it. Called by the jobs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from pathlib import Path
from types import MappingProxyType

from sqlalchemy import ColumnElement, ScalarSelect, Select, func, select
from sqlalchemy.orm import Session

from fieldapi.domain.access import Principal
from fieldapi.house import House
from fieldapi.jobs import Job
from fieldapi.logs import LOG_DAYS, log_day
from fieldapi.models import (
    RECORDS,
    Aid,
    Animal,
    Authority,
    CaseFile,
    Complaint,
    Erasure,
    Hold,
    Intake,
    Photo,
    Review,
    Seizure,
)
from fieldapi.services import authorities, erasures
from fieldapi.services.authorise import operator, require
from fieldapi.services.fields import refuse
from fieldapi.unit import Unit

REASON = "retention"
LEAST_DAYS = 365
_AT_ONCE = 100
_DECIDED = ("accepted", "rejected")
_OF_CASE: Mapping[str, type[Animal | Photo | Aid | Intake]] = MappingProxyType(
    {"animal": Animal, "photo": Photo, "aid": Aid, "intake": Intake}
)


def set_days(unit: Unit, principal: Principal, days: int | None) -> Authority:
    """Say after how many days personal values of decided cases go; None keeps them.

    Raises `InvalidBody` for less than a year.
    """
    require(principal, "authority.change")
    if days is not None and days < LEAST_DAYS:
        raise refuse("days", f"At least {LEAST_DAYS} days.")
    row = authorities.get(unit, principal.authority_id)
    row.retention_days = days
    subject, actor = f"authority/{row.id}", principal.actor
    unit.enter(row.id, "authority.changed", subject=subject, actor=actor, fields=["retention_days"])
    return row


def letting_go(house: House) -> Job:
    """Return the job that erases what was kept long enough."""
    log = house.settings.outside_log

    def run(subject: str) -> None:
        authority_id, _, seizure_id = subject.partition("/")
        house.database.transact(lambda unit: _let_go(unit, authority_id, seizure_id, log))

    return Job("retention", lambda session: _pending(session, house), run)


def dropping_logs(house: House) -> Job:
    """Return the job that deletes files of the log that are older than 400 days, none younger."""

    def pending(_session: Session) -> list[str]:
        today = house.database.clock().date()
        return [path.name for path in _old_logs(house.settings.log_folder, today)]

    def run(subject: str) -> None:
        folder = house.settings.log_folder
        if folder is not None:
            (folder / subject).unlink(missing_ok=True)

    return Job("logs", pending, run, is_local=True)


def _old_logs(folder: Path | None, today: date) -> Iterator[Path]:
    for path in sorted(folder.glob("*")) if folder is not None and folder.is_dir() else ():
        day = log_day(path)
        if day is not None and (today - day).days > LOG_DAYS:
            yield path


def _pending(session: Session, house: House) -> list[str]:
    """Return the decided cases whose time is over, that nobody holds and that were not done yet."""
    found: list[str] = []
    kept = select(Authority.id, Authority.retention_days).where(
        Authority.retention_days.is_not(None)
    )
    for authority_id, days in session.execute(kept).all():
        before = house.database.clock() - timedelta(days=days or 0)
        seizures = session.scalars(
            select(Seizure.id)
            .where(
                Seizure.authority_id == authority_id,
                Seizure.state.in_(_DECIDED),
                _last_review() < before,
                ~_is_there(
                    select(Hold.id),
                    Hold.authority_id == Seizure.authority_id,
                    Hold.seizure_id == Seizure.id,
                    Hold.ended_at.is_(None),
                ),
                ~_is_there(
                    select(Complaint.id),
                    Complaint.authority_id == Seizure.authority_id,
                    Complaint.seizure_id == Seizure.id,
                    Complaint.outcome.is_(None),
                    Complaint.state != "withdrawn",
                ),
                ~_is_there(
                    select(CaseFile.id),
                    CaseFile.authority_id == Seizure.authority_id,
                    CaseFile.id == Seizure.id,
                    CaseFile.state == "open",
                ),
                ~_is_there(
                    select(Erasure.id),
                    Erasure.authority_id == Seizure.authority_id,
                    Erasure.record_id == Seizure.id,
                    Erasure.reason == REASON,
                ),
            )
            .order_by(Seizure.id)
            .limit(_AT_ONCE)
        )
        found += [f"{authority_id}/{one}" for one in seizures]
    return found


def _last_review() -> ScalarSelect[datetime]:
    return (
        select(func.max(Review.at))
        .where(Review.authority_id == Seizure.authority_id, Review.seizure_id == Seizure.id)
        .scalar_subquery()
    )


def _is_there(query: Select[tuple[str]], *conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    return query.where(*conditions).exists()


def _let_go(unit: Unit, authority_id: str, seizure_id: str, log: Path) -> None:
    boss = operator(authority_id)
    for kind in RECORDS:
        for record_id in _records(unit.session, authority_id, seizure_id, kind):
            erasures.erase_all(unit, boss, (kind, record_id), reason=REASON, log=log)


def _records(session: Session, authority_id: str, seizure_id: str, kind: str) -> list[str]:
    """Return the records of one kind that belong to a case."""
    if kind == "seizure":
        return [seizure_id]
    row = _OF_CASE[kind]
    query = select(row.id).where(row.authority_id == authority_id, row.seizure_id == seizure_id)
    return list(session.scalars(query.order_by(row.id)))
