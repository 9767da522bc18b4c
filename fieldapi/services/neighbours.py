"""Holds reports against each other: two that may be one seizure become a pair that waits for a
reviewer, two under one reference are one too many. A flag on each; nothing is refused or merged.

Pending work, called by the jobs: each authority's feed is read from where this left it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import islice

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.domain.duplicates import NEAR, Grounds, Sighting, grounds
from fieldapi.domain.geo import Point
from fieldapi.house import House
from fieldapi.ids import server_op_id
from fieldapi.jobs import Job
from fieldapi.models import Animal, Duplicate, Flag, Photo, Seizure
from fieldapi.models.bulk import among, insert_new
from fieldapi.services.authorise import OPERATOR_ACTOR
from fieldapi.services.feed_scans import behind, moved_reports
from fieldapi.unit import Unit

DUPLICATE, REUSED = "possible_duplicate", "reference_reused"
_ALIKE = ("photo_reused", "photo_similar")
_SCAN = "neighbours"
# So many reports in four hours of one authority are compared with one; the rest wait for nothing.
_BESIDE = 500
_NAMED = 20


def comparing(house: House) -> Job:
    """Return the job that holds new and changed reports against the others."""
    return Job(
        "reports side by side",
        behind(_SCAN),
        lambda subject: house.database.transact(lambda unit: compare(unit, subject)),
    )


def compare(unit: Unit, authority_id: str) -> None:
    """Look at the reports that moved since the last look, some hundred at once."""
    with moved_reports(unit, authority_id, _SCAN) as moved:
        for report in _reports(unit.session, authority_id, moved):
            _raise(unit, DUPLICATE, report, _pairs(unit, report))
            _raise(unit, REUSED, report, [one.id for one in _namesakes(unit, report)])


def _reports(session: Session, authority_id: str, ids: Iterable[str]) -> list[Seizure]:
    query = select(Seizure).where(Seizure.authority_id == authority_id, Seizure.id.in_(sorted(ids)))
    return [one for one in session.scalars(query.order_by(Seizure.id)) if not one.is_withdrawn]


def _pairs(unit: Unit, report: Seizure) -> list[str]:
    """Keep what this report and others share, pair by pair; return those not told apart yet."""
    near = _beside(unit, report)
    seen = _sightings(unit.session, report.authority_id, [report, *near]) if near else {}
    found = (
        (other.id, shared)
        for other in near
        if (shared := grounds(seen[report.id], seen[other.id])) is not None
    )
    # A herd that a whole village reports is not every report with every other one.
    few = islice(found, _NAMED)
    return [other for other, shared in few if _keep(unit, report, other, shared)]


def _beside(unit: Unit, report: Seizure) -> list[Seizure]:
    """Return the other reports of about the same time."""
    at = report.seized_at
    if at is None:
        return []
    query = select(Seizure).where(
        Seizure.authority_id == report.authority_id,
        Seizure.seized_at.between(at - NEAR, at + NEAR),
        Seizure.id != report.id,
        Seizure.heads != "",
        Seizure.is_withdrawn.is_(False),
    )
    return list(unit.session.scalars(query.order_by(Seizure.id).limit(_BESIDE)))


def _sightings(
    session: Session, authority_id: str, reports: Sequence[Seizure]
) -> dict[str, Sighting]:
    ids = {one.id for one in reports}
    lots = session.scalars(
        select(Animal).where(
            Animal.authority_id == authority_id,
            among(session, Animal.seizure_id, ids),
            Animal.heads != "",
            Animal.is_withdrawn.is_(False),
        )
    )
    kinds: dict[str | None, set[str]] = {}
    tags: dict[str | None, set[str]] = {}
    for lot in lots:
        kinds.setdefault(lot.seizure_id, set()).add(lot.kind or "")
        tags.setdefault(lot.seizure_id, set()).update(lot.fields.get("ear_tags") or ())
    photos = _photos(session, authority_id, ids)
    alike = _alike(session, authority_id, photos)
    return {
        one.id: Sighting(
            one.id,
            one.author_id,
            one.seized_at or one.received_at,
            None if one.lat is None or one.lon is None else Point(one.lat, one.lon),
            frozenset(kinds.get(one.id, ())) - {""},
            frozenset(tags.get(one.id, ())),
            frozenset(photos.get(one.id, ())),
            frozenset(other for id in photos.get(one.id, ()) for other in alike.get(id, ())),
        )
        for one in reports
    }


def _photos(session: Session, authority_id: str, ids: set[str]) -> dict[str, set[str]]:
    query = select(Photo.seizure_id, Photo.id).where(
        Photo.authority_id == authority_id, among(session, Photo.seizure_id, ids)
    )
    found: dict[str, set[str]] = {}
    for seizure_id, photo_id in session.execute(query):
        found.setdefault(str(seizure_id), set()).add(photo_id)
    return found


def _alike(
    session: Session, authority_id: str, photos: Mapping[str, set[str]]
) -> dict[str, list[str]]:
    """Return by photo the photos that repeat it, as its doubts say."""
    query = select(Flag.record_id, Flag.detail).where(
        Flag.authority_id == authority_id,
        Flag.kind == Photo.KIND,
        Flag.flag.in_(_ALIKE),
        among(session, Flag.record_id, {id for several in photos.values() for id in several}),
    )
    found: dict[str, list[str]] = {}
    for record_id, detail in session.execute(query):
        found.setdefault(record_id, []).extend(json.loads(detail).get("photos", ()))
    return found


def _keep(unit: Unit, report: Seizure, other: str, shared: Grounds) -> bool:
    """Write down a pair, or what more it shares now; return False if it was told apart before."""
    one, two = sorted((report.id, other))
    authority_id, text = report.authority_id, json.dumps(asdict(shared), sort_keys=True)
    pair_id = server_op_id(b"pair of reports", f"{authority_id}/{one}/{two}")
    row = unit.session.get(Duplicate, (authority_id, pair_id))
    if row is None:
        row = Duplicate(authority_id=authority_id, id=pair_id, one_id=one, other_id=two)
        row.state, row.found_at, row.reason, row.grounds = "open", unit.now, "", ""
        unit.session.add(row)
    if row.state == "open" and row.grounds != text:
        row.grounds = text
        unit.session.flush()
        subject = f"duplicate/{pair_id}"
        reports = [one, two]
        unit.enter(
            authority_id, "duplicate.found", subject=subject, actor=OPERATOR_ACTOR, reports=reports
        )
    return row.state != "dismissed"


def _namesakes(unit: Unit, report: Seizure) -> list[Seizure]:
    """Return the other reports that bear its reference."""
    if report.reference is None:
        return []
    query = select(Seizure).where(
        Seizure.authority_id == report.authority_id,
        Seizure.reference == report.reference,
        Seizure.id != report.id,
    )
    return list(unit.session.scalars(query.limit(_NAMED)))


def _raise(unit: Unit, flag: str, report: Seizure, others: Sequence[str]) -> None:
    """Raise a flag on a report and on its others: who looks at one has to know of the other."""
    named = {report.id: list(others[:_NAMED])} if others else {}
    rows = [
        {
            "authority_id": report.authority_id,
            "kind": Seizure.KIND,
            "record_id": record_id,
            "flag": flag,
            "detail": json.dumps({"seizures": beside}),
            "at": unit.now,
        }
        for record_id, beside in (named | {one: [report.id] for one in others}).items()
    ]
    new = insert_new(unit.session, Flag, rows, key=("record_id", "flag"))
    for record_id, _ in sorted(new):
        unit.enter(
            report.authority_id,
            "flag.raised",
            subject=f"{Seizure.KIND}/{record_id}",
            actor=OPERATOR_ACTOR,
            moves=True,
            flags=[flag],
        )
