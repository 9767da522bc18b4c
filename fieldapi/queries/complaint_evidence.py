"""What of a case can be held beside an allegation: its photos, fixes, arrivals, acts and timeline.

Called by the service, which takes only what is there, and by the pick-list of the pages. Each piece
has a `ref` such as `photo/<id>`, `fix/<instant>`, `intake/<id>`, `act/<id>` or `entry/<seq>`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.clock import format_instant
from fieldapi.models import Animal, Flag, Intake, Original, Photo, RecordRow, Seizure
from fieldapi.models.bulk import among
from fieldapi.queries import cases
from fieldapi.queries.case_facts import Facts

View = dict[str, Any]
LOCATION = "fix/location"
_PICKED = ("photo", "intake")


@dataclass(frozen=True, slots=True)
class Records:
    """What phones wrote of a case. `exif`: the facts of each photo's bytes by photo id."""

    seizure: Seizure
    animals: tuple[Animal, ...]
    photos: tuple[Photo, ...]
    intakes: tuple[Intake, ...]
    exif: Mapping[str, Mapping[str, Any]]
    stored: frozenset[str]
    flags: Mapping[str, tuple[str, ...]]


def records_of(session: Session, facts: Facts) -> Records:
    """Return the records of a case, with the doubts about them: the refs they are on, by flag."""
    authority_id = facts.seizure.authority_id
    rows = cases.records(session, authority_id, facts.seizure.id)
    photos = [row for row in rows if isinstance(row, Photo)]
    originals = _originals(session, authority_id, photos)
    by_photo = {row.id: originals[row.sha256 or ""] for row in photos if row.sha256 in originals}
    return Records(
        seizure=facts.seizure,
        animals=tuple(row for row in rows if isinstance(row, Animal) and not row.is_withdrawn),
        photos=tuple(photos),
        intakes=tuple(row for row in rows if isinstance(row, Intake)),
        exif={id: json.loads(row.exif) for id, row in by_photo.items() if row.exif},
        stored=frozenset(by_photo),
        flags=_flags(session, facts, rows),
    )


def _originals(session: Session, authority_id: str, photos: Iterable[Photo]) -> dict[str, Original]:
    hashes = sorted({row.sha256 for row in photos if row.sha256})
    query = select(Original).where(
        Original.authority_id == authority_id, among(session, Original.sha256, hashes)
    )
    return {row.sha256: row for row in session.scalars(query)} if hashes else {}


def _flags(session: Session, facts: Facts, rows: Iterable[RecordRow]) -> dict[str, tuple[str, ...]]:
    kinds = {row.id: row.KIND for row in rows}
    query = select(Flag.flag, Flag.record_id).where(
        Flag.authority_id == facts.seizure.authority_id,
        among(session, Flag.record_id, sorted(kinds)),
    )
    found: dict[str, list[str]] = {}
    for flag, record_id in session.execute(query.order_by(Flag.flag, Flag.record_id)):
        refs = found.setdefault(flag, [])
        refs += [f"{kinds[record_id]}/{record_id}"] if kinds[record_id] in _PICKED else []
    for act in facts.acts:
        for flag in json.loads(act.flags):
            found.setdefault(flag, []).append(f"act/{act.id}")
    return {flag: tuple(refs) for flag, refs in found.items()}


def evidence(session: Session, facts: Facts) -> list[View]:
    """Return every piece that can be picked, photos first, the timeline last."""
    records = records_of(session, facts)
    return [
        *_photos(records),
        *_fixes(records),
        *_intakes(records),
        *_acts(facts),
        *_entries(session, facts, records),
    ]


def known_refs(session: Session, facts: Facts) -> set[str]:
    """Return the refs of a case."""
    return {str(one["ref"]) for one in evidence(session, facts)}


def _photos(records: Records) -> Iterator[View]:
    for row in records.photos:
        fields = row.fields
        yield {
            "ref": f"photo/{row.id}",
            "kind": "photo",
            "at": _text(row.taken_at),
            "what": fields.get("subject") or "photo",
            "text": fields.get("caption"),
            "is_stored": row.id in records.stored,
            "sha256": row.sha256,
        }


def _fixes(records: Records) -> Iterator[View]:
    fields = records.seizure.fields
    location = fields.get("location")
    if isinstance(location, dict):
        yield _fix(LOCATION, "place of the report", location)
    for fix in fields.get("fixes") or []:
        if isinstance(fix, dict):
            yield _fix(f"fix/{fix.get('fixed_at')}", "later fix", fix)


def _fix(ref: str, what: str, fix: Mapping[str, Any]) -> View:
    shown = {name: fix.get(name) for name in ("lat", "lon", "accuracy_m", "source", "mocked")}
    return {"ref": ref, "kind": "fix", "at": fix.get("fixed_at"), "what": what, **shown}


def _intakes(records: Records) -> Iterator[View]:
    for row in records.intakes:
        counts = row.fields.get("counts")
        yield {
            "ref": f"intake/{row.id}",
            "kind": "intake",
            "at": _text(row.intake_at),
            "what": "counted in at the pound",
            "counts": counts if isinstance(counts, list) else [],
        }


def _acts(facts: Facts) -> Iterator[View]:
    for act in facts.acts:
        yield {
            "ref": f"act/{act.id}",
            "kind": "act",
            "at": _text(act.happened_at),
            "what": act.act,
            "section": json.loads(act.answer).get("section"),
        }


def _entries(session: Session, facts: Facts, records: Records) -> Iterator[View]:
    rows: list[RecordRow] = [records.seizure, *records.animals, *records.photos, *records.intakes]
    subjects = [f"{row.KIND}/{row.id}" for row in rows]
    for entry in ledger.entries_about(session, facts.seizure.authority_id, subjects):
        yield {
            "ref": f"entry/{entry['seq']}",
            "kind": "entry",
            "at": entry["at"],
            "what": entry["kind"],
            "subject": entry["subject"],
        }


def _text(at: datetime | None) -> str | None:
    return format_instant(at) if at is not None else None
