"""Finds the reports that one may be held against, and what each of them shows.

What may make a pair is narrowed down in the database: the time and the place first, then a picture,
an ear tag or a kind of cattle in common. `domain.duplicates` judges what is left. Called by
`neighbours`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from sqlalchemy import ColumnElement, Select, or_, select, true
from sqlalchemy.orm import InstrumentedAttribute, Session

from fieldapi.domain.duplicates import NEAR, NEAR_M, Sighting
from fieldapi.domain.geo import EARTH_RADIUS_M, Point
from fieldapi.models import Animal, Flag, Photo, Seizure
from fieldapi.models.bulk import among

# A herd that a whole village reports is not every report with every other one.
MOST = 20
_ALIKE = ("photo_reused", "photo_similar")
_TAGS = "ear_tags"
_M_PER_DEGREE = math.radians(1) * EARTH_RADIUS_M
# What is looked for in the database may be a little further than what counts in the end.
_REACH_M = NEAR_M * 1.01
_POLE = 0.01
# Patterns in one statement: SQLite takes a depth of 1000.
_PATTERNS = 100

Loaded = Mapping[str, Sighting]


def beside(session: Session, authority_id: str, report: Sighting) -> list[str]:
    """Return up to `MOST` other reports that may tell of the seizure this one tells of, those with
    a like picture first, then those with an ear tag in common, then those of like cattle.
    """
    near = _near(authority_id, report)
    found: dict[str, None] = {}
    for query in _queries(session, authority_id, report, near):
        if len(found) < MOST:
            found.update(dict.fromkeys(session.scalars(query.limit(MOST))))
    return list(islice(found, MOST))


def load(session: Session, authority_id: str, ids: Collection[str]) -> dict[str, Sighting]:
    """Return what reports show that stand and say when they were, by id."""
    rows = session.execute(
        select(Seizure.id, Seizure.author_id, Seizure.seized_at, Seizure.lat, Seizure.lon).where(
            Seizure.authority_id == authority_id,
            among(session, Seizure.id, ids),
            Seizure.seized_at.is_not(None),
            *_stands(Seizure),
        )
    ).all()
    standing = {row.id for row in rows}
    kinds, tags = _lots(session, authority_id, standing)
    photos = _photos(session, authority_id, standing)
    alike = _alike(session, authority_id, photos)
    return {
        row.id: Sighting(
            row.id,
            row.author_id,
            row.seized_at,
            None if row.lat is None or row.lon is None else Point(row.lat, row.lon),
            frozenset(kinds.get(row.id, ())),
            frozenset(tags.get(row.id, ())),
            frozenset(photos.get(row.id, ())),
            frozenset(other for id in photos.get(row.id, ()) for other in alike.get(id, ())),
        )
        for row in sorted(rows, key=lambda row: row.id)
    }


def _stands(model: type[Seizure | Animal]) -> tuple[ColumnElement[bool], ...]:
    return model.heads != "", model.is_withdrawn.is_(False)


def _near(authority_id: str, report: Sighting) -> tuple[ColumnElement[bool], ...]:
    """Return the condition for another report of about this time, and of this place if both say
    where they were.
    """
    return (
        Seizure.authority_id == authority_id,
        Seizure.seized_at.between(report.at - NEAR, report.at + NEAR),
        Seizure.id != report.id,
        *_stands(Seizure),
        true() if report.place is None else or_(Seizure.lat.is_(None), _around(report.place)),
    )


def _around(place: Point) -> ColumnElement[bool]:
    """Return the condition for a place within reach, as on a plane. Reports on two sides of the
    180th meridian are not found.
    """
    shrink = max(_POLE, math.cos(math.radians(place.lat)))
    north = (Seizure.lat - place.lat) * _M_PER_DEGREE
    east = (Seizure.lon - place.lon) * (_M_PER_DEGREE * shrink)
    return north * north + east * east <= _REACH_M**2


def _queries(
    session: Session, authority_id: str, report: Sighting, near: Sequence[ColumnElement[bool]]
) -> Iterator[Select[str]]:
    """Yield the ways to find others, in the order of what they say."""
    by_time = select(Seizure.id).where(*near).order_by(Seizure.seized_at, Seizure.id)
    if report.alike:
        named = select(Photo.seizure_id).where(
            Photo.authority_id == authority_id, among(session, Photo.id, report.alike)
        )
        yield by_time.where(Seizure.id.in_(named))
    for some in _portions(report.photos if report.alike else ()):
        yield by_time.where(_repeated_in(authority_id, some))
    for some in _portions(report.tags):
        yield by_time.where(_has_lot(_says_one(Animal.shown, some)))
    if report.kinds and report.author is not None and report.place is not None:
        is_two = or_(Seizure.author_id.is_(None), Seizure.author_id != report.author)
        is_like = _has_lot(among(session, Animal.kind, report.kinds))
        yield by_time.where(is_two, Seizure.lat.is_not(None), is_like)


def _portions(texts: Iterable[str]) -> Iterator[list[str]]:
    left = iter(sorted(texts))
    while some := list(islice(left, _PATTERNS)):
        yield some


def _says_one(column: InstrumentedAttribute[str], texts: Iterable[str]) -> ColumnElement[bool]:
    """Return the condition that JSON text has one of the strings in it, somewhere."""
    quoted = (json.dumps(text, ensure_ascii=False) for text in texts)
    return or_(*(column.contains(text, autoescape=True) for text in quoted))


def _has_lot(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    return (
        select(Animal.id)
        .where(
            Animal.authority_id == Seizure.authority_id,
            Animal.seizure_id == Seizure.id,
            *_stands(Animal),
            condition,
        )
        .exists()
    )


def _repeated_in(authority_id: str, photos: Iterable[str]) -> ColumnElement[bool]:
    """Return the condition that a photo of the report is known to repeat one of `photos`."""
    return (
        select(Photo.id)
        .join(Flag, (Flag.authority_id == authority_id) & (Flag.record_id == Photo.id))
        .where(
            Photo.authority_id == authority_id,
            Photo.seizure_id == Seizure.id,
            Flag.kind == Photo.KIND,
            Flag.flag.in_(_ALIKE),
            _says_one(Flag.detail, photos),
        )
        .exists()
    )


def _lots(
    session: Session, authority_id: str, reports: Collection[str]
) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return kinds and ear tags by report."""
    rows = session.execute(
        select(Animal.seizure_id, Animal.kind, Animal.shown).where(
            Animal.authority_id == authority_id,
            among(session, Animal.seizure_id, reports),
            *_stands(Animal),
        )
    )
    kinds: dict[str, set[str]] = {}
    tags: dict[str, set[str]] = {}
    for seizure_id, kind, shown in rows:
        if kind:
            kinds.setdefault(str(seizure_id), set()).add(kind)
        if _TAGS in shown:
            tags.setdefault(str(seizure_id), set()).update(json.loads(shown).get(_TAGS) or ())
    return kinds, tags


def _photos(session: Session, authority_id: str, reports: Collection[str]) -> dict[str, set[str]]:
    query = select(Photo.seizure_id, Photo.id).where(
        Photo.authority_id == authority_id, among(session, Photo.seizure_id, reports)
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
