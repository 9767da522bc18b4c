"""Places and areas: edges, holes, and GeoJSON that is not what it says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldapi.domain.geo import Box, Point, distance_m, point_of, read_area
from sync.strict import JSON

SQUARE: JSON = [[70.0, 22.0], [71.0, 22.0], [71.0, 23.0], [70.0, 23.0], [70.0, 22.0]]
HOLE: JSON = [[70.4, 22.4], [70.6, 22.4], [70.6, 22.6], [70.4, 22.6], [70.4, 22.4]]
FAR: JSON = [[76.0, 10.0], [77.0, 10.0], [76.0, 11.0], [76.0, 10.0]]
POLYGON: dict[str, JSON] = {"type": "Polygon", "coordinates": [SQUARE, HOLE]}
POINTS = st.builds(Point, st.floats(-90, 90), st.floats(-180, 180))


@pytest.mark.parametrize(
    "lat,lon", [(22.2, 70.2), (22.4, 70.5), (22.0, 70.0), (23.0, 70.5), (22.5, 71.0)]
)
def test_border_and_edge_of_a_hole_are_inside(lat: float, lon: float) -> None:
    assert read_area(POLYGON).holds(Point(lat, lon))


@pytest.mark.parametrize("lat,lon", [(22.5, 70.5), (22.5, 71.0001), (21.9, 70.5), (70.2, 22.2)])
def test_holes_and_swapped_axes_are_outside(lat: float, lon: float) -> None:
    assert not read_area(POLYGON).holds(Point(lat, lon))


@pytest.mark.parametrize(
    "document",
    [
        {"type": "MultiPolygon", "coordinates": [[SQUARE], [FAR]]},
        {
            "type": "GeometryCollection",
            "geometries": [POLYGON, {"type": "Polygon", "coordinates": [FAR]}],
        },
        {
            "type": "FeatureCollection",
            "features": [
                {"type": "Feature", "geometry": POLYGON},
                {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [FAR]}},
                {"type": "Feature", "geometry": {"type": "Point", "coordinates": [70, 22]}},
            ],
        },
    ],
)
def test_every_way_to_write_two_areas_is_read(document: JSON) -> None:
    area = read_area(document)
    assert len(area.polygons) == 2
    assert area.holds(Point(10.2, 76.2))
    assert area.box == Box(south=10.0, west=70.0, north=23.0, east=77.0)


@pytest.mark.parametrize(
    "document",
    [
        None,
        {},
        {"type": "Point", "coordinates": [70, 22]},
        {"type": "Polygon", "coordinates": []},
        {"type": "Polygon", "coordinates": [[[70, 22], [71, 22], [70, 22]]]},
        {"type": "Polygon", "coordinates": [[[70, 22], [71, 22], [71, 23], [70, 23]]]},
        {"type": "Polygon", "coordinates": [[[70, 122], [71, 22], [71, 23], [70, 122]]]},
        {"type": "Polygon", "coordinates": [[["a"], [71, 22], [71, 23], ["a"]]]},
        {"type": "Polygon", "coordinates": "70 22"},
        {"type": "Feature", "geometry": None},
        {"type": "FeatureCollection", "features": None},
    ],
)
def test_what_is_no_area_is_refused(document: JSON) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_area(document)


@given(POINTS, POINTS)
def test_distance_is_symmetric_and_at_most_half_way_round(one: Point, other: Point) -> None:
    there, back = distance_m(one, other), distance_m(other, one)
    assert there == pytest.approx(back)
    assert 0 <= there <= 20_015_116


def test_distance_of_known_places() -> None:
    rajkot, gondal = Point(22.3039, 70.8022), Point(21.9619, 70.7923)
    assert distance_m(rajkot, gondal) == pytest.approx(38_040, rel=0.01)
    assert distance_m(rajkot, rajkot) == 0


def test_a_location_without_numbers_is_no_point() -> None:
    assert point_of({"lat": 22.3, "lon": 70}) == Point(22.3, 70)
    assert point_of({"lat": None, "lon": 70}) is None
    assert point_of(None) is None
