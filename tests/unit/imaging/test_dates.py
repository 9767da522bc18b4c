"""A date is the camera's word; what is not surely right is no date, and never another day."""

from __future__ import annotations

import pytest

from fieldapi.imaging.dates import Taken, read_gps_time, read_offset, read_taken
from fieldapi.imaging.facts import ExifFacts, Flag
from fieldapi.imaging.tags import read_tags
from tests.support.images import (
    GPS_DATE,
    GPS_TIME,
    OFFSET,
    TAKEN_AT,
    Tag,
    exif_block,
    rationals,
    text,
)
from tests.unit.imaging.conftest import NOW

OFFSET_OF_EDITING = 0x9010


def taken(*tags: Tag) -> Taken:
    return read_taken(read_tags(exif_block(exif=tags)).exif, now=NOW)


def test_a_date_with_its_zone_is_an_instant() -> None:
    found = taken(text(TAKEN_AT, "2026:11:30 14:05:09"), text(OFFSET, "+05:30"))
    assert found == Taken("2026-11-30T14:05:09", "+05:30")
    instant = ExifFacts(taken_at=found.at, offset=found.offset).instant()
    assert instant is not None
    assert instant.isoformat() == "2026-11-30T08:35:09+00:00"


def test_the_zone_of_editing_is_not_the_zone_of_capture() -> None:
    found = taken(text(TAKEN_AT, "2026:11:30 14:05:09"), text(OFFSET_OF_EDITING, "-08:00"))
    assert found == Taken("2026-11-30T14:05:09", None, (Flag.TZ_UNKNOWN,))
    assert ExifFacts(taken_at=found.at).instant() is None


@pytest.mark.parametrize("suffix", ["+0530", "+05:30", " +05:30"])
def test_a_zone_may_follow_the_date(suffix: str) -> None:
    assert taken(text(TAKEN_AT, "2026:11:30 14:05:09" + suffix)) == Taken(
        "2026-11-30T14:05:09", "+05:30"
    )


@pytest.mark.parametrize("value", ["", " ", "    :  :     :  :  "])
def test_a_blank_date_is_an_unknown_one(value: str) -> None:
    assert taken(text(TAKEN_AT, value)) == Taken()


@pytest.mark.parametrize(
    "value",
    [
        "0000:00:00 00:00:00",
        "0001:01:01 00:00:00",
        "9999:12:31 23:59:59",
        "2026:02:30 10:00:00",
        "2026:11:30 24:00:00",
        "2026:11:30 14:05:60",
        "2026:11:30",
        "30/11/2026 14:05:09",
        "2026:11:30 14:05:09A",
        "2026:11:30 14:05:09 IST",
        "２０２６:11:30 14:05:09",
        "yesterday",
    ],
)
def test_a_date_that_is_none_is_said_to_be_none(value: str) -> None:
    assert taken(text(TAKEN_AT, value)) == Taken(flags=(Flag.DATE_INVALID,))


@pytest.mark.parametrize("year", [1970, 1980, 1989, 2027, 2099, 9999])
def test_a_date_out_of_time_is_kept_and_flagged(year: int) -> None:
    found = taken(text(TAKEN_AT, f"{year}:06:01 12:00:00"), text(OFFSET, "+05:30"))
    assert found == Taken(f"{year}-06-01T12:00:00", "+05:30", (Flag.DATE_IMPLAUSIBLE,))


def test_a_date_of_the_wrong_type_is_an_unknown_one() -> None:
    assert taken((TAKEN_AT, 4, 1, b"\0\0\7\0")) == Taken()


@pytest.mark.parametrize("value", ["+14:01", "+99:00", "05:30", "+5:30", "+05:60", "", "UTC"])
def test_a_zone_that_is_none_is_unknown(value: str) -> None:
    assert read_offset(value) is None


def test_the_satellites_tell_the_time_in_utc() -> None:
    clock = rationals(GPS_TIME, (8, 1), (35, 1), (19, 2))
    gps = read_tags(exif_block(gps=[text(GPS_DATE, "2026:11:30"), clock])).gps
    assert read_gps_time(gps) == "2026-11-30T08:35:09Z"


@pytest.mark.parametrize("date", ["1999:99:99 99:99:99", "", "0:0:0", "2026-11-30"])
def test_a_satellite_date_that_is_none_is_unknown(date: str) -> None:
    clock = rationals(GPS_TIME, (8, 1), (35, 1), (9, 1))
    assert read_gps_time(read_tags(exif_block(gps=[text(GPS_DATE, date), clock])).gps) is None


@pytest.mark.parametrize("hour", [(8, 0), (4_294_967_295, 1), (24, 1)])
def test_a_satellite_time_that_is_none_is_unknown(hour: tuple[int, int]) -> None:
    clock = rationals(GPS_TIME, hour, (35, 1), (9, 1))
    gps = read_tags(exif_block(gps=[text(GPS_DATE, "2026:11:30"), clock])).gps
    assert read_gps_time(gps) is None
