"""Files that are refused as photos and still tell their size and their camera's word."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from fieldapi.imaging.facts import Flag, Reason
from fieldapi.imaging.outlines import outline
from tests.support import images
from tests.unit.imaging.conftest import Look

NAMES = ("AVIF", "BMP", "GIF", "JP2", "PSD", "TIFF")
BLOCK = images.exif_block(
    [images.short(images.ORIENTATION, 6)],
    exif=[images.text(images.TAKEN_AT, "2026:11:30 14:05:09")],
)


@pytest.mark.parametrize("kind", ["AVIF", "BMP", "GIF", "JPEG2000", "TIFF"])
def test_size_is_told_of_what_is_refused(look: Look, kind: str) -> None:
    found = look(images.saved(Image.new("L", (70, 50)), kind))
    assert found.reason == Reason.UNSUPPORTED_TYPE
    assert (found.width, found.height) == (70, 50)


def test_the_cameras_word_is_read_from_an_avif(look: Look) -> None:
    avif = images.saved(Image.new("RGB", (70, 50)), "AVIF", exif=BLOCK.removeprefix(b"Exif\0\0"))
    found = look(avif)
    assert found.exif.taken_at == "2026-11-30T14:05:09"
    assert found.flags == (Flag.TZ_UNKNOWN,)
    assert found.raw_exif["DateTimeOriginal"] == "2026:11:30 14:05:09"


def test_a_tiff_that_lies_is_flagged_and_tells_no_size(look: Look) -> None:
    tiff = b"MM\0*" + struct.pack(">IHHHII", 8, 1, 0x0100, 4, 9999, 4096) + bytes(4)
    found = look(tiff)
    assert (found.flags, found.width) == ((Flag.METADATA_WARNING,), None)


@given(st.sampled_from(NAMES), st.binary(max_size=200))
@settings(max_examples=200)
def test_noise_never_raises(name: str, noise: bytes) -> None:
    outline(noise, name)
    outline(b"\0\0\0\x14ftypavif\0\0\0\0avif" + noise, name)


@given(st.integers(0, 399), st.binary(min_size=1, max_size=8))
@settings(max_examples=300)
def test_a_damaged_avif_never_raises(at: int, change: bytes) -> None:
    avif = AVIF[:at] + change + AVIF[at + len(change) :]
    outline(avif, "AVIF")
    outline(avif[:at], "AVIF")


AVIF = images.saved(Image.new("RGB", (70, 50)), "AVIF", exif=BLOCK.removeprefix(b"Exif\0\0"))
