"""Turns date tags into wall-clock times and zones, or says why not. Only `DateTimeOriginal` and
`OffsetTimeOriginal` tell of the capture; the other dates tell of later editing. Used by `exif.py`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from fieldapi.imaging.facts import Flag
from fieldapi.imaging.tags import Folder
from fieldapi.imaging.text import clean

_TAKEN, _TAKEN_OFFSET = 0x9003, 0x9011
_GPS_TIME, _GPS_DATE = 7, 29
_DATE = re.compile(
    r"(\d{4})[:\-/.](\d{2})[:\-/.](\d{2})[ T](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?\s*(\S*)", re.ASCII
)
_OFFSET = re.compile(r"([+-])(\d{2}):?(\d{2})", re.ASCII)
_EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
_SLACK = timedelta(days=1)
# Outside of these no zone can be taken into account: no day comes before or after.
_ZONED = (datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC))
_WIDEST = 14 * 60


@dataclass(frozen=True, slots=True)
class Taken:
    """When the shutter fell: wall clock `at`, zone `offset`, and what is odd about them."""

    at: str | None = None
    offset: str | None = None
    flags: tuple[Flag, ...] = ()


def read_taken(exif: Folder, *, now: datetime) -> Taken:
    """Return the capture time; a date that is not surely right is no date.

    `now`: aware; a date more than a day after it, or before 1990, is kept and flagged.
    """
    text = clean(exif.get(_TAKEN))
    if not text.strip(" :"):
        return Taken()
    match = _DATE.fullmatch(text)
    at = _moment(*map(int, match.groups()[:6])) if match else None
    if match is None or at is None or not _ZONED[0] <= at <= _ZONED[1]:
        return Taken(flags=(Flag.DATE_INVALID,))
    offset = read_offset(clean(exif.get(_TAKEN_OFFSET)))
    if match[7]:
        offset = read_offset(match[7])
        if offset is None:
            return Taken(flags=(Flag.DATE_INVALID,))
    flags = () if offset else (Flag.TZ_UNKNOWN,)
    if not _EARLIEST <= at <= now + _SLACK:
        # A zone matters little to a date that is years away.
        flags = (Flag.DATE_IMPLAUSIBLE,)
    return Taken(_wall(at), offset, flags)


def read_offset(text: str) -> str | None:
    """Return a zone as `+05:30`, or None if it is none.

    >>> read_offset("+0530"), read_offset("Z"), read_offset("+15:00"), read_offset("IST")
    ('+05:30', '+00:00', None, None)
    """
    if text == "Z":
        return "+00:00"
    match = _OFFSET.fullmatch(text)
    if match is None or match[3] > "59" or int(match[2]) * 60 + int(match[3]) > _WIDEST:
        return None
    return f"{match[1]}{match[2]}:{match[3]}"


def read_gps_time(gps: Folder) -> str | None:
    """Return the satellites' time, `2026-11-30T08:35:09Z`, if date and time are both usable."""
    date = clean(gps.get(_GPS_DATE)).split(":")
    time = gps.get(_GPS_TIME)
    if len(date) != 3 or not isinstance(time, tuple) or len(time) != 3:  # noqa: PLR2004 - three each
        return None
    if not all(re.fullmatch(r"\d{1,4}", part, re.ASCII) for part in date):
        return None
    if not all(math.isfinite(part) for part in time):
        return None
    at = _moment(*map(int, date), *map(int, time))
    return f"{_wall(at)}Z" if at else None


def _wall(at: datetime) -> str:
    return at.replace(tzinfo=None).isoformat()


def _moment(*parts: int) -> datetime | None:
    year, month, day, hour, minute, second = parts
    try:
        return datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
