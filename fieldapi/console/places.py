"""Where a report is, in words: the nearest named place of the authority. Flask-free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fieldapi.console.words import Words
from fieldapi.domain.geo import Point, distance_m, point_of
from fieldapi.queries.authorities import PlaceView

_FAR_M = 25_000
_HERE_M = 500


@dataclass(frozen=True, slots=True)
class Places:
    """The places that an authority lists."""

    listed: Sequence[PlaceView]

    def near(self, point: Point, words: Words) -> str | None:
        """Return how far which named place is, None if all are far or none is listed."""
        known = [
            (distance_m(point, Point(one.lat, one.lon)), one)
            for one in self.listed
            if one.lat is not None and one.lon is not None
        ]
        if not known:
            return None
        distance, place = min(known, key=lambda one: one[0])
        name = place.local_name if place.local_name and words.language != "en" else place.name
        if distance <= _HERE_M:
            return words.gettext("at {place}", place=name)
        if distance > _FAR_M:
            return None
        return words.gettext(
            "{distance} from {place}", distance=words.distance(distance), place=name
        )

    def of(self, report: Mapping[str, Any], words: Words) -> str:
        """Return the place of a report: near a named one, else as written, else in degrees."""
        point = point_of(report.get("location"))
        near = None if point is None else self.near(point, words)
        if near is not None:
            return near
        if report.get("place_text"):
            return str(report["place_text"])
        if point is None:
            return words.gettext("No place on the map")
        return f"{point.lat:.4f}, {point.lon:.4f}"
