"""Marks what hangs on a withdrawn report: lots, photos and intakes stay as they were reported, and
say that their report was taken back.

Pending work, called by the jobs.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from fieldapi.house import House
from fieldapi.jobs import Job
from fieldapi.models import Animal, Flag, Intake, Photo, Seizure
from fieldapi.models.bulk import among, insert_new
from fieldapi.services.authorise import OPERATOR_ACTOR
from fieldapi.services.feed_scans import behind, moved_reports, newest_bytes
from fieldapi.unit import Unit

PARENT_WITHDRAWN = "parent_withdrawn"
_SCAN = "withdrawals"
_CHILDREN: tuple[type[Animal | Photo | Intake], ...] = (Animal, Photo, Intake)


def following(house: House) -> Job:
    """Return the job that follows reports which were withdrawn, or came back."""
    return Job(
        "withdrawn reports",
        behind(_SCAN),
        lambda subject: house.database.transact(lambda unit: follow(unit, subject)),
        newest=newest_bytes,
    )


def follow(unit: Unit, authority_id: str) -> None:
    """Bring the flags of what hangs on the moved reports up to what the reports say now."""
    with moved_reports(unit, authority_id, _SCAN) as moved:
        withdrawn = _withdrawn(unit.session, authority_id, moved)
        for model in _CHILDREN:
            _raise(unit, authority_id, model, withdrawn)
            _lower(unit, authority_id, model, moved - withdrawn)


def _withdrawn(session: Session, authority_id: str, ids: Iterable[str]) -> set[str]:
    query = select(Seizure.id).where(
        Seizure.authority_id == authority_id,
        among(session, Seizure.id, {*ids}),
        Seizure.is_withdrawn.is_(True),
    )
    return set(session.scalars(query))


def _raise(
    unit: Unit, authority_id: str, model: type[Animal | Photo | Intake], reports: set[str]
) -> None:
    if not reports:
        return
    query = select(model.id).where(
        model.authority_id == authority_id,
        among(unit.session, model.seizure_id, reports),
        model.heads != "",
    )
    rows = [
        {
            "authority_id": authority_id,
            "kind": model.KIND,
            "record_id": one,
            "flag": PARENT_WITHDRAWN,
            "detail": "{}",
            "at": unit.now,
        }
        for one in unit.session.scalars(query)
    ]
    for (record_id,) in sorted(insert_new(unit.session, Flag, rows, key=("record_id",))):
        _enter(unit, authority_id, "flag.raised", f"{model.KIND}/{record_id}")


def _lower(
    unit: Unit, authority_id: str, model: type[Animal | Photo | Intake], reports: set[str]
) -> None:
    """Take the flag off what hangs on reports that stand."""
    flagged = (
        Flag.authority_id == authority_id,
        Flag.kind == model.KIND,
        Flag.flag == PARENT_WITHDRAWN,
    )
    query = (
        select(Flag.record_id)
        .join(model, (model.authority_id == Flag.authority_id) & (model.id == Flag.record_id))
        .where(*flagged, among(unit.session, model.seizure_id, reports))
    )
    stale = sorted(unit.session.scalars(query)) if reports else []
    if not stale:
        return
    unit.session.execute(
        delete(Flag)
        .where(*flagged, Flag.record_id.in_(stale))
        .execution_options(synchronize_session=False)
    )
    for record_id in stale:
        _enter(unit, authority_id, "flag.dropped", f"{model.KIND}/{record_id}")


def _enter(unit: Unit, authority_id: str, kind: str, subject: str) -> None:
    unit.enter(
        authority_id,
        kind,
        subject=subject,
        actor=OPERATOR_ACTOR,
        moves=True,
        flags=[PARENT_WITHDRAWN],
    )
