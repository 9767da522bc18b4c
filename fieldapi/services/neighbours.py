"""Holds reports against each other: two close in place and time by two people may be one seizure,
two under one reference are one too many. A flag on each; nothing is refused or merged.

Pending work, called by the jobs: each authority's feed is read from where this left it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import timedelta

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.domain.geo import Box, Point, distance_m
from fieldapi.house import House
from fieldapi.jobs import Job
from fieldapi.models import Flag, LedgerHead, Scan, Seizure
from fieldapi.models.bulk import insert_new
from fieldapi.services.authorise import OPERATOR_ACTOR
from fieldapi.unit import Unit

DUPLICATE, REUSED = "possible_duplicate", "reference_reused"
NEAR_M = 300.0
NEAR = timedelta(hours=3)
_SCAN = "neighbours"
_AT_ONCE = 200
_NAMED = 20
_DEGREE_M = 111_000.0
# Of longitude, at the latitudes of India: wide enough; the distance is measured after.
_DEGREE_LON_M = 85_000.0


def comparing(house: House) -> Job:
    """Return the job that holds new and changed reports against the others."""
    return Job(
        "reports side by side",
        _pending,
        lambda subject: house.database.transact(lambda unit: compare(unit, subject)),
    )


def _pending(session: Session) -> list[str]:
    """Return the authorities whose ledger went on since the last look."""
    query = (
        select(LedgerHead.authority_id)
        .outerjoin(Scan, (Scan.authority_id == LedgerHead.authority_id) & (Scan.name == _SCAN))
        .where(or_(Scan.seq.is_(None), Scan.seq < LedgerHead.size))
    )
    return list(session.scalars(query))


def compare(unit: Unit, authority_id: str) -> None:
    """Look at the reports that moved since the last look, some hundred at once."""
    head = ledger.head(unit.session, authority_id)
    scan = _scan(unit.session, authority_id)
    moves = ledger.moves_after(
        unit.session, authority_id, scan.seq, limit=_AT_ONCE, until=head.size, kind=Seizure.KIND
    )
    about = {one.subject.partition("/")[2] for one in moves if one.subject.startswith("seizure/")}
    for report in _reports(unit.session, authority_id, about):
        for flag, others in ((DUPLICATE, _near(unit, report)), (REUSED, _namesakes(unit, report))):
            _raise(unit, flag, report, others)
    scan.seq = head.size if len(moves) < _AT_ONCE else moves[-1].seq


def _scan(session: Session, authority_id: str) -> Scan:
    """Return how far the feed was read, its row locked."""
    found = session.get(Scan, (authority_id, _SCAN), with_for_update=True)
    if found is None:
        found = Scan(authority_id=authority_id, name=_SCAN, seq=0)
        session.add(found)
    return found


def _reports(session: Session, authority_id: str, ids: Iterable[str]) -> list[Seizure]:
    query = select(Seizure).where(Seizure.authority_id == authority_id, Seizure.id.in_(sorted(ids)))
    return [one for one in session.scalars(query.order_by(Seizure.id)) if not one.is_withdrawn]


def _near(unit: Unit, report: Seizure) -> list[Seizure]:
    """Return what others reported from there and then. Who seizes twice knows that it is two."""
    at, lat, lon = report.seized_at, report.lat, report.lon
    if at is None or lat is None or lon is None or report.author_id is None:
        return []
    here = Point(lat, lon)
    box = _around(here)
    query = select(Seizure).where(
        Seizure.authority_id == report.authority_id,
        Seizure.seized_at.between(at - NEAR, at + NEAR),
        Seizure.lat.between(box.south, box.north),
        Seizure.lon.between(box.west, box.east),
        Seizure.id != report.id,
        Seizure.author_id != report.author_id,
        Seizure.is_withdrawn.is_(False),
    )
    return [one for one in unit.session.scalars(query.limit(_NAMED)) if _is_at(one, here)]


def _around(here: Point) -> Box:
    north, east = NEAR_M / _DEGREE_M, NEAR_M / _DEGREE_LON_M
    return Box(here.lat - north, here.lon - east, here.lat + north, here.lon + east)


def _is_at(report: Seizure, here: Point) -> bool:
    return distance_m(here, Point(report.lat or 0.0, report.lon or 0.0)) <= NEAR_M


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


def _raise(unit: Unit, flag: str, report: Seizure, others: list[Seizure]) -> None:
    """Raise a flag on a report and on its others: who looks at one has to know of the other."""
    named = {report.id: [one.id for one in others]} if others else {}
    rows = [
        {
            "authority_id": report.authority_id,
            "kind": Seizure.KIND,
            "record_id": record_id,
            "flag": flag,
            "detail": json.dumps({"seizures": beside}),
            "at": unit.now,
        }
        for record_id, beside in (named | {one.id: [report.id] for one in others}).items()
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
