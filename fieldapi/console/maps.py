"""Draws two small maps of a report as numbers for an SVG: where in the authority's area it is, and
close by how well the place is known. Flask-free; no tiles, no other host, prints as it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fieldapi.console.words import Words
from fieldapi.domain.geo import EARTH_RADIUS_M, Area, Point, Ring, distance_m, point_of
from fieldapi.models import Pound, Seizure
from fieldapi.queries.authorities import PoundView

WIDTH, HEIGHT = 240, 180
WIDE, HIGH = 640, 360
_MARGIN = 0.12
_LEAST_M, _ACCURACIES_SEEN = 50.0, 2.6
_NEAREST_PX = 0.6
_NUMBER_PX = 14.0
_STEPS = (1, 2, 5)
_Pound = PoundView | Pound


@dataclass(frozen=True, slots=True)
class PhotoAt:
    """Where a photo says that it was taken. `accuracy_m`: None if nobody said."""

    id: str
    number: int
    label: str
    point: Point
    accuracy_m: float | None


@dataclass(frozen=True, slots=True)
class Mark:
    """A point on the drawing. `kind`: `seizure`, `pound`, `fix` or `photo`; `photo`: which one,
    `ring`: the radius of its accuracy, 0 if too small to be seen.
    """

    x: float
    y: float
    kind: str
    label: str
    photo: PhotoAt | None = None
    ring: float = 0


@dataclass(frozen=True, slots=True)
class Drawing:
    """One map. `outlines`: paths of the area; `around`: of what it lies in. `circle`: radius of the
    accuracy, 0 if too small to be seen. `bar`, `bar_m`: the scale bar in pixels and metres.
    """

    outlines: list[str]
    marks: list[Mark]
    circle: float
    bar: float
    bar_m: int
    width: int = WIDTH
    height: int = HEIGHT
    around: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """What is to be drawn. `accuracy_m`: None if nobody said."""

    point: Point
    accuracy_m: float | None
    area: Area | None
    pounds: Sequence[tuple[str, Point]] = ()
    fixes: Sequence[Point] = ()
    photos: Sequence[PhotoAt] = field(default=())


@dataclass(frozen=True, slots=True)
class _Frame:
    """The stretch of ground that is drawn: its middle, pixels per metre, and its size."""

    middle: Point
    scale: float
    width: int = WIDTH
    height: int = HEIGHT

    def at(self, point: Point) -> tuple[float, float]:
        """Return where a point is drawn. Flat: good for the size of a district."""
        shrink = math.cos(math.radians(self.middle.lat))
        east = math.radians(point.lon - self.middle.lon) * EARTH_RADIUS_M * shrink
        north = math.radians(point.lat - self.middle.lat) * EARTH_RADIUS_M
        return round(self.width / 2 + east * self.scale, 1), round(
            self.height / 2 - north * self.scale, 1
        )

    def mark(self, point: Point, kind: str, label: str = "") -> Mark:
        """Return a mark at a point."""
        x, y = self.at(point)
        return Mark(x, y, kind, label)


def of_report(
    report: Mapping[str, Any], area: Area | None, pounds: Iterable[_Pound], words: Words
) -> list[tuple[str, Drawing]]:
    """Return the maps of a report, each with its name; none without a place. `area`: of its
    authority, `pounds`: of it too.
    """
    point = point_of(report.get("location"))
    if point is None:
        return []
    scene = Scene(
        point=point,
        accuracy_m=report["location"].get("accuracy_m"),
        area=area,
        pounds=named(pounds),
        fixes=[at for one in report.get("fixes") or [] if (at := point_of(one)) is not None],
        photos=photos_at(report, words),
    )
    drawn = overview(scene)
    near = [(words.gettext("Close by"), close_up(scene))]
    return near if drawn is None else [*near, (words.gettext("In the authority's area"), drawn)]


def overview(scene: Scene) -> Drawing | None:
    """Return the area of the authority with the report in it, None if no area is known."""
    if scene.area is None:
        return None
    box = scene.area.box
    lats, lons = [box.south, box.north, scene.point.lat], [box.west, box.east, scene.point.lon]
    frame = _frame_of(lats, lons)
    marks = [frame.mark(point, "pound", name) for name, point in scene.pounds]
    marks = [*_inside(marks), frame.mark(scene.point, "seizure")]
    return _drawing(frame, scene, marks, _outlines(frame, scene.area))


def of_list(
    area: Area | None, pounds: Sequence[tuple[str, Point]], reports: Sequence[tuple[str, Point]]
) -> Drawing | None:
    """Return many reports on one map; None if there is nothing to draw."""
    points = [point for _, point in reports]
    if area is not None:
        points += [Point(area.box.south, area.box.west), Point(area.box.north, area.box.east)]
    if not points:
        return None
    lats, lons = [one.lat for one in points], [one.lon for one in points]
    frame = _frame_of(lats, lons, WIDE, HIGH)
    marks = [frame.mark(point, "pound", name) for name, point in pounds]
    marks = [one for one in marks if 0 <= one.x <= WIDE and 0 <= one.y <= HIGH]
    marks += [frame.mark(point, "seizure", name) for name, point in reports]
    bar_m = _round_length(WIDE / 5 / frame.scale)
    return Drawing(
        outlines=[] if area is None else _outlines(frame, area),
        marks=marks,
        circle=0,
        bar=round(bar_m * frame.scale, 1),
        bar_m=bar_m,
        width=WIDE,
        height=HIGH,
    )


def of_limits(limits: Area, around: Area | None, pounds: Sequence[tuple[str, Point]]) -> Drawing:
    """Return limits that somebody drew, within those of the authority, beside its pounds: whatever
    is far from them is seen to be.
    """
    boxes = [one.box for one in (limits, around) if one is not None]
    lats = [*(box.south for box in boxes), *(box.north for box in boxes)]
    lons = [*(box.west for box in boxes), *(box.east for box in boxes)]
    lats, lons = [*lats, *(at.lat for _, at in pounds)], [*lons, *(at.lon for _, at in pounds)]
    frame = _frame_of(lats, lons, WIDE, HIGH)
    bar_m = _round_length(WIDE / 5 / frame.scale)
    return Drawing(
        outlines=_outlines(frame, limits),
        marks=[frame.mark(point, "pound", name) for name, point in pounds],
        circle=0,
        bar=round(bar_m * frame.scale, 1),
        bar_m=bar_m,
        width=WIDE,
        height=HIGH,
        around=[] if around is None else _outlines(frame, around),
    )


def close_up(scene: Scene) -> Drawing:
    """Return the surroundings of the report, wide enough for the circle of its accuracy."""
    radius = max(_LEAST_M, (scene.accuracy_m or 0) * _ACCURACIES_SEEN)
    frame = _Frame(scene.point, HEIGHT / 2 / radius)
    marks = [frame.mark(point, "pound", name) for name, point in scene.pounds]
    marks += [frame.mark(point, "fix") for point in scene.fixes]
    marks += [_photo(frame, one) for one in scene.photos]
    return _drawing(frame, scene, [*_inside(marks), frame.mark(scene.point, "seizure")], [])


def _photo(frame: _Frame, photo: PhotoAt) -> Mark:
    x, y = frame.at(photo.point)
    ring = round((photo.accuracy_m or 0) * frame.scale, 1)
    return Mark(x, y, "photo", photo.label, photo, ring if ring >= 1 else 0)


def numbers(drawing: Drawing) -> list[tuple[Mark, float, float]]:
    """Return the photos of a drawing, each with where its number stands: beside its point, and
    beside one another, so that all can be read.
    """
    taken: set[tuple[int, int]] = set()
    found = []
    for mark in (one for one in drawing.marks if one.photo):
        x, y = min(mark.x + _NUMBER_PX, drawing.width - _NUMBER_PX), mark.y
        while (round(x / _NUMBER_PX), round(y / _NUMBER_PX)) in taken:
            y = round(y + _NUMBER_PX, 1)
        taken.add((round(x / _NUMBER_PX), round(y / _NUMBER_PX)))
        found.append((mark, x, y))
    return found


def named(pounds: Iterable[_Pound]) -> list[tuple[str, Point]]:
    """Return the pounds that are on the map, by name."""
    return [
        (one.name, Point(one.lat, one.lon))
        for one in pounds
        if one.lat is not None and one.lon is not None
    ]


def photos_at(report: Mapping[str, Any], words: Words) -> list[PhotoAt]:
    """Return where the photos of a report were taken; those that say nothing are left out."""
    return [
        PhotoAt(
            photo["id"],
            number,
            words.gettext("Photo {number}", number=number),
            at,
            photo["location"].get("accuracy_m"),
        )
        for number, photo in enumerate(report["photos"], 1)
        if (at := point_of(photo.get("location"))) is not None
    ]


def placed(rows: Iterable[Seizure]) -> list[tuple[str, Point]]:
    """Return where reports are, by reference."""
    return [
        (one.reference or one.minted_reference or one.id, Point(one.lat, one.lon))
        for one in rows
        if one.lat is not None and one.lon is not None
    ]


def _frame_of(
    lats: Sequence[float], lons: Sequence[float], width: int = WIDTH, height: int = HEIGHT
) -> _Frame:
    middle = Point((min(lats) + max(lats)) / 2, (min(lons) + max(lons)) / 2)
    high = distance_m(Point(min(lats), middle.lon), Point(max(lats), middle.lon))
    wide = distance_m(Point(middle.lat, min(lons)), Point(middle.lat, max(lons)))
    room = 1 - 2 * _MARGIN
    high, wide = max(high, _LEAST_M), max(wide, _LEAST_M)
    return _Frame(middle, min(room * height / high, room * width / wide), width, height)


def _drawing(frame: _Frame, scene: Scene, marks: list[Mark], outlines: list[str]) -> Drawing:
    bar_m = _round_length(WIDTH / 3 / frame.scale)
    circle = round((scene.accuracy_m or 0) * frame.scale, 1)
    return Drawing(
        outlines=outlines,
        marks=marks,
        circle=circle if circle >= 1 else 0,
        bar=round(bar_m * frame.scale, 1),
        bar_m=bar_m,
    )


def _inside(marks: Iterable[Mark]) -> list[Mark]:
    return [one for one in marks if 0 <= one.x <= WIDTH and 0 <= one.y <= HEIGHT]


def _outlines(frame: _Frame, area: Area) -> list[str]:
    return [_path(frame, ring) for rings in area.polygons for ring in rings]


def _path(frame: _Frame, ring: Ring) -> str:
    """Return a ring as a path, without corners that would fall on one another."""
    kept: list[tuple[float, float]] = []
    for point in ring:
        corner = frame.at(point)
        if not kept or math.dist(kept[-1], corner) >= _NEAREST_PX:
            kept.append(corner)
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in kept) + "Z"


def _round_length(most: float) -> int:
    """Return the greatest of 1, 2, 5, 10, 20, 50 … metres that is not above `most`.

    >>> _round_length(730.0), _round_length(0.4)
    (500, 1)
    """
    power = 10 ** max(0, math.floor(math.log10(max(most, 1))))
    return max((step * power for step in _STEPS if step * power <= most), default=1)
