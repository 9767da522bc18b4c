"""What the moving map of a page shows, as GeoJSON of our own: area, pounds, reports, fixes.

GeoJSON puts longitude first; nowhere else in the console does a place come in that order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from flask import Response, jsonify, request, url_for
from sqlalchemy.orm import Session

from fieldapi.access import session
from fieldapi.console import door, maps, narrowing
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.inbox import MOST_ON_MAP, choices
from fieldapi.console.pages import words
from fieldapi.domain.access import Principal
from fieldapi.domain.geo import Point, point_of
from fieldapi.problems import BadRequest
from fieldapi.queries import seizures
from fieldapi.queries.authorities import PoundView, all_places, all_pounds, authority

Feature = Mapping[str, Any]


@blp.get("/reports.geojson")
@session("console.open")
def reports_map() -> Response:
    """Give the reports of a list, narrowed as its page is. Raises `BadRequest`."""
    who = door.principal()
    with house().database.read() as database:
        pounds = all_pounds(database, who.authority_id)
        places = all_places(database, who.authority_id)
        wanted = narrowing.read(request.args, choices(pounds, places))
        if wanted.faults:
            raise BadRequest("The filter cannot be used.")
        rows = seizures.on_map(database, who, wanted.filters, limit=MOST_ON_MAP)
        found = [
            _feature(
                Point(row.lat, row.lon),
                "seizure",
                row.reference or row.minted_reference or row.id,
                href=url_for("console.case", seizure_id=row.id),
            )
            for row in rows
            if row.lat is not None and row.lon is not None
        ]
        return _answer([*_surroundings(database, who, pounds), *found])


@blp.get("/cases/<seizure_id>/place.geojson")
@session("seizure.read")
def case_map(seizure_id: str) -> Response:
    """Give where one report was made, and what else is known of the place. Raises `NotFound`."""
    who = door.principal()
    with house().database.read() as database:
        report: dict[str, Any] = seizures.one(database, who, seizure_id)
        pounds = all_pounds(database, who.authority_id)
        around = [*_surroundings(database, who, pounds)]
    return _answer([*around, *_of_report(report)])


def _of_report(report: Mapping[str, Any]) -> Iterator[Feature]:
    for number, photo in enumerate(report.get("photos") or [], 1):
        at, label = photo.get("location"), words().gettext("Photo {number}", number=number)
        yield from _placed(at, "photo", label)
    for fix in report.get("fixes") or []:
        yield from _placed(fix, "fix", words().gettext("A later reading"))
    yield from _placed(report.get("location"), "seizure", str(report["reference"] or ""))


def _placed(location: Mapping[str, Any] | None, kind: str, label: str) -> Iterator[Feature]:
    point = None if location is None else point_of(dict(location))
    if point is not None and location is not None:
        yield _feature(point, kind, label, accuracy_m=location.get("accuracy_m"))


def _surroundings(
    database: Session, who: Principal, pounds: Iterable[PoundView]
) -> Iterator[Feature]:
    area = authority(database, who.authority_id).area
    if area is not None:
        yield {"type": "Feature", "geometry": area, "properties": {"kind": "area"}}
    for name, point in maps.named(pounds):
        yield _feature(point, "pound", name)


def _feature(point: Point, kind: str, label: str, **more: object) -> Feature:
    return {
        "type": "Feature",
        "geometry": {"type": "Point", "coordinates": [point.lon, point.lat]},
        "properties": {"kind": kind, "label": label, **more},
    }


def _answer(features: list[Feature]) -> Response:
    response = jsonify({"type": "FeatureCollection", "features": features})
    response.mimetype = "application/geo+json"
    return response
