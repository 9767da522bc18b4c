"""What makes two reports a pair: near in time and place, and something of one seizure in both."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from fieldapi.domain.duplicates import NEAR, Sighting, grounds
from fieldapi.domain.geo import Point

AT = datetime(2026, 12, 1, 9, tzinfo=UTC)
ONE = Sighting("1", "asha", AT, Point(22.3, 70.8), frozenset({"cow", "calf"}))
OTHER = replace(ONE, id="2", author="ravi", kinds=frozenset({"cow", "goat"}))


def test_kinds_in_common_nearby_make_a_pair() -> None:
    found = grounds(ONE, replace(OTHER, at=AT + NEAR))

    assert found is not None
    assert (found.apart_m, found.apart_minutes, found.kinds) == (0, 120, ("cow",))


@pytest.mark.parametrize(
    "other",
    [
        replace(OTHER, at=AT + NEAR + timedelta(milliseconds=1)),
        replace(OTHER, place=Point(22.3019, 70.8)),
        replace(OTHER, kinds=frozenset({"goat"})),
        replace(OTHER, author="asha"),
        replace(OTHER, place=None),
        replace(OTHER, place=Point(22.31, 70.8), tags=frozenset({"100020003000"})),
    ],
    ids=["later", "further", "other kinds", "one person", "no place", "a tag far away"],
)
def test_less_makes_none(other: Sighting) -> None:
    assert grounds(replace(ONE, tags=frozenset({"100020003000"})), other) is None


TAG, PHOTO = frozenset({"100020003000"}), frozenset({"p"})
AGAIN = replace(OTHER, author="asha", place=None, kinds=frozenset())


@pytest.mark.parametrize(
    "one,other",
    [
        (replace(ONE, tags=TAG), replace(AGAIN, tags=TAG)),
        (replace(ONE, photos=PHOTO), replace(AGAIN, alike=PHOTO)),
        (replace(ONE, alike=PHOTO), replace(AGAIN, photos=PHOTO)),
    ],
    ids=["a tag", "a like photo", "a like photo of the other"],
)
def test_tag_or_photo_speaks_without_a_place_and_of_one_person(
    one: Sighting, other: Sighting
) -> None:
    assert grounds(one, other) is not None
