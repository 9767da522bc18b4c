"""Files made to be taken for photos, or to take the reader down."""

from __future__ import annotations

import time
import zlib
from pathlib import Path

import pytest

from fieldapi.imaging import Analyser
from fieldapi.imaging.facts import Reason, Verdict
from tests.support import images
from tests.support.heic import heic
from tests.unit.imaging.conftest import Look

PHOTO = images.field_photo()
PROGRESSIVE = images.saved(images.scene(), "JPEG", progressive=True)
PNG = images.saved(images.scene(), "PNG")
WEBP = images.saved(images.scene(), "WEBP")
LOSSLESS = images.saved(images.scene(), "WEBP", lossless=True)
WIDER = images.saved(images.scene(), "WEBP", exif=images.exif_block([images.short(0x0112, 1)]))
HEIC = heic(images.scene(size=(640, 480)))


@pytest.mark.parametrize("share", [0.5, 0.9, 0.99, 0.999])
@pytest.mark.parametrize("data", [PHOTO, PROGRESSIVE, PNG, WEBP, HEIC], ids=lambda d: d[1:12].hex())
def test_a_photo_that_was_cut_is_rejected(look: Look, data: bytes, share: float) -> None:
    found = look(data[: round(len(data) * share)])
    assert found.verdict == Verdict.REJECT
    assert found.reason in {Reason.TRUNCATED, Reason.CORRUPT}
    assert found.preview is None


def test_a_cut_is_told_from_damage(look: Look) -> None:
    assert look(PHOTO[:-2000]).reason == Reason.TRUNCATED
    assert look(PNG[:-2000]).reason == Reason.TRUNCATED
    for webp in (WEBP, LOSSLESS, WIDER):
        cut = look(webp[: len(webp) // 2])
        assert (cut.reason, cut.width, cut.height) == (Reason.TRUNCATED, 640, 480)
    assert look(PHOTO[:30]).reason == Reason.CORRUPT


@pytest.mark.parametrize(
    "data", [b"\xff\xd8\xff\xe1\xff\xff", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBP"]
)
def test_a_head_without_a_body_is_rejected(look: Look, data: bytes) -> None:
    assert look(data).reason == Reason.CORRUPT


@pytest.mark.parametrize("bomb", [images.bomb_png(), images.bomb_jpeg()], ids=["png", "jpeg"])
def test_a_bomb_is_rejected_within_a_second(tmp_path: Path, bomb: bytes) -> None:
    path = tmp_path / "bomb"
    path.write_bytes(bomb)
    analyser = Analyser(1)
    analyser.analyse_photo(path, claimed_type=None, out_dir=tmp_path)  # starts the worker
    began = time.monotonic()
    found = analyser.analyse_photo(path, claimed_type=None, out_dir=tmp_path)
    assert (found.reason, time.monotonic() - began < 1) == (Reason.TOO_MANY_PIXELS, True)
    analyser.close()


def test_a_text_bomb_in_png_is_rejected(look: Look) -> None:
    body = b"Comment\0\0" + zlib.compress(bytes(100_000_000), 9)
    bomb = images.png_with(images.png_chunk(b"zTXt", body))
    began = time.monotonic()
    found = look(bomb)
    assert found.verdict == Verdict.REJECT
    assert time.monotonic() - began < 1


def test_sides_have_a_limit_too(look: Look) -> None:
    strip = images.saved(images.scene().resize((31_000, 2)), "PNG")
    assert look(strip).reason == Reason.TOO_MANY_PIXELS
    assert look(images.saved(images.scene().resize((29_999, 2)), "PNG")).verdict == Verdict.ACCEPT


def test_a_name_in_metadata_cannot_break_a_label(look: Look) -> None:
    block = images.exif_block([images.text(images.MAKE, '"><script>\u202e\x1b[2J\r\nx')])
    found = look(images.with_exif(block))
    assert found.exif.make == '"><script>[2Jx'


def test_sixty_four_kilobytes_of_metadata_are_kept_short(look: Look) -> None:
    tags = [images.text(0x9000 + number, "x" * 3000) for number in range(20)]
    found = look(images.with_exif(images.exif_block(exif=tags)))
    assert max(map(len, found.raw_exif.values())) <= 1024
