"""Looks whether a file is all there, by what it says of itself: decoders show half a photo gladly.
Runs in the child process, called by `analyse.py`; decodes nothing.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from enum import Enum

from fieldapi.imaging.boxes import FULL, Box, boxes, places
from fieldapi.imaging.trailer import jpeg_scans

_PADDING = 1  # some writers leave the last byte of an odd chunk away
_MEDIA = frozenset((b"ftyp", b"meta", b"mdat", b"moov", b"mpvd", b"free", b"skip", b"uuid"))
_FILM = re.compile(rb"\0\0[\0-\x02].ftyp[ -~]{4}", re.DOTALL)
_PICTURE, _END = b"\xff\xd8\xff", b"\xff\xd9"


class Cut(Enum):
    """What is missing at the end of a file: a part of the picture, or of what follows it."""

    PICTURE = "picture"
    BESIDE = "beside"


def find_cut(data: bytes, name: str, end: int) -> Cut | None:
    """Return what of a file of format `name` is missing, None where nothing is known to be.

    `end`: where the picture ends, which only counts for JPEG.
    """
    if name == "JPEG":
        return _after_jpeg(data[end:])
    if name == "PNG":
        return None if _has_png_end(data) else Cut.PICTURE
    if name == "WEBP":
        told = 8 + int.from_bytes(data[4:8], "little")
        return Cut.PICTURE if told > len(data) + _PADDING else None
    return _in_heif(data)


def _after_jpeg(trailer: bytes) -> Cut | None:
    """Look at the films and pictures that follow. One that was taken away whole is not cut."""
    film = _FILM.search(trailer)
    if film is not None:
        parts = boxes(trailer, film.start(), len(trailer))
        return Cut.BESIDE if _is_cut(parts) else None
    begun = trailer.find(_PICTURE)
    while begun >= 0:
        length = _jpeg_length(trailer[begun:])
        if length is None:
            return Cut.BESIDE
        begun = trailer.find(_PICTURE, begun + length)
    return None


def _jpeg_length(data: bytes) -> int | None:
    """Return where the first picture ends: after its thumbnail, which stands in a segment."""
    scans = jpeg_scans(data)[0]
    end = data.find(_END, scans)
    return None if end < 0 else end + 2


def _has_png_end(data: bytes) -> bool:
    at = 8
    while at + 12 <= len(data):
        if data[at + 4 : at + 8] == b"IEND":
            return True
        at += 12 + int.from_bytes(data[at : at + 4], "big")
    return False


def _in_heif(data: bytes) -> Cut | None:
    parts = list(boxes(data, 0, len(data)))
    try:
        lacks_items = any(_lacks_items(data, box) for box in parts if box.kind == b"meta")
    except struct.error:
        lacks_items = True
    if lacks_items:
        return Cut.PICTURE
    return Cut.BESIDE if _is_cut(parts) else None


def _lacks_items(data: bytes, meta: Box) -> bool:
    """Say whether an item of the file lies beyond its end."""
    for box in boxes(data, meta.start + FULL, meta.end):
        if box.kind == b"iloc":
            inside = (place for place in places(data, box) if place.is_in_file)
            return any(place.at + place.size > len(data) for place in inside)
    return False


def _is_cut(parts: Iterable[Box]) -> bool:
    return any(box.is_cut and box.kind in _MEDIA for box in parts)
