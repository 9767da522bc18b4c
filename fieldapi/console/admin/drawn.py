"""The limits of an area, from a file or a pasted text, and as a map that is looked at before they
count. Nothing of a file but its polygons goes any further.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from flask import request

from fieldapi.console import maps
from fieldapi.console.admin.forms import text
from fieldapi.console.maps import Drawing
from fieldapi.console.words import Words
from fieldapi.domain.geo import Area, Point, distance_m, read_area
from fieldapi.domain.words import sentence
from sync.wire import WireError, loads

FILES = "multipart/form-data"
_NOT_JSON = sentence("This is no GeoJSON: choose the file itself, or paste the whole of it.")
_TOO_MUCH = sentence("These limits have too many corners: simplify them to fewer than {most}.")
_NOTHING = sentence("These limits enclose nothing.")
_FAR_M = 100_000.0
_MOST_CORNERS = 4000
_DIGITS = 6  # of a degree: a tenth of a metre


class BadLimits(ValueError):
    """The limits cannot be read; the text is a sentence."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Limits as a map. `sizes`: corners and extent in words; `far`: how far from the nearest pound
    they lie, empty if that is no wonder.
    """

    drawing: Drawing
    sizes: str
    far: str


def typed_limits() -> tuple[Area | None, str]:
    """Return the limits that a form says, None if none, and the text to be sent on with it; a file
    goes before a pasted text. Raises `BadLimits`.
    """
    said = _of_file() or text("polygon")
    if not said:
        return None, ""
    try:
        area = _rounded(read_area(loads(said)))
    except WireError as exc:
        raise BadLimits(_NOT_JSON) from exc
    except ValueError as exc:
        raise BadLimits(exc.args[0]) from exc
    if not area.box.size:
        raise BadLimits(_NOTHING)
    if _corners(area) > _MOST_CORNERS:
        raise BadLimits(sentence(_TOO_MUCH, most=_MOST_CORNERS))
    return area, json.dumps(area.geojson(), separators=(",", ":"))


def shown(
    limits: Area, around: Area | None, pounds: Sequence[tuple[str, Point]], words: Words
) -> Shown:
    """Return limits to be looked at, beside those of the authority and its pounds."""
    box = limits.box
    north, east = Point(box.north, box.west), Point(box.south, box.east)
    corner = Point(box.south, box.west)
    middle = Point((box.south + box.north) / 2, (box.west + box.east) / 2)
    nearest = min((distance_m(middle, at) for _, at in pounds), default=0.0)
    return Shown(
        drawing=maps.of_limits(limits, around, pounds),
        sizes=words.gettext(
            "{corners} corners; {wide} from west to east, {high} from south to north",
            corners=words.number(_corners(limits)),
            wide=words.distance(distance_m(corner, east)),
            high=words.distance(distance_m(corner, north)),
        ),
        far=words.distance(nearest) if nearest > _FAR_M else "",
    )


def _of_file() -> str:
    """Return the text of the chosen file; empty if none was chosen."""
    chosen = request.files.get("polygon_file")
    if chosen is None or not chosen.filename:
        return ""
    try:
        return chosen.read().decode("utf-8-sig").strip() or "-"
    except UnicodeDecodeError as exc:
        raise BadLimits(_NOT_JSON) from exc


def _rounded(area: Area) -> Area:
    return Area(
        tuple(
            tuple(
                tuple(Point(round(at.lat, _DIGITS), round(at.lon, _DIGITS)) for at in ring)
                for ring in rings
            )
            for rings in area.polygons
        )
    )


def _corners(area: Area) -> int:
    return sum(len(ring) - 1 for rings in area.polygons for ring in rings)
