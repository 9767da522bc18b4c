"""Holds reports against each other: two that may be one seizure become a pair that waits for a
reviewer, two under one reference are one too many. A flag on each; nothing is refused or merged.

Pending work, called by the jobs: each authority's feed is read from where this left it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.domain.duplicates import Grounds, grounds
from fieldapi.house import House
from fieldapi.ids import server_op_id
from fieldapi.jobs import Job
from fieldapi.models import Duplicate, Flag, Seizure
from fieldapi.models.bulk import among, insert_new
from fieldapi.services import sightings, tags
from fieldapi.services.authorise import OPERATOR_ACTOR
from fieldapi.services.feed_scans import behind, moved_reports, newest_bytes
from fieldapi.unit import Unit

DUPLICATE, REUSED = "possible_duplicate", "reference_reused"
_SCAN = "neighbours"
_NAMED = 20
# Made once: a herd is some thousand pairs.
_ENCODER = json.JSONEncoder(sort_keys=True)

Others = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Pair:
    """A report that was looked at, another, and what they share."""

    report: str
    other: str
    shared: Grounds

    def id(self, authority_id: str) -> str:
        """Return the id of the pair, whichever of the two was looked at."""
        one, two = sorted((self.report, self.other))
        return server_op_id(b"pair of reports", f"{authority_id}/{one}/{two}")

    @property
    def text(self) -> str:
        """Return the grounds as they are kept."""
        return _ENCODER.encode(vars(self.shared))


def comparing(house: House) -> Job:
    """Return the job that holds new and changed reports against the others."""
    return Job(
        "reports side by side",
        behind(_SCAN),
        lambda subject: house.database.transact(lambda unit: compare(unit, subject)),
        newest=newest_bytes,
    )


def compare(unit: Unit, authority_id: str) -> None:
    """Look at the reports that moved since the last look, some hundred at once."""
    with moved_reports(unit, authority_id, _SCAN) as moved:
        _raise(unit, authority_id, DUPLICATE, _pairs(unit, authority_id, moved))
        _raise(unit, authority_id, REUSED, _namesakes(unit.session, authority_id, moved))
        tags.look(unit, authority_id, moved)


def _pairs(unit: Unit, authority_id: str, moved: Collection[str]) -> Others:
    """Keep what the reports share with others, pair by pair; return those not told apart yet."""
    found = _found(unit.session, authority_id, moved)
    news = _keep(unit, authority_id, found)
    known = _known(unit.session, authority_id, found.keys() - news)
    for id, row in known.items():
        if row.state == "open" and row.grounds != found[id].text:
            row.grounds = found[id].text
            news.add(id)
    _enter(unit, authority_id, {id: pair for id, pair in found.items() if id in news})
    apart = {id for id, row in known.items() if row.state == "dismissed"}
    others: dict[str, list[str]] = {}
    for id, pair in found.items():
        if id not in apart:
            others.setdefault(pair.report, []).append(pair.other)
    return others


def _found(session: Session, authority_id: str, moved: Collection[str]) -> dict[str, Pair]:
    """Return the pairs that the reports make with others, by id."""
    reports = sightings.load(session, authority_id, moved)
    beside = {id: sightings.beside(session, authority_id, one) for id, one in reports.items()}
    named = {other for several in beside.values() for other in several}
    shown = reports | sightings.load(session, authority_id, named - reports.keys())
    pairs = (
        Pair(id, other, shared)
        for id, several in beside.items()
        for other in several
        if other in shown and (shared := grounds(shown[id], shown[other])) is not None
    )
    return {pair.id(authority_id): pair for pair in pairs}


def _known(session: Session, authority_id: str, ids: Collection[str]) -> dict[str, Duplicate]:
    if not ids:
        return {}
    query = select(Duplicate).where(
        Duplicate.authority_id == authority_id, among(session, Duplicate.id, ids)
    )
    return {row.id: row for row in session.scalars(query)}


def _keep(unit: Unit, authority_id: str, pairs: Mapping[str, Pair]) -> set[str]:
    """Write down the pairs that were not known; return their ids."""
    rows = [
        {
            "authority_id": authority_id,
            "id": id,
            "one_id": min(pair.report, pair.other),
            "other_id": max(pair.report, pair.other),
            "grounds": pair.text,
            "state": "open",
            "reason": "",
            "found_at": unit.now,
        }
        for id, pair in pairs.items()
    ]
    return {id for (id,) in insert_new(unit.session, Duplicate, rows, key=("id",))}


def _enter(unit: Unit, authority_id: str, pairs: Mapping[str, Pair]) -> None:
    """Enter what was found, once for each report that was looked at."""
    by_report: dict[str, dict[str, str]] = {}
    for id, pair in pairs.items():
        by_report.setdefault(pair.report, {})[id] = pair.other
    for report, others in by_report.items():
        unit.enter(
            authority_id,
            "duplicate.found",
            subject=f"duplicates/{report}",
            actor=OPERATOR_ACTOR,
            pairs=list(others),
            reports=list(others.values()),
        )


def _namesakes(session: Session, authority_id: str, moved: Collection[str]) -> Others:
    """Return by report the others that bear its reference."""
    bearing = select(Seizure.id, Seizure.reference).where(
        Seizure.authority_id == authority_id,
        among(session, Seizure.id, moved),
        Seizure.reference.is_not(None),
        Seizure.is_withdrawn.is_(False),
    )
    references = {row.id: row.reference for row in session.execute(bearing)}
    if not references:
        return {}
    query = select(Seizure.reference, Seizure.id).where(
        Seizure.authority_id == authority_id,
        among(session, Seizure.reference, {one for one in references.values() if one}),
    )
    bearers: dict[str | None, list[str]] = {}
    for reference, id in session.execute(query.order_by(Seizure.id)):
        bearers.setdefault(reference, []).append(id)
    others = {
        report: [id for id in bearers[reference] if id != report][:_NAMED]
        for report, reference in references.items()
    }
    return {report: several for report, several in others.items() if several}


def _raise(unit: Unit, authority_id: str, flag: str, others: Others) -> None:
    """Raise a flag on reports and on their others: who looks at one has to know of the other."""
    if not others:
        return
    named: dict[str, Sequence[str]] = {id: several[:_NAMED] for id, several in others.items()}
    for id, several in others.items():
        for one in several:
            named.setdefault(one, [id])
    rows = [
        {
            "authority_id": authority_id,
            "kind": Seizure.KIND,
            "record_id": record_id,
            "flag": flag,
            "detail": json.dumps({"seizures": named[record_id]}),
            "at": unit.now,
        }
        for record_id in _without(unit.session, authority_id, flag, named)
    ]
    for (record_id,) in sorted(insert_new(unit.session, Flag, rows, key=("record_id",))):
        unit.enter(
            authority_id,
            "flag.raised",
            subject=f"{Seizure.KIND}/{record_id}",
            actor=OPERATOR_ACTOR,
            moves=True,
            flags=[flag],
        )


def _without(session: Session, authority_id: str, flag: str, reports: Collection[str]) -> list[str]:
    """Return those of the reports that do not bear a flag."""
    query = select(Flag.record_id).where(
        Flag.authority_id == authority_id,
        Flag.kind == Seizure.KIND,
        Flag.flag == flag,
        among(session, Flag.record_id, reports),
    )
    return sorted({*reports} - {*session.scalars(query)})
