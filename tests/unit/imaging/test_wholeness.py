"""Files that say of themselves that they go on where they end."""

from __future__ import annotations

import struct

import pytest

from fieldapi.imaging.facts import Flag, Reason, Verdict
from tests.support import images
from tests.support.heic import heic
from tests.unit.imaging.conftest import Look

SMALL = (64, 64)
PNG = images.saved(images.scene(size=SMALL), "PNG")
JPEG = images.saved(images.scene(size=SMALL), "JPEG")


def box(kind: bytes, body: bytes, *, claims: int = 0) -> bytes:
    return struct.pack(">I4s", 8 + len(body) + claims, kind) + body


def test_a_png_without_its_end_is_cut(look: Look) -> None:
    assert look(PNG[:-12]).reason == Reason.TRUNCATED


def test_a_webp_that_claims_more_is_cut(look: Look) -> None:
    webp = images.saved(images.scene(size=SMALL), "WEBP")
    longer = webp[:4] + struct.pack("<I", len(webp) + 100) + webp[8:]
    assert look(longer).verdict == Verdict.REJECT


def test_a_heic_whose_items_lie_beyond_its_end_is_cut(look: Look) -> None:
    series = heic(images.scene(size=SMALL), copies=2)
    assert look(series).flags == (Flag.MULTI_IMAGE,)
    # The first picture is whole, and a decoder asked for it alone sees nothing amiss.
    assert look(series[:-100]).reason == Reason.TRUNCATED


@pytest.mark.parametrize("kind", [b"mdat", b"moov", b"free"])
def test_a_heic_that_breaks_off_beside_its_picture_is_flagged(look: Look, kind: bytes) -> None:
    found = look(heic(images.scene(size=SMALL)) + box(kind, bytes(20), claims=999))
    assert (found.verdict, found.flags) == (Verdict.ACCEPT_FLAGGED, (Flag.TRUNCATED,))


def test_a_film_that_breaks_off_is_flagged(look: Look) -> None:
    film = images.mp4()[:24]
    assert look(JPEG + film + box(b"mdat", bytes(50))).flags == (Flag.MOTION_TRAILER,)
    cut = look(JPEG + film + box(b"mdat", bytes(50), claims=1))
    assert cut.flags == (Flag.MOTION_TRAILER, Flag.TRUNCATED)


@pytest.mark.parametrize("left", [0.2, 0.9, 0.999])
def test_a_second_picture_that_breaks_off_is_flagged(look: Look, left: float) -> None:
    second = images.field_photo(2)
    whole = look(JPEG + second)
    cut = look(JPEG + second[: round(len(second) * left)])
    assert Flag.TRUNCATED not in whole.flags
    assert Flag.TRUNCATED in cut.flags


def test_a_second_picture_that_was_taken_away_is_not_missed(look: Look) -> None:
    two = images.saved(
        images.scene(size=SMALL), "MPO", save_all=True, append_images=[images.scene(size=SMALL)]
    )
    alone = two[: two.index(b"\xff\xd9") + 2]
    assert look(alone).verdict != Verdict.REJECT
    assert Flag.TRUNCATED not in look(alone).flags
