"""Which records a principal sees, whole or in short, and what a record says to them.

Shared by the pull, the lists and the single records of the API, so that no door shows more than
another. Reads rows it is given; `changes` and `seizures` load them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from sqlalchemy import CompoundSelect, Select, bindparam, literal, select, union_all
from sqlalchemy.orm import Session

from fieldapi.clock import format_instant
from fieldapi.domain.access import (
    Principal,
    keeps,
    may_see_aid,
    may_see_in_short,
    may_see_seizure,
    sees_all,
)
from fieldapi.models import RECORDS, CaseFile, Flag, Original, Photo, RecordRow, Review, Seizure
from fieldapi.models.bulk import among
from fieldapi.models.once import among_named, made_once
from fieldapi.queries import plain
from fieldapi.queries.plain import Plain
from sync.wire import JSON

WHOLE, SHORT, HIDDEN = "whole", "short", "hidden"
SEIZURE = "seizure"
CASE = ("animal", "photo", "intake")
_SHORT_FIELDS: Mapping[str, frozenset[str]] = {
    "seizure": frozenset({"reference", "seized_at", "location", "ground", "place_kind"}),
    "animal": frozenset({"seizure_id", "kind", "count"}),
}

# Every name under which the server adds something to what a record shows.
ADDED = frozenset(
    {
        "analysed_at",
        "exif",
        "flags",
        "format",
        "found",
        "height",
        "reason",
        "received_at",
        "reference",
        "review",
        "state",
        "struck",
        "trust",
        "verdict",
        "width",
        "withdrawn",
    }
)

Record = dict[str, JSON]
Key = tuple[str, str]
Row = RecordRow | Plain


@dataclass(slots=True)
class Loaded:
    """Rows of one authority by kind and id, with what hangs on them."""

    rows: dict[Key, Row] = field(default_factory=dict)
    seizures: dict[str, Seizure | Plain] = field(default_factory=dict)
    flags: dict[Key, list[str]] = field(default_factory=dict)
    reviews: dict[str, Review] = field(default_factory=dict)
    originals: dict[str, Original] = field(default_factory=dict)


def load(session: Session, authority_id: str, keys: Iterable[Key]) -> Loaded:
    """Load the records under `keys`, the seizures they hang on, and what the server says of them.

    A fixed number of statements, however many keys.
    """
    rows: list[RecordRow] = []
    for kind, ids in _by_kind(keys).items():
        model = RECORDS[kind]
        query = select(model).where(
            model.authority_id == authority_id, among(session, model.id, ids), model.heads != ""
        )
        rows += session.scalars(query)
    return around(session, authority_id, rows)


def load_plain(session: Session, authority_id: str, keys: Iterable[Key]) -> Loaded:
    """Load as `load` does, to be shown and not changed: for pages of hundreds."""
    by_kind = _by_kind(keys)
    rows = [
        row for kind in by_kind for row in plain.load(session, authority_id, kind, by_kind[kind])
    ]
    return around(session, authority_id, rows)


def _by_kind(keys: Iterable[Key]) -> dict[str, list[str]]:
    by_kind: dict[str, list[str]] = {}
    for kind, record_id in keys:
        by_kind.setdefault(kind, []).append(record_id)
    return by_kind


def around(session: Session, authority_id: str, rows: Iterable[Row]) -> Loaded:
    """Return rows with the seizures they hang on and what the server says of them."""
    loaded = Loaded({(row.KIND, row.id): row for row in rows})
    loaded.seizures = {row.id: row for row in loaded.rows.values() if is_seizure(row)}
    _load_around(session, authority_id, loaded)
    return loaded


def _load_around(session: Session, authority_id: str, loaded: Loaded) -> None:
    parents = {one for row in loaded.rows.values() if (one := seizure_of(row)) is not None}
    parents -= loaded.seizures.keys()
    if parents:
        seizures = plain.load(session, authority_id, SEIZURE, parents)
        loaded.seizures |= {row.id: row for row in seizures}
    if not loaded.rows:
        return
    ids = sorted({record_id for _, record_id in loaded.rows})
    asked = {"authority": authority_id, "ids": ids}
    for kind, record_id, flag in session.execute(_flags(session), asked):
        loaded.flags.setdefault((kind, record_id), []).append(flag)
    if loaded.seizures:
        for review in session.scalars(_reviews(session), asked):
            loaded.reviews[review.seizure_id] = review
    loaded.originals = originals_of(session, authority_id, loaded.rows.values())


@made_once
def _flags(session: Session) -> Select[str, str, str]:
    return (
        select(Flag.kind, Flag.record_id, Flag.flag)
        .where(
            Flag.authority_id == bindparam("authority"),
            among_named(session, Flag.record_id, "ids"),
        )
        .order_by(Flag.flag)
    )


@made_once
def _reviews(session: Session) -> Select[Review]:
    return (
        select(Review)
        .where(
            Review.authority_id == bindparam("authority"),
            among_named(session, Review.seizure_id, "ids"),
        )
        .order_by(Review.at, Review.id)
    )


def originals_of(session: Session, authority_id: str, rows: Iterable[Row]) -> dict[str, Original]:
    """Return the stored bytes that the photos among `rows` announce, by their hash."""
    photos = [row for row in rows if is_photo(row)]
    hashes = {row.sha256 for row in photos if row.sha256 is not None}
    if not hashes:
        return {}
    query = select(Original).where(
        Original.authority_id == authority_id, among(session, Original.sha256, hashes)
    )
    return {row.sha256: row for row in session.scalars(query)}


def members(
    session: Session, authority_id: str, seizure_ids: Collection[str]
) -> dict[str, list[Key]]:
    """Return the records of cases, the seizure first, by the id of the seizure."""
    found: dict[str, list[Key]] = {one: [("seizure", one)] for one in seizure_ids}
    if not found:
        return found
    asked = {"authority": authority_id, "seizures": sorted(found)}
    rows = session.execute(_members(session), asked)
    for place, _, record_id, seizure_id in sorted(rows):
        found[seizure_id].append((CASE[place], record_id))
    return found


@made_once
def _members(session: Session) -> CompoundSelect[int, Any, str, str]:
    models: list[tuple[int, Any]] = [(place, RECORDS[kind]) for place, kind in enumerate(CASE)]
    return union_all(
        *(
            select(literal(place), model.received_at, model.id, model.seizure_id).where(
                model.authority_id == bindparam("authority"),
                among_named(session, model.seizure_id, "seizures"),
                model.heads != "",
            )
            for place, model in models
        )
    )


def closed_among(
    session: Session, authority_id: str, seizure_ids: Collection[str]
) -> frozenset[str]:
    """Return the seizures whose case is closed: phones of others hold nothing of it, whatever
    becomes of it.
    """
    if not seizure_ids:
        return frozenset()
    asked = {"authority": authority_id, "seizures": sorted(seizure_ids)}
    return frozenset(session.scalars(_closed(session), asked))


@made_once
def _closed(session: Session) -> Select[str]:
    return select(CaseFile.id).where(
        CaseFile.authority_id == bindparam("authority"),
        among_named(session, CaseFile.id, "seizures"),
        CaseFile.state == "closed",
    )


def is_short_kind(kind: str) -> bool:
    """Say whether records of a kind are seen in short at all."""
    return kind in _SHORT_FIELDS


def is_seizure(row: Row) -> TypeGuard[Seizure | Plain]:
    """Say whether a record is a seizure."""
    return row.KIND == SEIZURE


def is_photo(row: Row) -> TypeGuard[Photo | Plain]:
    """Say whether a record is a photo."""
    return row.KIND == "photo"


def seizure_of(row: Row) -> str | None:
    """Return the id of the seizure that a record is, or hangs on."""
    if row.KIND == SEIZURE:
        return row.id
    found: str | None = getattr(row, "seizure_id", None)
    return found


def visibility(principal: Principal, row: Row, seizure: Seizure | Plain | None) -> str:
    """Return how much of a record a principal sees: `whole`, `short` or `hidden`."""
    if not principal.is_confirmed or not principal.roles:
        return HIDDEN
    if sees_all(principal) or row.author_id == principal.person_id:
        return WHOLE
    if row.KIND == "aid":
        return WHOLE if may_see_aid(principal, author_id=row.author_id) else HIDDEN
    if row.KIND == "intake" and keeps(principal, getattr(row, "pound_id", None)):
        return WHOLE
    if seizure is not None and may_see_seizure(
        principal, author_id=seizure.author_id, pound_id=seizure.pound_id
    ):
        return WHOLE
    is_listed = row.KIND in _SHORT_FIELDS and all(map(_is_listed, (row, seizure)))
    return SHORT if is_listed and may_see_in_short(principal) else HIDDEN


def _is_listed(row: Row | None) -> bool:
    return row is not None and not row.is_withdrawn and row.author_id is not None


def was_listed(principal: Principal, row: Row) -> bool:
    """Say whether a withdrawn record is one that the principal saw in short until then."""
    is_listed = row.KIND in _SHORT_FIELDS and row.is_withdrawn and row.author_id is not None
    return is_listed and may_see_in_short(principal)


def record_of(row: Row, loaded: Loaded, how: str) -> Record:
    """Return the shown fields of a record with what the server adds, as far as `how` lets see."""
    shown: Record = row.fields
    if how == SHORT:
        shown = {name: shown[name] for name in shown if name in _SHORT_FIELDS[row.KIND]}
    record: Record = {**shown, **added(row, loaded, how)}
    record["received_at"] = shown.get("received_at") or record["received_at"]
    return record


def added(row: Row, loaded: Loaded, how: str) -> Record:
    """Return what the server adds to the shown fields of a record."""
    record: Record = {
        "withdrawn": row.is_withdrawn,
        "received_at": format_instant(row.received_at),
    }
    if is_seizure(row):
        record["state"] = row.state
        if not row.reference:
            record["reference"] = row.minted_reference
    if how == SHORT:
        return record
    flags: list[JSON] = [*loaded.flags.get((row.KIND, row.id), [])]
    is_signed = row.is_signed and row.author_id is not None
    record |= {"flags": flags, "trust": "signed" if is_signed else "unsigned"}
    if is_seizure(row):
        record["review"] = _review_of(loaded.reviews.get(row.id))
    if is_photo(row):
        record |= photo_state(loaded.originals.get(row.sha256 or ""))
    return record


def _review_of(review: Review | None) -> JSON:
    if review is None:
        return None
    return {
        "id": review.id,
        "outcome": review.outcome,
        "reason": review.reason,
        "at": format_instant(review.at),
    }


def has_bytes(row: Row, loaded: Loaded) -> bool:
    """Say whether the bytes of a photo are stored, and whole as far as is known."""
    original = loaded.originals.get(row.sha256 or "") if is_photo(row) else None
    return original is not None and original.damaged_at is None


def photo_state(original: Original | None) -> Record:
    """Return what became of the bytes that a photo announced."""
    if original is None:
        return {"state": "announced", "verdict": None, "reason": None}
    is_refused = original.verdict == "reject"
    is_there = original.damaged_at is None
    return {
        "state": ("quarantined" if is_refused else "stored") if is_there else "announced",
        "verdict": original.verdict,
        "reason": original.reason,
        "format": original.format,
        "width": original.width,
        "height": original.height,
        "exif": json.loads(original.exif) if original.exif else None,
        "analysed_at": format_instant(original.analysed_at) if original.analysed_at else None,
        "found": json.loads(original.flags),
    }


def nest(fields: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return dotted fields as the nested members that REST bodies have.

    >>> nest({"owner.name": "Kanta", "ground": "straying"})
    {'owner': {'name': 'Kanta'}, 'ground': 'straying'}
    """
    nested: dict[str, JSON] = {}
    for name, value in fields.items():
        group, _, member = name.partition(".")
        if not member:
            nested[name] = value
            continue
        inner = nested.setdefault(group, {})
        if isinstance(inner, dict):
            inner[member] = value
    return nested
