"""Distance and areas on the globe: is a place inside the authority's area, how far from a pound.

Called by flags and queries. Points are lat, lon in degrees; GeoJSON keeps its own lon, lat order.
Must never import anything but `values.py` and `words.py`.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from fieldapi.domain.values import is_number
from fieldapi.domain.words import sentence
from sync.strict import JSON

EARTH_RADIUS_M = 6_371_008.8  # mean radius R1 (IUGG)
_NO_OBJECT = sentence("GeoJSON is an object in braces, with a type.")
_NO_POLYGON = sentence("There is no Polygon or MultiPolygon in this GeoJSON.")
_OPEN_RING = sentence("Each ring needs four positions or more and ends where it begins.")
_OFF_GLOBE = sentence("A position is longitude, then latitude, in degrees.")
_NOT_NESTED = sentence("Coordinates are lists within lists.")


@dataclass(frozen=True)
class Point:
    """A place in degrees."""

    lat: float
    lon: float


@dataclass(frozen=True)
class Box:
    """The smallest box around an area. Areas across the 180th meridian are not handled."""

    south: float
    west: float
    north: float
    east: float

    @property
    def size(self) -> float:
        """Square degrees: good for telling which of two boxes in one place is smaller."""
        return (self.north - self.south) * (self.east - self.west)

    def holds(self, point: Point) -> bool:
        """Say whether the point is inside or on the edge."""
        return self.south <= point.lat <= self.north and self.west <= point.lon <= self.east


def point_of(location: JSON) -> Point | None:
    """Return the point of a `location` value, None if there is none."""
    if not isinstance(location, dict):
        return None
    lat, lon = location.get("lat"), location.get("lon")
    if isinstance(lat, int | float) and isinstance(lon, int | float):
        return Point(lat, lon)
    return None


def distance_m(here: Point, there: Point) -> float:
    """Return the great-circle distance in metres (haversine; within 0.6 % of the ellipsoid).

    >>> round(distance_m(Point(22.0, 70.0), Point(23.0, 70.0)))
    111195
    """
    north, east = math.radians(there.lat - here.lat), math.radians(there.lon - here.lon)
    parallels = math.cos(math.radians(here.lat)) * math.cos(math.radians(there.lat))
    chord = math.sin(north / 2) ** 2 + parallels * math.sin(east / 2) ** 2
    return 2 * EARTH_RADIUS_M * math.asin(math.sqrt(min(1.0, chord)))


Ring = tuple[Point, ...]


@dataclass(frozen=True)
class Area:
    """Polygons of rings; the first ring of each is its border, the others are holes."""

    polygons: tuple[tuple[Ring, ...], ...]

    @cached_property
    def box(self) -> Box:
        """The smallest box around all borders."""
        points = [point for rings in self.polygons for point in rings[0]]
        lats, lons = [point.lat for point in points], [point.lon for point in points]
        return Box(min(lats), min(lons), max(lats), max(lons))

    def holds(self, point: Point) -> bool:
        """Say whether the point is inside a border, or on it, and not within a hole."""
        return self.box.holds(point) and any(_in_polygon(rings, point) for rings in self.polygons)

    def geojson(self) -> JSON:
        """Return the area as one bare MultiPolygon: nothing else that a file said is kept."""
        return {
            "type": "MultiPolygon",
            "coordinates": [
                [[[point.lon, point.lat] for point in ring] for ring in rings]
                for rings in self.polygons
            ],
        }


def read_area(document: JSON) -> Area:
    """Return the area of a GeoJSON Polygon, MultiPolygon, Feature, FeatureCollection or collection.

    Raises ValueError, saying in a sentence that there is no polygon, a ring is open or shorter than
    four positions, or a position is not on the globe (RFC 7946 s.3.1.6).
    """
    polygons = tuple(_polygons(document))
    if not polygons:
        raise ValueError(_NO_POLYGON)
    return Area(polygons)


def _polygons(document: JSON) -> Iterator[tuple[Ring, ...]]:
    if not isinstance(document, Mapping):
        raise ValueError(_NO_OBJECT)  # noqa: TRY004 - wrong text, not wrong code
    kind, inside = document.get("type"), document.get("coordinates")
    if kind == "Polygon":
        yield _rings(inside)
    elif kind == "MultiPolygon":
        yield from (_rings(one) for one in _list(inside))
    elif kind == "Feature":
        yield from _polygons(document.get("geometry"))
    elif kind in ("FeatureCollection", "GeometryCollection"):
        for one in _list(document.get("features") or document.get("geometries")):
            yield from _polygons(one)


def _rings(value: JSON) -> tuple[Ring, ...]:
    rings = tuple(tuple(_position(one) for one in _list(ring)) for ring in _list(value))
    if not rings or any(len(ring) < 4 or ring[0] != ring[-1] for ring in rings):  # noqa: PLR2004
        raise ValueError(_OPEN_RING)
    return rings


def _position(value: JSON) -> Point:
    numbers = [one for one in _list(value) if isinstance(one, int | float) and is_number(one)]
    if len(numbers) < 2 or not (-180 <= numbers[0] <= 180 and -90 <= numbers[1] <= 90):  # noqa: PLR2004
        raise ValueError(_OFF_GLOBE)
    return Point(lat=numbers[1], lon=numbers[0])


def _list(value: JSON) -> Sequence[JSON]:
    if not isinstance(value, list):
        raise ValueError(_NOT_NESTED)  # noqa: TRY004 - wrong text, not code
    return value


def _in_polygon(rings: Sequence[Ring], point: Point) -> bool:
    border, *holes = rings
    if _on_edge(border, point):
        return True
    return _in_ring(border, point) and not any(
        _in_ring(hole, point) and not _on_edge(hole, point) for hole in holes
    )


def _in_ring(ring: Ring, point: Point) -> bool:
    """Count how often a ray to the east crosses the ring; odd is inside."""
    inside = False
    for one, other in pairwise(ring):
        if (one.lat > point.lat) != (other.lat > point.lat):
            share = (point.lat - one.lat) / (other.lat - one.lat)
            if point.lon < one.lon + share * (other.lon - one.lon):
                inside = not inside
    return inside


def _on_edge(ring: Ring, point: Point) -> bool:
    return any(_on_line(one, other, point) for one, other in pairwise(ring))


def _on_line(one: Point, other: Point, point: Point) -> bool:
    cross = (other.lat - one.lat) * (point.lon - one.lon) - (other.lon - one.lon) * (
        point.lat - one.lat
    )
    within_lat = min(one.lat, other.lat) <= point.lat <= max(one.lat, other.lat)
    within_lon = min(one.lon, other.lon) <= point.lon <= max(one.lon, other.lon)
    return cross == 0 and within_lat and within_lon
