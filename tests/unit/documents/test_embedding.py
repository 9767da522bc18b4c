"""Pictures in a PDF stay the bytes they were, each at the place that the table names."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from PIL import Image

from fieldapi.documents.casebook import Album, PhotoPage, album_pdf
from fieldapi.documents.drawing import DEFAULT_FONTS
from fieldapi.documents.embedding import Picture, Unembeddable, embed

pytestmark = pytest.mark.skipif(not DEFAULT_FONTS.is_dir(), reason="fonts-noto-core is missing")


def _picture(folder: Path, name: str, mode: str, size: tuple[int, int]) -> bytes:
    out = io.BytesIO()
    Image.effect_noise(size, 60).convert(mode).save(out, "JPEG")
    (folder / name).write_bytes(out.getvalue())
    return out.getvalue()


def _album(*names: str) -> Album:
    pages = [PhotoPage(f"Photo {one}", one, "" if one else "missing", [], "ab") for one in names]
    return Album("gu", "case", "foot", pages)


def test_pictures_are_embedded_byte_for_byte_at_the_places_of_the_table(tmp_path: Path) -> None:
    wide = _picture(tmp_path, "a.jpg", "RGB", (640, 480))
    high = _picture(tmp_path, "b.jpg", "L", (300, 700))

    album_pdf(_album("a.jpg", "", "b.jpg"), tmp_path / "out.pdf")

    pdf = (tmp_path / "out.pdf").read_bytes()
    assert (pdf.count(wide), pdf.count(high)) == (1, 1)
    start = int(re.findall(rb"startxref\n(\d+)\n%%EOF", pdf)[-1])
    table = pdf[start:]
    assert table.startswith(b"xref\n")
    for number, at in re.findall(rb"(\d+) 1\n(\d{10}) 00000 n\r\n", table):
        assert pdf[int(at) :].startswith(number + b" 0 obj\n")
    assert b"/Width 640/Height 480" in pdf
    assert b"/Width 300/Height 700/ColorSpace/DeviceGray" in pdf


def test_same_album_is_the_same_file(tmp_path: Path) -> None:
    _picture(tmp_path, "a.jpg", "RGB", (64, 48))

    album_pdf(_album("a.jpg"), tmp_path / "one.pdf")
    album_pdf(_album("a.jpg"), tmp_path / "other.pdf")

    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "other.pdf").read_bytes()


def test_pdf_without_placeholders_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out.pdf").write_bytes(b"%PDF-1.7\ntrailer\n<</Size 1>>\nstartxref\n9\n%%EOF")
    _picture(tmp_path, "a.jpg", "RGB", (64, 48))

    with pytest.raises(Unembeddable):
        embed(tmp_path / "out.pdf", [Picture.of(tmp_path / "a.jpg")])
