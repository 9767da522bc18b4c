"""Values of several members: faults name the member, nothing unknown slips in."""

import pytest

from fieldapi.domain import shapes
from fieldapi.domain.values import ValueType
from sync.strict import JSON

PLACE: dict[str, JSON] = {"lat": 22.3, "lon": 70.8}
FULL: dict[str, JSON] = {
    **PLACE,
    "accuracy_m": 8,
    "altitude_m": None,
    "fixed_at": "2026-11-30T09:12:00Z",
    "source": "gps",
    "mocked": False,
}


class Words:
    known_kinds = frozenset({"cow", "buffalo"})


def paths(kind: ValueType, value: JSON) -> list[str]:
    return [fault.path for fault in kind.faults(value, Words())]


@pytest.mark.parametrize("place", [PLACE, FULL, {"lat": -90, "lon": 180}, {"lat": 0, "lon": 0}])
def test_places_on_the_globe_pass(place: JSON) -> None:
    assert paths(shapes.LOCATION, place) == []


@pytest.mark.parametrize(
    "change,path",
    [
        ({"lat": 999}, "lat"),
        ({"lon": -180.1}, "lon"),
        ({"lat": "22"}, "lat"),
        ({"lat": True}, "lat"),
        ({"lat": float("nan")}, "lat"),
        ({"lat": None}, "lat"),
        ({"accuracy_m": -1}, "accuracy_m"),
        ({"source": "dowsing"}, "source"),
        ({"fixed_at": "today"}, "fixed_at"),
        ({"owner_name": "Ram"}, "owner_name"),
    ],
)
def test_one_wrong_member_is_named(change: dict[str, JSON], path: str) -> None:
    assert paths(shapes.LOCATION, {**FULL, **change}) == [path]


@pytest.mark.parametrize("value", [None, [], "22.3,70.8", 5])
def test_a_place_is_an_object(value: JSON) -> None:
    assert paths(shapes.LOCATION, value) == [""]


def test_a_later_fix_needs_its_time() -> None:
    assert paths(shapes.FIX, PLACE) == ["fixed_at"]
    assert paths(shapes.FIX, FULL) == []


def test_a_seizer_needs_a_name() -> None:
    assert paths(shapes.SEIZER, {"name": "Asha", "residence": "Gondal", "signed": True}) == []
    assert paths(shapes.SEIZER, {"residence": "Gondal"}) == ["name"]


def test_counts_name_the_element_that_is_wrong() -> None:
    counts: JSON = [{"kind": "cow", "count": 2}, {"kind": "unicorn", "count": -1}]
    assert paths(shapes.COUNTS, counts) == ["1.kind", "1.count"]


@pytest.mark.parametrize(
    "counts",
    [[], {}, [{"kind": "cow", "count": 1}, {"kind": "cow", "count": 2}], [{}] * 51],
)
def test_counts_are_one_element_for_each_kind(counts: JSON) -> None:
    assert "" in paths(shapes.COUNTS, counts)


def test_witnesses_and_persons_need_an_id_only() -> None:
    assert paths(shapes.WITNESS, {"id": "w1", "name": "Ramesh", "mobile": None}) == []
    assert paths(shapes.PERSON, {"name": "Ramesh"}) == ["id"]
    assert paths(shapes.PERSON, {"id": "p1", "mobile": "12"}) == ["mobile"]


def test_shapes_describe_themselves() -> None:
    document = shapes.COUNTS.schema()
    assert document["uniqueBy"] == "kind"
    assert shapes.LOCATION.schema()["additionalProperties"] is False
