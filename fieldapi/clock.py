"""The server's clock and how instants are written: UTC, milliseconds, RFC 3339 with `Z`.

The one place that asks the system for the time; `unit.now` hands it on. Imports settings only.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

Clock = Callable[[], datetime]

# One zone for every legal day of the three Acts; it has no summer time.
INDIA = timezone(timedelta(hours=5, minutes=30), "IST")

_RFC3339 = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)", re.ASCII
)


def system_clock() -> datetime:
    """Return the present instant, cut to whole milliseconds."""
    return cut(datetime.now(UTC))


def file_clock(path: Path) -> Clock:
    """Return a clock that reads its instant from `path` each time: tests move the file on."""

    def read() -> datetime:
        return parse_instant(path.read_text().strip())

    return read


def cut(instant: datetime) -> datetime:
    """Return `instant` in UTC without microseconds below the millisecond."""
    utc = instant.astimezone(UTC)
    return utc.replace(microsecond=utc.microsecond // 1000 * 1000)


def format_instant(instant: datetime) -> str:
    """Write an aware instant as text.

    >>> format_instant(datetime(2026, 11, 30, 6, 10, tzinfo=UTC))
    '2026-11-30T06:10:00.000Z'
    """
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def parse_instant(text: str) -> datetime:
    """Read an RFC 3339 instant with an offset. Raises `ValueError`.

    >>> parse_instant("2026-11-30T11:40:00+05:30").isoformat()
    '2026-11-30T06:10:00+00:00'
    """
    found = _RFC3339.fullmatch(text)
    if not found:
        raise ValueError(text)
    date, time, fraction, zone = found.groups()
    micros = ((fraction or "") + "000000")[:6]
    offset = "+00:00" if zone in "Zz" else zone
    return cut(datetime.fromisoformat(f"{date}T{time}.{micros}{offset}"))


def to_ms(instant: datetime) -> int:
    """Return whole milliseconds since 1970 (exact, no floats)."""
    return (instant - _EPOCH) // _MS


def from_ms(ms: int) -> datetime:
    """Return the instant `ms` milliseconds after 1970. Raises `OverflowError` far out of range."""
    return _EPOCH + timedelta(milliseconds=ms)


_EPOCH, _MS = datetime(1970, 1, 1, tzinfo=UTC), timedelta(milliseconds=1)
