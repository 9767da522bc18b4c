"""Reads what the camera says and keeps what makes sense. Runs in the child process, called by
`analyse.py`; every tag may be missing, of the wrong type, or a lie.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from PIL.ExifTags import GPSTAGS, TAGS

from fieldapi.imaging.dates import read_gps_time, read_taken
from fieldapi.imaging.facts import ExifFacts, Flag
from fieldapi.imaging.gps import read_fix
from fieldapi.imaging.tags import Folder, Tags, read_tags
from fieldapi.imaging.text import clean, shown

_MAKE, _MODEL, _ORIENTATION = 0x010F, 0x0110, 0x0112
_NOISE = frozenset((0x8769, 0x8825, 0x927C, 0x0201, 0x0202))  # pointers, maker's notes, thumbnail
_RAW_LIMIT = 400
_XMP_ORIENTATION = re.compile(rb"tiff:Orientation(?:\s*=\s*[\"']|\s*>\s*)([1-8])")
_XMP_LIMIT = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Exif:
    """The camera's word: checked facts, every readable tag as text, and what is odd."""

    facts: ExifFacts
    raw: dict[str, str]
    flags: tuple[Flag, ...] = ()


def read_exif(block: bytes | None, *, now: datetime) -> Exif:
    """Return what an EXIF block says; no block says nothing. `now` as in `read_taken`."""
    if not block:
        return Exif(ExifFacts(), {})
    tags = read_tags(block)
    fix, taken = read_fix(tags.gps), read_taken(tags.exif, now=now)
    facts = ExifFacts(
        lat=fix.lat,
        lon=fix.lon,
        taken_at=taken.at,
        offset=taken.offset,
        gps_at=read_gps_time(tags.gps),
        orientation=_orientation(tags),
        make=clean(tags.main.get(_MAKE)) or None,
        model=clean(tags.main.get(_MODEL)) or None,
    )
    flags = [*taken.flags, *([fix.flag] if fix.flag else [])]
    if tags.damage:
        flags.append(Flag.METADATA_WARNING)
    return Exif(facts, dict(_raw(tags)), tuple(flags))


def xmp_orientation(xmp: bytes | None) -> int | None:
    """Return the orientation in an XMP packet, found without parsing XML."""
    match = _XMP_ORIENTATION.search((xmp or b"")[:_XMP_LIMIT])
    return int(match[1]) if match else None


def _orientation(tags: Tags) -> int | None:
    value = tags.main.get(_ORIENTATION)
    return value if isinstance(value, int) and 1 <= value <= 8 else None  # noqa: PLR2004 - EXIF's eight


def _raw(tags: Tags) -> Iterator[tuple[str, str]]:
    yield from _named(tags.main, TAGS, "")
    yield from _named(tags.exif, TAGS, "")
    yield from _named(tags.gps, GPSTAGS, "GPS.")


def _named(folder: Folder, names: dict[int, str], prefix: str) -> Iterator[tuple[str, str]]:
    for tag, value in list(folder.items())[:_RAW_LIMIT]:
        if tag not in _NOISE:
            yield prefix + names.get(tag, f"0x{tag:04x}"), shown(value)
