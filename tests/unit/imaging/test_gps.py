"""A place is believed only when it is one."""

from __future__ import annotations

import pytest

from fieldapi.imaging.facts import Flag
from fieldapi.imaging.gps import Fix, read_fix
from fieldapi.imaging.tags import read_tags
from tests.support.images import (
    LAT,
    LAT_REF,
    LON,
    LON_REF,
    Tag,
    degrees,
    exif_block,
    rationals,
    text,
)


def fix_of(*tags: Tag) -> Fix:
    return read_fix(read_tags(exif_block(gps=tags)).gps)


@pytest.mark.parametrize(
    "lat, lon",
    [
        (22.30391, 70.80216),
        (-33.92487, 18.42406),
        (40.71278, -74.00594),
        (-34.60372, -58.38159),
        (-0.3713, 36.05642),
        (0.0, 6.61),
        (51.47, 0.0),
        (90.0, 180.0),
        (-90.0, -180.0),
    ],
)
def test_every_quarter_of_the_globe_to_a_metre(lat: float, lon: float) -> None:
    fix = fix_of(*degrees(lat, lon))
    assert (fix.lat, fix.lon) == pytest.approx((lat, lon), abs=1e-6)
    assert fix.flag is None


def test_no_place_is_no_doubt() -> None:
    assert fix_of() == Fix()
    assert fix_of(text(LAT_REF, "N"), text(LON_REF, "E")) == Fix()


@pytest.mark.parametrize("refs", ["NE", "SW"])
def test_zero_zero_is_nowhere(refs: str) -> None:
    zero = ((0, 1), (0, 1), (0, 1))
    tags = [
        text(LAT_REF, refs[0]),
        rationals(LAT, *zero),
        text(LON_REF, refs[1]),
        rationals(LON, *zero),
    ]
    assert fix_of(*tags) == Fix(flag=Flag.GPS_ZERO)


@pytest.mark.parametrize("lat, lon", [(213.64, 10.0), (91.0, 10.0), (10.0, 180.1), (10.0, 436.0)])
def test_a_place_off_the_globe_is_none(lat: float, lon: float) -> None:
    assert fix_of(*degrees(lat, lon)) == Fix(flag=Flag.GPS_OUT_OF_RANGE)


GOOD = degrees(22.3, 70.8)
NOT_A_NUMBER = ((0, 0), (0, 0), (0, 0))


@pytest.mark.parametrize(
    "tags",
    [
        [rationals(LAT, *NOT_A_NUMBER), text(LAT_REF, "N"), *GOOD[2:]],
        [*GOOD[:2], *GOOD[2:3]],  # no longitude
        [GOOD[1], *GOOD[2:]],  # no latitude reference
        [text(LAT_REF, "E"), *GOOD[1:]],  # a reference of the other axis
        [text(LAT_REF, ""), *GOOD[1:]],
        [text(LAT, "22.3"), *GOOD[:1], *GOOD[2:]],  # text for a number
        [rationals(LAT, (22, 1), (1, 1), (1, 1), (1, 1)), *GOOD[:1], *GOOD[2:]],
    ],
)
def test_a_place_that_makes_no_sense_is_unusable(tags: list[Tag]) -> None:
    assert fix_of(*tags) == Fix(flag=Flag.GPS_UNUSABLE)


@pytest.mark.parametrize("parts", [((2230391, 100000),), ((22, 1), (182346, 10000))])
def test_degrees_may_have_one_part_or_two(parts: tuple[tuple[int, int], ...]) -> None:
    assert fix_of(GOOD[0], rationals(LAT, *parts), *GOOD[2:]).lat == pytest.approx(
        22.30391, abs=1e-5
    )
