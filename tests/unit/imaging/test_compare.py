"""A report is held against its photo, and a photo against others, as plain values."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from fieldapi.imaging.compare import Claim, Doubt, Match, Print, distance_m, doubts, matches
from fieldapi.imaging.facts import Analysis, ExifFacts, Verdict

KOLKATA = ZoneInfo("Asia/Kolkata")
TAKEN = datetime(2026, 11, 30, 8, 35, 9, tzinfo=UTC)
FACTS = ExifFacts(
    lat=22.30391,
    lon=70.80216,
    taken_at="2026-11-30T14:05:09",
    offset="+05:30",
    make="Fieldphone",
    model="FP-12",
)
PHOTO = Analysis(Verdict.ACCEPT, format="JPEG", width=4160, height=3120, exif=FACTS)
CLAIM = Claim(lat=22.3040, lon=70.8020, accuracy_m=20, taken_at=TAKEN, source="camera")
PRINT = Print("p1", "ab" * 32, dhash="0123456789abcdef", phash="fedcba9876543210", exif=FACTS)


def found(claim: Claim = CLAIM, facts: ExifFacts = FACTS) -> tuple[Doubt, ...]:
    return doubts(claim, replace(PHOTO, exif=facts), zone=KOLKATA)


def test_an_honest_report_raises_no_doubt() -> None:
    assert found() == ()


def test_a_photo_without_a_place_is_no_mismatch() -> None:
    assert found(facts=replace(FACTS, lat=None, lon=None)) == (Doubt.EXIF_GPS_ABSENT,)


def test_a_report_without_a_place_is_no_mismatch() -> None:
    assert found(replace(CLAIM, lat=None, lon=None)) == ()


@pytest.mark.parametrize("lat, accuracy_m, is_far", [(22.32, 20, True), (22.32, 3000, False)])
def test_a_place_is_elsewhere_beyond_a_kilometre_and_the_fix(
    lat: float, accuracy_m: float, *, is_far: bool
) -> None:
    expected = (Doubt.EXIF_GPS_MISMATCH,) if is_far else ()
    assert found(replace(CLAIM, lat=lat, accuracy_m=accuracy_m)) == expected


@pytest.mark.parametrize("minutes, is_late", [(-14, False), (14, False), (16, True), (-600, True)])
def test_a_time_is_another_after_a_quarter_of_an_hour(minutes: int, *, is_late: bool) -> None:
    expected = (Doubt.EXIF_TIME_MISMATCH,) if is_late else ()
    assert found(replace(CLAIM, taken_at=TAKEN + timedelta(minutes=minutes))) == expected


def test_a_camera_without_zone_is_read_where_the_report_was_made() -> None:
    assert found(facts=replace(FACTS, offset=None)) == ()
    utc = doubts(CLAIM, replace(PHOTO, exif=replace(FACTS, offset=None)), zone=UTC)
    assert utc == (Doubt.EXIF_TIME_MISMATCH,)


def test_the_satellites_may_vouch_for_the_time() -> None:
    wrong = replace(FACTS, taken_at="2020-01-01T00:00:00", gps_at="2026-11-30T08:35:00Z")
    assert found(facts=wrong) == ()


def test_a_photo_without_a_time_is_no_mismatch() -> None:
    assert found(facts=replace(FACTS, taken_at=None, offset=None)) == ()


def test_a_photo_from_the_gallery_is_named() -> None:
    assert found(replace(CLAIM, source="gallery")) == (Doubt.PHOTO_FROM_GALLERY,)


@pytest.mark.parametrize(
    "width, expected", [("4160", ()), ("8000", (Doubt.CLIENT_RESIZED,)), ("0", ()), ("x", ())]
)
def test_a_photo_far_smaller_than_its_camera_made_it_is_named(
    width: str, expected: tuple[Doubt, ...]
) -> None:
    raw = {"ExifImageWidth": width, "ExifImageHeight": "3120"}
    assert doubts(CLAIM, replace(PHOTO, raw_exif=raw), zone=KOLKATA) == expected


def test_the_same_bytes_are_reused() -> None:
    other = replace(PRINT, photo_id="p2", dhash=None, phash=None)
    assert list(matches(PRINT, [PRINT, other])) == [Match("p2", Doubt.PHOTO_REUSED)]


def test_a_close_picture_is_similar() -> None:
    other = replace(PRINT, photo_id="p2", sha256="cd" * 32, exif=ExifFacts())
    close = replace(other, dhash="0123456789abcdec")
    far = replace(other, dhash="fedcba9876543210")
    unlike = replace(other, phash="0123456789abcdef")
    unknown = replace(other, phash=None)
    found = matches(PRINT, [close, far, unlike, unknown])
    assert list(found) == [Match("p2", Doubt.PHOTO_SIMILAR)]


def test_the_same_shot_in_other_bytes_is_similar() -> None:
    other = Print("p2", "cd" * 32, exif=FACTS)
    assert list(matches(PRINT, [other])) == [Match("p2", Doubt.PHOTO_SIMILAR)]
    another_second = replace(other, exif=replace(FACTS, taken_at="2026-11-30T14:05:10"))
    placeless = replace(FACTS, lat=None, lon=None)
    assert list(matches(PRINT, [another_second])) == []
    assert list(matches(replace(PRINT, exif=placeless), [replace(other, exif=placeless)])) == []


@pytest.mark.parametrize(
    "to_lat, to_lon, metres",
    [(22.30391, 70.80216, 0), (23.30391, 70.80216, 111_195), (-22.30391, -109.19784, 20_015_115)],
)
def test_distances_are_great_circles(to_lat: float, to_lon: float, metres: float) -> None:
    away = distance_m(22.30391, 70.80216, to_lat=to_lat, to_lon=to_lon)
    assert away == pytest.approx(metres, abs=2)
