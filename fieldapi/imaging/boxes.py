"""Walks the boxes of the ISO media family (HEIF, AVIF, MP4) with bounds on everything. Used where
the project looks at a file itself rather than let a decoder: `outlines.py`, `wholeness.py`.

Source: ISO/IEC 14496-12, sections 4.2 (boxes) and 8.11.3 (`iloc`).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

FULL = 4  # bytes of version and flags at the start of a full box
_LIMIT = 4000


@dataclass(frozen=True, slots=True)
class Box:
    """A box: its type, and where its body starts and ends. `is_cut`: the file ends before it."""

    kind: bytes
    start: int
    end: int
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part of an item lies. `is_in_file`: `at` counts from the start of the file."""

    item: int
    at: int
    size: int
    is_in_file: bool


def boxes(data: bytes, start: int, end: int) -> Iterator[Box]:
    """Yield the boxes between two places; the last one may be cut, and then nothing follows."""
    for _ in range(_LIMIT):
        if start + 8 > end:
            return
        size, kind = struct.unpack_from(">I4s", data, start)
        head = 8
        if size == 1 and start + 16 <= end:
            size, head = struct.unpack_from(">Q", data, start + 8)[0], 16
        elif size == 0:
            size = end - start
        if size < head:
            return
        yield Box(kind, start + head, min(start + size, end), is_cut=start + size > end)
        start += size


def places(data: bytes, iloc: Box) -> Iterator[Place]:
    """Yield where the parts of items lie. Raises `struct.error` where the box is cut or lies."""
    version, at = data[iloc.start], iloc.start + FULL
    sizes = struct.unpack_from(">H", data, at)[0]
    offset_size, length_size, base_size = (sizes >> shift & 15 for shift in (12, 8, 4))
    index_size = sizes & 15 if version else 0
    wide = 4 if version > 1 else 2
    count, at = _number(data, at + 2, wide), at + 2 + wide
    for _ in range(min(count, _LIMIT)):
        item, at = _number(data, at, wide), at + wide
        method = _number(data, at, 2) & 15 if version else 0
        at += 4 if version else 2  # and a data reference
        base, at = _number(data, at, base_size), at + base_size
        extents, at = _number(data, at, 2), at + 2
        for _ in range(min(extents, _LIMIT)):
            at += index_size
            offset = _number(data, at, offset_size)
            length = _number(data, at + offset_size, length_size)
            at += offset_size + length_size
            yield Place(item, base + offset, length, is_in_file=method == 0)


def _number(data: bytes, at: int, size: int) -> int:
    if at + size > len(data):
        raise struct.error("the box is cut")
    return int.from_bytes(data[at : at + size], "big")
