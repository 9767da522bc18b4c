"""Reads EXIF (a TIFF of tags) with bounds on everything: counts, offsets, text. What cannot be read
is left out and noted as damage; nothing that a file says can raise, loop or grow.

Used by `exif.py`. Pillow's own reader stays silent where a reviewer should know, and hands out 0/0
as a number. Source: CIPA DC-008 (EXIF 2.32), TIFF 6.0 section 2.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field

_EXIF, _GPS = 0x8769, 0x8825
_THUMBNAIL_AT, _THUMBNAIL_SIZE = 0x0201, 0x0202
_HEADER = 8
_ENTRY = 12
_INLINE = 4
_PADDING = 64  # editors drop a few bytes after the last value; that is no damage
_ENTRIES_LIMIT = 512
_NUMBERS_LIMIT = 64
_BYTE, _TEXT, _BLOB = 1, 2, 7
_FORMATS = dict(enumerate(("B", "s", "H", "I", "II", "b", "s", "h", "i", "ii", "f", "d", "I"), 1))

Value = bytes | int | float | tuple[int | float, ...]
"""Text and blobs are bytes as they stand; rationals are floats, NaN where the divisor is 0."""

Folder = dict[int, Value]


@dataclass(slots=True)
class Tags:
    """The tags of a photo by folder. `damage`: what could not be read, in words."""

    main: Folder = field(default_factory=dict)
    exif: Folder = field(default_factory=dict)
    gps: Folder = field(default_factory=dict)
    damage: list[str] = field(default_factory=list)


def read_tags(block: bytes) -> Tags:
    """Return what can be read of an EXIF block, with or without the header that JPEG gives it."""
    data = block.removeprefix(b"Exif\0\0")
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(data[:4])
    if order is None or len(data) < _HEADER:
        return Tags(damage=["header"])
    return _Reader(data, order).read()


class _Reader:
    """One pass over one block; every note of damage lands in its tags."""

    def __init__(self, data: bytes, order: str) -> None:
        self._data = data
        self._order = order
        self._tags = Tags()

    def read(self) -> Tags:
        tags = self._tags
        tags.main, following = self._folder(self._unpack("I", 4)[0])
        tags.exif = self._below(_EXIF)
        tags.gps = self._below(_GPS)
        thumbnail = self._folder(following)[0] if following else {}
        for folder in (tags.main, tags.exif, thumbnail):
            self._check_thumbnail(folder)
        return tags

    def _below(self, pointer: int) -> Folder:
        at = self._tags.main.pop(pointer, 0)
        if isinstance(at, int):
            return self._folder(at)[0] if at else {}
        self._note(f"pointer {pointer:#x}")
        return {}

    def _folder(self, start: int) -> tuple[Folder, int]:
        """Return the folder at `start`, and where the next one is (0: nowhere)."""
        if start + 2 > len(self._data):
            self._note("folder outside the block")
            return {}, 0
        count = min(self._unpack("H", start)[0], _ENTRIES_LIMIT)
        end = start + 2 + count * _ENTRY
        if end > len(self._data):
            self._note("folder cut short")
        folder: Folder = {}
        for at in range(start + 2, min(end, len(self._data) - _ENTRY + 1), _ENTRY):
            self._entry(folder, at)
        following = self._unpack("I", end)[0] if end + 4 <= len(self._data) else 0
        return folder, following

    def _entry(self, folder: Folder, at: int) -> None:
        tag, kind, count = self._unpack("HHI", at)
        if kind not in _FORMATS:
            self._note(f"type of {tag:#x}")
            return
        size = struct.calcsize("<" + _FORMATS[kind]) * count
        where = at + 8 if size <= _INLINE else self._unpack("I", at + 8)[0]
        if where + size > len(self._data):
            self._note(f"value of {tag:#x} outside the block")
        elif count:
            folder.setdefault(tag, self._value(where, size, kind, count))

    def _value(self, where: int, size: int, kind: int, count: int) -> Value:
        raw = self._data[where : where + size]
        if kind in (_TEXT, _BLOB) or count > _NUMBERS_LIMIT:
            return raw
        numbers: tuple[int | float, ...] = struct.unpack(self._order + _FORMATS[kind] * count, raw)
        if len(_FORMATS[kind]) > 1:
            pairs = zip(numbers[::2], numbers[1::2], strict=True)
            numbers = tuple(above / below if below else math.nan for above, below in pairs)
        return numbers[0] if count == 1 else numbers

    def _check_thumbnail(self, folder: Folder) -> None:
        at, size = folder.get(_THUMBNAIL_AT), folder.get(_THUMBNAIL_SIZE)
        if not isinstance(at, int) or not isinstance(size, int):
            return
        if at + size > len(self._data) + _PADDING:
            self._note("thumbnail outside the block")

    def _unpack(self, form: str, at: int) -> tuple[int, ...]:
        return struct.unpack_from(self._order + form, self._data, at)

    def _note(self, damage: str) -> None:
        self._tags.damage.append(damage)
