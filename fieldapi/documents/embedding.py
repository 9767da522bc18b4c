"""Puts JPEGs into a PDF whose pages were set with placeholders: byte for byte, piece by piece, so
that a book of photos needs the memory of none of them.

Called by `casebook`. The PDF is the one that Typst writes: a plain cross-reference table, images as
objects of their own; the pictures follow as an update of the file (ISO 32000-1, 7.5.6).
"""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

_IMAGE = re.compile(
    rb"(\d+) 0 obj\s*<</Length \d+/Type/XObject/Subtype/Image/Filter/DCTDecode"
    rb"/Width (\d+)/Height 1/ColorSpace (\d+ 0 R|/\w+)/BitsPerComponent 8>>"
)
_TRAILER = re.compile(rb"trailer\s*<<(.*?)>>\s*startxref\s*(\d+)\s*%%EOF\s*$", re.DOTALL)
_GREY = "L"


class Unembeddable(Exception):
    """The PDF is not of the form that this program writes."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A JPEG on disk, with its size in pixels. `is_grey`: it has one channel."""

    path: Path
    width: int
    height: int
    is_grey: bool

    @classmethod
    def of(cls, path: Path) -> Picture:
        """Return the picture in a file; only its head is read."""
        with Image.open(path, formats=("JPEG",)) as image:
            return cls(path, image.width, image.height, image.mode == _GREY)


def placeholder(number: int) -> bytes:
    """Return the JPEG that stands for picture `number` (from 0): its width tells which it is."""
    out = io.BytesIO()
    Image.new("RGB", (number + 1, 1)).save(out, "JPEG")
    return out.getvalue()


def embed(pdf: Path, pictures: Sequence[Picture]) -> None:
    """Put each picture where its placeholder is. Raises `Unembeddable`."""
    before = pdf.read_bytes()
    trailer = _TRAILER.search(before)
    found = {int(one[2]): (int(one[1]), one[3]) for one in _IMAGE.finditer(before)}
    if trailer is None or set(found) != set(range(1, len(pictures) + 1)):
        raise Unembeddable("the placeholders are not where they should be")
    offsets: dict[int, int] = {}
    with pdf.open("ab") as file:
        for place, picture in enumerate(pictures, 1):
            number, colours = found[place]
            offsets[number] = file.tell()
            file.write(_head(number, picture, colours))
            with picture.path.open("rb") as source:
                shutil.copyfileobj(source, file)
            file.write(b"\nendstream\nendobj\n")
        start = file.tell()
        file.write(_table(offsets))
        file.write(b"trailer\n<<%s/Prev %s>>\n" % (trailer[1], trailer[2]))
        file.write(b"startxref\n%d\n%%%%EOF\n" % start)


def _head(number: int, picture: Picture, colours: bytes) -> bytes:
    space = b"/DeviceGray" if picture.is_grey else b" " + colours.lstrip()
    size = picture.path.stat().st_size
    said = b"<</Length %d/Type/XObject/Subtype/Image/Filter/DCTDecode/Width %d/Height %d" % (
        size,
        picture.width,
        picture.height,
    )
    return b"%d 0 obj\n%s/ColorSpace%s/BitsPerComponent 8>>\nstream\n" % (number, said, space)


def _table(offsets: dict[int, int]) -> bytes:
    rows = (b"%d 1\n%010d 00000 n\r\n" % (number, at) for number, at in sorted(offsets.items()))
    return b"xref\n" + b"".join(rows)
