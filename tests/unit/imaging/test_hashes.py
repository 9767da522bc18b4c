"""The same shot stays recognisable; other shots do not become it."""

from __future__ import annotations

import pytest
from PIL import Image, ImageEnhance

from fieldapi.imaging.compare import DHASH_CANDIDATE, PHASH_CONFIRM, hamming
from fieldapi.imaging.facts import Analysis
from tests.support import images
from tests.unit.imaging.conftest import Look

SHOT = images.scene(7, (1600, 1200))


def distances(one: Analysis, other: Analysis) -> tuple[int, int]:
    pairs = ((one.dhash, other.dhash), (one.phash, other.phash))
    dhash, phash = (hamming(str(mine), str(theirs)) for mine, theirs in pairs)
    return dhash, phash


@pytest.mark.parametrize(
    "data",
    [
        images.saved(SHOT.resize((1280, 960)), "JPEG", quality=60),
        images.saved(SHOT.resize((800, 600)), "WEBP"),
        images.saved(SHOT, "PNG"),
        images.saved(ImageEnhance.Brightness(SHOT).enhance(1.15), "JPEG"),
    ],
    ids=["messenger", "webp", "png", "brighter"],
)
def test_a_copy_is_recognised(look: Look, data: bytes) -> None:
    dhash, phash = distances(look(images.saved(SHOT, "JPEG", quality=90)), look(data))
    assert dhash <= DHASH_CANDIDATE
    assert phash <= PHASH_CONFIRM


def test_turning_the_phone_changes_no_hash(look: Look) -> None:
    upright = look(images.field_photo(7, size=(1600, 1200)))
    for orientation in (3, 6, 8):
        turned = look(images.field_photo(7, size=(1600, 1200), orientation=orientation))
        assert max(distances(upright, turned)) <= 2


def test_other_scenes_are_other_photos(look: Look) -> None:
    shots = [look(images.field_photo(seed)) for seed in range(8)]
    for number, one in enumerate(shots):
        for other in shots[:number]:
            dhash, phash = distances(one, other)
            assert dhash > DHASH_CANDIDATE or phash > PHASH_CONFIRM


def test_a_blank_picture_has_hashes(look: Look) -> None:
    found = look(images.saved(Image.new("RGB", (9, 9), "white"), "PNG"))
    assert (found.dhash, len(found.phash or "")) == ("0" * 16, 16)
