"""The photos we draw are photos: every tag a phone writes, and the same bytes each time."""

from __future__ import annotations

import pytest

from fieldapi.imaging.facts import Verdict
from tests.support import images
from tests.unit.imaging.conftest import Look


def test_one_seed_is_one_photo() -> None:
    assert images.field_photo(3) == images.field_photo(3)
    assert images.field_photo(3) != images.field_photo(4)


@pytest.mark.parametrize("lat, lon", [(22.30391, 70.80216), (-33.92487, -58.38159), (0.5, -0.5)])
def test_the_place_survives_to_a_metre(look: Look, lat: float, lon: float) -> None:
    exif = look(images.field_photo(lat=lat, lon=lon)).exif
    assert (exif.lat, exif.lon) == pytest.approx((lat, lon), abs=1e-6)


def test_a_phone_without_a_fix_writes_no_place(look: Look) -> None:
    found = look(images.field_photo(lat=None, lon=None))
    assert (found.exif.lat, found.exif.gps_at, found.verdict) == (None, None, Verdict.ACCEPT)


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_a_phone_held_otherwise_says_so(look: Look, orientation: int) -> None:
    found = look(images.field_photo(orientation=orientation))
    assert (found.width, found.height, found.exif.orientation) == (640, 480, orientation)


@pytest.mark.parametrize("cattle", [{}, {"cow": 12, "buffalo": 3}, {"camel": 1}, {"unicorn": 1}])
def test_any_herd_can_be_drawn(look: Look, cattle: dict[str, int]) -> None:
    assert look(images.field_photo(cattle=cattle, caption="RJK-07-2611-0042-G")).preview
