"""Finds the reports that one may be held against, and what each of them shows.

What may make a pair is narrowed down in the database: the time and the place first, then a picture,
an ear tag or a kind of cattle in common. `domain.duplicates` judges what is left. Called by
`neighbours`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice

from sqlalchemy import ColumnElement, Double, Select, bindparam, or_, select, true
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from fieldapi.domain.duplicates import NEAR, NEAR_M, Sighting
from fieldapi.domain.geo import EARTH_RADIUS_M, Point
from fieldapi.models import Animal, Flag, Photo, Seizure
from fieldapi.models.bulk import among
from fieldapi.models.once import among_named, made_once

# A herd that a whole village reports is not every report with every other one.
MOST = 20
# So many reports of one time and place are looked at: the first ones.
_AROUND = 500
_ALIKE = ("photo_reused", "photo_similar")
_TAGS = "ear_tags"
_M_PER_DEGREE = math.radians(1) * EARTH_RADIUS_M
# What is looked for in the database may be a little further than what counts in the end.
_REACH_M = NEAR_M * 1.01
_POLE = 0.01
# Patterns in one statement: SQLite takes a depth of 1000.
_PATTERNS = 100


def beside(session: Session, authority_id: str, report: Sighting) -> list[str]:
    """Return up to `MOST` other reports that may tell of the seizure this one tells of, those with
    a like picture first, then those with an ear tag in common, then those of like cattle.
    """
    asked = _asked(authority_id, report)
    found: dict[str, None] = {}
    # Ids alone: without the session, which would look for objects in them.
    connection = session.connection()
    for query in _queries(session, report):
        found.update(dict.fromkeys(connection.scalars(query, asked)))
        if len(found) >= MOST:
            break
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


def _asked(authority_id: str, report: Sighting) -> dict[str, object]:
    """Return what the statements are asked with."""
    place = report.place or Point(0.0, 0.0)
    shrink = max(_POLE, math.cos(math.radians(place.lat)))
    return {
        "authority": authority_id,
        "report": report.id,
        "author": report.author,
        "since": report.at - NEAR,
        "until": report.at + NEAR,
        "lat": place.lat,
        "lon": place.lon,
        "m_per_degree_east": _M_PER_DEGREE * shrink,
        "alike": sorted(report.alike),
        "kinds": sorted(report.kinds),
    }


def _near(other: type[Seizure], *, is_placed: bool) -> tuple[ColumnElement[bool], ...]:
    """Return the condition for another report of about this time, and of this place if both say
    where they were.
    """
    return (
        other.seized_at.between(bindparam("since"), bindparam("until")),
        other.id != bindparam("report"),
        *_stands(other),
        or_(other.lat.is_(None), _around(other)) if is_placed else true(),
    )


def _around(other: type[Seizure]) -> ColumnElement[bool]:
    """Return the condition for a place within reach, as on a plane. Reports on two sides of the
    180th meridian are not found.
    """
    north = (other.lat - bindparam("lat", type_=Double)) * _M_PER_DEGREE
    east = (other.lon - bindparam("lon", type_=Double)) * bindparam(
        "m_per_degree_east", type_=Double
    )
    return north * north + east * east <= _REACH_M**2


def _queries(session: Session, report: Sighting) -> Iterator[Select[str]]:
    """Yield the ways to find others, in the order of what they say."""
    is_placed = report.place is not None
    if report.alike:
        yield _BY_PICTURE[is_placed](session)
    for some in _portions(report.photos if report.alike else ()):
        one = _by_time(is_placed=is_placed)
        yield select(one.id).where(_repeats(one, some)).limit(MOST)
    for some in _portions(report.tags):
        one = _by_time(is_placed=is_placed)
        yield select(one.id).where(_has_lot(one, _says_one(Animal.shown, some))).limit(MOST)
    if report.kinds and report.author is not None and is_placed:
        yield _by_kind(session)


def _by_picture(session: Session, *, is_placed: bool) -> Select[str]:
    photos = select(Photo.seizure_id).where(
        Photo.authority_id == bindparam("authority"), among_named(session, Photo.id, "alike")
    )
    ours = Seizure.authority_id == bindparam("authority")
    named = _first(select(Seizure).where(ours, Seizure.id.in_(photos)))
    return select(named.id).where(*_near(named, is_placed=is_placed)).limit(MOST)


_BY_PICTURE: Mapping[bool, Callable[[Session], Select[str]]] = {
    is_placed: made_once(partial(_by_picture, is_placed=is_placed)) for is_placed in (True, False)
}


@made_once
def _by_kind(session: Session) -> Select[str]:
    one = _by_time(is_placed=True)
    is_two = or_(one.author_id.is_(None), one.author_id != bindparam("author"))
    is_like = _has_lot(one, among_named(session, Animal.kind, "kinds"))
    return select(one.id).where(is_two, one.lat.is_not(None), is_like).limit(MOST)


def _by_time(*, is_placed: bool) -> type[Seizure]:
    """Return the first reports of about the time and place."""
    ours = Seizure.authority_id == bindparam("authority")
    near = select(Seizure).where(ours, *_near(Seizure, is_placed=is_placed))
    return _first(near.order_by(Seizure.seized_at, Seizure.id))


def _first(query: Select[Seizure]) -> type[Seizure]:
    """Return the first reports of a query to ask more of. The limit also has both databases find
    these first, by the index that leaves the fewest.
    """
    return aliased(Seizure, query.limit(_AROUND).subquery())


def _portions(texts: Iterable[str]) -> Iterator[list[str]]:
    left = iter(sorted(texts))
    while some := list(islice(left, _PATTERNS)):
        yield some


def _says_one(column: InstrumentedAttribute[str], texts: Iterable[str]) -> ColumnElement[bool]:
    """Return the condition that JSON text has one of the strings in it, somewhere."""
    quoted = (json.dumps(text, ensure_ascii=False) for text in texts)
    return or_(*(column.contains(text, autoescape=True) for text in quoted))


def _has_lot(report: type[Seizure], condition: ColumnElement[bool]) -> ColumnElement[bool]:
    return (
        select(Animal.id)
        .where(
            Animal.authority_id == report.authority_id,
            Animal.seizure_id == report.id,
            *_stands(Animal),
            condition,
        )
        .exists()
    )


def _repeats(report: type[Seizure], photos: Iterable[str]) -> ColumnElement[bool]:
    """Return the condition that a photo of a report is known to repeat one of `photos`."""
    says_so = (
        select(Flag.flag)
        .where(
            Flag.authority_id == Photo.authority_id,
            Flag.kind == Photo.KIND,
            Flag.record_id == Photo.id,
            Flag.flag.in_(_ALIKE),
            _says_one(Flag.detail, photos),
        )
        .exists()
    )
    return (
        select(Photo.id)
        .where(Photo.authority_id == report.authority_id, Photo.seizure_id == report.id, says_so)
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
