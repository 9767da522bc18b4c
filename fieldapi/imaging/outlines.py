"""What the head of a file tells that is refused as a photo: its size and its camera's word. A
reviewer should know of them; nothing is decoded. Runs in the child process, called by `analyse.py`.

Sources: GIF89a, TIFF 6.0, RFC 9649 (WebP), ISO/IEC 14496-12 (boxes) and 23008-12 (`ispe`, `irot`,
`Exif` items).
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

from fieldapi.imaging.boxes import FULL, Box, boxes, places
from fieldapi.imaging.tags import read_tags

_WIDTH, _HEIGHT = 0x0100, 0x0101
_EXIF_LIMIT = 1024 * 1024
_SIDE = 0x3FFF  # WebP's sides have 14 bits
_INFE_VERSION = 2  # from here on an item says its type


@dataclass(frozen=True, slots=True)
class Outline:
    """`size`: pixels, as looked at but for EXIF's turn; `exif`: the block; None: not told."""

    size: tuple[int, int] | None = None
    exif: bytes | None = None


def outline(data: bytes, name: str | None) -> Outline:
    """Return what a file of this format tells in its head; never raises for what it holds."""
    read = _READERS.get(name or "")
    if read is None:
        return Outline()
    try:
        found = read(data)
    except (struct.error, IndexError, ValueError):
        return Outline()
    return found if found.size is None or min(found.size) > 0 else Outline(exif=found.exif)


def _gif(data: bytes) -> Outline:
    return Outline(struct.unpack_from("<HH", data, 6))


def _bmp(data: bytes) -> Outline:
    width, height = struct.unpack_from("<ii", data, 18)
    return Outline((width, abs(height)))


def _psd(data: bytes) -> Outline:
    height, width = struct.unpack_from(">II", data, 14)
    return Outline((width, height))


def _jp2(data: bytes) -> Outline:
    height, width = struct.unpack_from(">II", data, data.index(b"ihdr") + 4)
    return Outline((width, height))


def _webp(data: bytes) -> Outline:
    """The canvas, or the one picture (RFC 9649 sections 2.5 to 2.7)."""
    kind = data[12:16]
    if kind == b"VP8X":
        return Outline((_u24(data, 24) + 1, _u24(data, 27) + 1))
    if kind == b"VP8L":
        bits = struct.unpack_from("<I", data, 21)[0]
        return Outline(((bits & _SIDE) + 1, (bits >> 14 & _SIDE) + 1))
    width, height = struct.unpack_from("<HH", data, 26)
    return Outline((width & _SIDE, height & _SIDE))


def _u24(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 3], "little")


def _tiff(data: bytes) -> Outline:
    """A TIFF is its own EXIF block; its pixels are not looked at."""
    tags = read_tags(data)
    width, height = tags.main.get(_WIDTH), tags.main.get(_HEIGHT)
    if tags.damage or not isinstance(width, int) or not isinstance(height, int):
        return Outline(exif=data)
    return Outline((width, height), data)


# ---- the family of HEIF


def _avif(data: bytes) -> Outline:
    metas = [box for box in boxes(data, 0, len(data)) if box.kind == b"meta"]
    if not metas:
        return Outline()
    parts = {box.kind: box for box in boxes(data, metas[0].start + FULL, metas[0].end)}
    size = _size(data, parts[b"iprp"]) if b"iprp" in parts else None
    has_items = b"iinf" in parts and b"iloc" in parts
    return Outline(size, _exif(data, parts[b"iinf"], parts[b"iloc"]) if has_items else None)


def _size(data: bytes, iprp: Box) -> tuple[int, int] | None:
    """Return the largest size that a part has: tiles and thumbnails are smaller than the whole."""
    sizes: list[tuple[int, int]] = []
    is_turned = False
    for ipco in boxes(data, iprp.start, iprp.end):
        for box in boxes(data, ipco.start, ipco.end) if ipco.kind == b"ipco" else ():
            if box.kind == b"ispe":
                sizes.append(struct.unpack_from(">II", data, box.start + FULL))
            is_turned |= box.kind == b"irot" and data[box.start] & 1 == 1
    if not sizes:
        return None
    width, height = max(sizes, key=lambda size: size[0] * size[1])
    return (height, width) if is_turned else (width, height)


def _exif(data: bytes, iinf: Box, iloc: Box) -> bytes | None:
    wanted = _exif_item(data, iinf)
    if wanted is None:
        return None
    for place in places(data, iloc):
        if place.item == wanted and place.is_in_file and place.size <= _EXIF_LIMIT:
            block = data[place.at : place.at + place.size]
            skip = struct.unpack_from(">I", block)[0]
            return block[4 + skip :]
    return None


def _exif_item(data: bytes, iinf: Box) -> int | None:
    counted = 2 if data[iinf.start] == 0 else 4
    for box in boxes(data, iinf.start + FULL + counted, iinf.end):
        version = data[box.start]
        if box.kind != b"infe" or version < _INFE_VERSION:
            continue
        form = ">HH4s" if version == _INFE_VERSION else ">IH4s"
        item, _, kind = struct.unpack_from(form, data, box.start + FULL)
        if kind == b"Exif":
            return int(item)
    return None


_READERS: MappingProxyType[str, Callable[[bytes], Outline]] = MappingProxyType(
    {
        "AVIF": _avif,
        "BMP": _bmp,
        "GIF": _gif,
        "JP2": _jp2,
        "PSD": _psd,
        "TIFF": _tiff,
        "WEBP": _webp,
    }
)
