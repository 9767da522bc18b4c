"""How an installation fares, in numbers: what waits and since when, what failed, how much there is.

Read by `/metrics`. Each number is cheap at a million records: an index that holds only what waits,
or one row an authority.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Select, and_, func, select, text
from sqlalchemy.orm import InstrumentedAttribute, Session

from fieldapi.models import (
    Bundle,
    Device,
    DeviceUse,
    JobFailure,
    LedgerHead,
    Original,
    Photo,
    Seizure,
    Upload,
)
from fieldapi.worker_tables import SCHEMA, has_worker, is_installed

_SILENT, _GIVEN_UP = timedelta(days=7), timedelta(days=180)  # its token ends with the latter
_UNREVIEWED = ("received", "resubmitted")
_QUEUE = text(
    "SELECT status::text, count(*) AS count FROM "  # noqa: S608 - our own name
    f"{SCHEMA}.procrastinate_jobs WHERE status IN ('todo', 'doing') GROUP BY status"
)


@dataclass(frozen=True, slots=True)
class Vital:
    """One number. `label`: what of its kind it is about, empty if there is but one."""

    name: str
    about: str
    value: float
    label: str = ""


def vitals(session: Session, now: datetime) -> Iterator[Vital]:
    """Yield all numbers that the database knows."""
    for what, query in _WAITING.items():
        count, oldest = session.execute(query).one()
        yield Vital("pending", "Subjects that wait, by what they wait for.", count, what)
        age = 0.0 if oldest is None else max((now - oldest).total_seconds(), 0.0)
        yield Vital("pending_oldest_seconds", "Age of the oldest subject that waits.", age, what)
    for job, count in session.execute(_FAILING):
        yield Vital("job_failing", "Subjects that failed and are tried again, by job.", count, job)
    entries, authorities = session.execute(_LEDGERS).one()
    yield Vital("ledger_entries", "Entries of all ledgers.", entries or 0)
    yield Vital("authorities", "Authorities.", authorities)
    yield Vital(
        "photos_damaged", "Photos the store lost or changed.", session.scalar(_DAMAGED) or 0
    )
    yield from _of_phones(session, now)
    yield from _of_postgresql(session)


def _of_phones(session: Session, now: datetime) -> Iterator[Vital]:
    """Yield what can be known of reports that are still on phones: none is older than its phone
    has been silent. A use is noted once a day.
    """
    heard = func.coalesce(DeviceUse.used_at, Device.enrolled_at)
    used = (Device.standing == "confirmed", heard > now - _GIVEN_UP)
    phones: Select[int, datetime | None] = select(func.count(), func.min(heard)).outerjoin_from(
        Device, DeviceUse, _SAME_DEVICE
    )
    count, oldest = session.execute(phones.where(*used)).one()
    silent, _ = session.execute(phones.where(*used, heard < now - _SILENT)).one()
    age = 0.0 if oldest is None else max((now - oldest).total_seconds(), 0.0)
    yield Vital("phones", "Confirmed phones that were used within half a year.", count)
    yield Vital("phones_silent", "Those of them that were not heard for a week.", silent)
    yield Vital("phone_silent_seconds", "Longest silence: no unsent report is older.", age)


def _of_postgresql(session: Session) -> Iterator[Vital]:
    if not is_installed(session):
        return
    queued = {str(status): float(count) for status, count in session.execute(_QUEUE)}
    for status in ("todo", "doing"):
        yield Vital("queue_jobs", "Jobs in the workers' queue.", queued.get(status, 0), status)
    yield Vital("worker_up", "Whether a worker lives.", float(has_worker(session)))
    size = session.scalar(text("SELECT pg_database_size(current_database())"))
    yield Vital("database_bytes", "Size of the database.", float(size or 0))


def _since(
    column: InstrumentedAttribute[datetime], *where: ColumnElement[bool]
) -> Select[int, datetime | None]:
    return select(func.count(column), func.min(column)).where(*where)


_SAME_BYTES = and_(Original.authority_id == Photo.authority_id, Original.sha256 == Photo.sha256)
_SAME_DEVICE = and_(DeviceUse.authority_id == Device.authority_id, DeviceUse.device_id == Device.id)
_WAITING = {
    # Photos are checked once their bytes are here, so the index of unchecked ones has them all.
    "photo bytes": _since(
        Photo.received_at,
        Photo.checked_at.is_(None),
        Photo.sha256.is_not(None),
        ~select(Original.sha256).where(_SAME_BYTES).exists(),
    ),
    "photo analysis": _since(Original.stored_at, Original.analysed_at.is_(None)),
    "upload": _since(Upload.created_at, Upload.finished_at.is_(None)),
    "review": _since(Seizure.received_at, Seizure.state.in_(_UNREVIEWED)),
    "bundle": _since(Bundle.asked_at, Bundle.state == "building"),
}
_FAILING = select(JobFailure.job, func.count()).group_by(JobFailure.job)
_LEDGERS = select(func.sum(LedgerHead.size), func.count(LedgerHead.authority_id))
_DAMAGED = select(func.count()).select_from(Original).where(Original.damaged_at.is_not(None))
