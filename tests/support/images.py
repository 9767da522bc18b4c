"""Photos for tests, drawn here: sound ones with EXIF, and each way a file can be odd or hostile.
The metadata are written tag by tag, so a test can state exactly what a broken camera wrote.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterable
from datetime import datetime, timedelta, timezone
from functools import cache
from typing import Any

from PIL import Image

from fieldapi.imaging.specimen import Specimen, draw, draw_scene
from tests.support.heic import heic

IST = timezone(timedelta(hours=5, minutes=30))
TAKEN = datetime(2026, 11, 30, 14, 5, 9, tzinfo=IST)
RAJKOT = {"lat": 22.30391, "lon": 70.80216}
SMALL = (640, 480)

ORIENTATION, MAKE, MODEL, TAKEN_AT, OFFSET = 0x0112, 0x010F, 0x0110, 0x9003, 0x9011
LAT_REF, LAT, LON_REF, LON, GPS_TIME, GPS_DATE = 1, 2, 3, 4, 7, 29

Tag = tuple[int, int, int, bytes]
"""Number, type, count and value of one tag, the value as big-endian bytes."""


def field_photo(seed: int = 1, **changes: object) -> bytes:
    """Return a JPEG as a phone takes it: 640 x 480, Rajkot, 30 November 2026, Indian time."""
    fields: dict[str, Any] = {"taken_at": TAKEN, "size": SMALL, **RAJKOT, **changes}
    return draw(Specimen(seed, **fields))


@cache
def scene(seed: int = 1, size: tuple[int, int] = SMALL) -> Image.Image:
    """Return the picture alone."""
    return draw_scene(Specimen(seed, TAKEN, size=size))


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    """Return the image as a file of this kind, e.g. `PNG`, with Pillow's own options."""
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def with_exif(block: bytes, *, kind: str = "JPEG", size: tuple[int, int] = (64, 48)) -> bytes:
    """Return a small picture that carries exactly this EXIF block."""
    if kind == "HEIF":
        return heic(scene(size=(64, 32)), exif=block)
    return saved(scene(size=size), kind, exif=block)


# ---- tags


def text(tag: int, value: str | bytes) -> Tag:
    raw = value.encode() if isinstance(value, str) else value
    return tag, 2, len(raw) + 1, raw + b"\0"


def short(tag: int, value: int) -> Tag:
    return tag, 3, 1, struct.pack(">H", value)


def rationals(tag: int, *pairs: tuple[int, int]) -> Tag:
    return tag, 5, len(pairs), b"".join(struct.pack(">II", *pair) for pair in pairs)


def degrees(lat: float, lon: float) -> list[Tag]:
    """Return the four tags of a place, in degrees, minutes and seconds."""
    return [
        text(LAT_REF, "S" if lat < 0 else "N"),
        rationals(LAT, *_sexagesimal(lat)),
        text(LON_REF, "W" if lon < 0 else "E"),
        rationals(LON, *_sexagesimal(lon)),
    ]


def exif_block(
    main: Iterable[Tag] = (), *, exif: Iterable[Tag] = (), gps: Iterable[Tag] = ()
) -> bytes:
    """Return an EXIF block with these tags, big-endian, as JPEG carries it."""
    main, exif, gps = list(main), list(exif), list(gps)
    below = [(tag, tags) for tag, tags in ((0x8769, exif), (0x8825, gps)) if tags]
    at = 8 + _size(main) + 12 * len(below)
    parts = []
    for tag, tags in below:
        main.append((tag, 4, 1, struct.pack(">I", at)))
        parts.append(_folder(tags, at))
        at += len(parts[-1])
    return b"Exif\0\0MM\0*" + struct.pack(">I", 8) + b"".join([_folder(main, 8), *parts])


def _sexagesimal(value: float) -> list[tuple[int, int]]:
    seconds = round(abs(value) * 36_000_000)
    whole, rest = divmod(seconds, 36_000_000)
    return [(whole, 1), (rest // 600_000, 1), (rest % 600_000, 10_000)]


def _size(tags: list[Tag]) -> int:
    return 6 + sum(12 + (len(value) if len(value) > 4 else 0) for *_, value in tags)


def _folder(tags: list[Tag], start: int) -> bytes:
    entries, values = b"", b""
    at = start + 6 + 12 * len(tags)
    for tag, kind, count, value in tags:
        inline = value if len(value) <= 4 else struct.pack(">I", at + len(values))
        values += value if len(value) > 4 else b""
        entries += struct.pack(">HHI", tag, kind, count) + inline.ljust(4, b"\0")
    return struct.pack(">H", len(tags)) + entries + bytes(4) + values


# ---- odd and hostile files


def png_chunk(kind: bytes, body: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(kind + body))
    return struct.pack(">I", len(body)) + kind + body + check


def png_with(chunk: bytes) -> bytes:
    """Return a small PNG with one more chunk before its pixels."""
    plain = saved(scene(size=(64, 48)), "PNG")
    return plain[:33] + chunk + plain[33:]


@cache
def bomb_png(side: int = 65_500) -> bytes:
    """Return a PNG of half a megabyte that holds side x side pixels."""
    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    packer = zlib.compressobj(6)
    row = bytes(side // 8 + 1)
    rows = b"".join([*(packer.compress(row * 100) for _ in range(side // 100)), packer.flush()])
    chunks = (png_chunk(b"IHDR", header), png_chunk(b"IDAT", rows), png_chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def bomb_jpeg(side: int = 64_250) -> bytes:
    """Return a JPEG of a few kilobytes whose header claims side x side pixels."""
    small = saved(Image.new("RGB", (64, 64)), "JPEG")
    at = small.index(b"\xff\xc0") + 5
    return small[:at] + struct.pack(">HH", side, side) + small[at + 4 :]


def mp4() -> bytes:
    """Return the start of a film, as motion photos append it."""
    return struct.pack(">I", 24) + b"ftypmp42" + bytes(4) + b"isommp42" + bytes(2000)


def archive() -> bytes:
    """Return a ZIP of one file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as zipped:
        zipped.writestr("note.txt", "kept with the picture")
    return file.getvalue()


def p3_profile() -> bytes:
    """Return an ICC profile whose red and green are swapped: unlike sRGB, so a use of it shows."""
    from PIL import ImageCms  # noqa: PLC0415 - only this one needs it

    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    for at in range(132, 132 + 12 * struct.unpack_from(">I", profile, 128)[0], 12):
        swapped = {b"rXYZ": b"gXYZ", b"gXYZ": b"rXYZ"}.get(bytes(profile[at : at + 4]))
        if swapped:
            profile[at : at + 4] = swapped
    return bytes(profile).replace("sRGB".encode("utf-16-be"), "xRGB".encode("utf-16-be"))
