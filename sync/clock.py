"""Stamps that only grow, and the time an op counts as made.

Phones mint stamps with `next_stamp`; the server judges `at` once, at first receipt, with
`effective_ms`. The wall clock is always an argument.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple, NewType

Stamp = NewType("Stamp", str)  # `{ms:012x}-{counter:04x}-{actor}`: text order is time order

MAX_MS = 2**48 - 1
MAX_COUNTER = 0xFFFF
TRUSTED_OFFSET_MS = 60_000  # clocks this near each other are taken as equal
SUSPECT_OFFSET_MS = 600_000

_STAMP = re.compile(r"[0-9a-f]{12}-[0-9a-f]{4}-[0-9a-f]{16}")


class StampError(ValueError):
    """A text that is no stamp, or a clock that has no stamp left."""


class StampParts(NamedTuple):
    """A stamp taken apart: milliseconds since 1970, counter, actor (16 hex digits)."""

    ms: int
    counter: int
    actor: str

    def text(self) -> Stamp:
        """Return the stamp."""
        return Stamp(f"{self.ms:012x}-{self.counter:04x}-{self.actor}")


def is_stamp(text: object) -> bool:
    """Say whether `text` is a stamp."""
    return isinstance(text, str) and _STAMP.fullmatch(text) is not None


def parse_stamp(text: str) -> StampParts:
    """Return the parts of a stamp. Raises StampError.

    >>> parse_stamp("0193a5c0f7e2-0003-9f86d081884c7d65").counter
    3
    """
    if not is_stamp(text):
        raise StampError(f"not a stamp: {text[:40]!r}")
    return StampParts(int(text[:12], 16), int(text[13:17], 16), text[18:])


def next_stamp(wall_ms: int, last: str | None, actor: str) -> Stamp:
    """Return a stamp greater than `last`, at the wall clock or later.

    Raises StampError if `actor` is none, or after the last stamp there is.

    >>> next_stamp(1, "000000000005-ffff-9f86d081884c7d65", "9f86d081884c7d65")
    '000000000006-0000-9f86d081884c7d65'
    """
    wall = min(max(wall_ms, 0), MAX_MS)
    parts = StampParts(wall, 0, actor)
    if last is not None:
        ms, counter, _ = parse_stamp(last)
        if ms >= wall:
            parts = _after(ms, counter, actor)
    if not is_stamp(parts.text()):
        raise StampError("no stamp can follow")
    return parts.text()


def raise_last(last: str | None, server_now_ms: int, actor: str) -> Stamp:
    """Return what the next stamp must beat once a server has told its time."""
    told = StampParts(min(max(server_now_ms, 0), MAX_MS), 0, actor).text()
    return told if last is None else Stamp(max(told, last))


def _after(ms: int, counter: int, actor: str) -> StampParts:
    if counter < MAX_COUNTER:
        return StampParts(ms, counter + 1, actor)
    return StampParts(ms + 1, 0, actor)


def rfc3339(ms: int) -> str:
    """Return a moment as text, in UTC with milliseconds.

    >>> rfc3339(1764493923120)
    '2025-11-30T09:12:03.120Z'
    """
    moment = datetime.fromtimestamp(ms / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class Effective:
    """When an op counts as made, ms. Shifted: the phone's clock was off by a known offset.
    Clamped: it claimed a time before its device was enrolled, or one still to come.
    """

    ms: int
    is_shifted: bool
    is_clamped: bool
    is_suspect: bool


def effective_ms(
    at: int,
    *,
    device_now_ms: int | None,
    received_ms: int,
    issued_ms: int,
    stamp: str | None = None,
) -> Effective:
    """Return the effective time of an op captured `at` (raw wall clock of the phone).

    `device_now_ms`: the phone's clock in the request, None if it told none. `issued_ms`: when its
    actor was issued. `stamp`: also suspect if it is more than 10 minutes from `at`.
    """
    offset = 0 if device_now_ms is None else received_ms - device_now_ms
    # A capture after the phone's own "now" was made under another clock: its offset says nothing.
    is_same_clock = device_now_ms is not None and at <= device_now_ms + TRUSTED_OFFSET_MS
    shift = offset if is_same_clock and abs(offset) > TRUSTED_OFFSET_MS else 0
    ms = min(max(at + shift, issued_ms), received_ms + TRUSTED_OFFSET_MS)
    drift = 0 if stamp is None else abs(parse_stamp(stamp).ms - at)
    return Effective(
        ms=ms,
        is_shifted=shift != 0,
        is_clamped=ms != at + shift,
        is_suspect=max(abs(offset), drift) > SUSPECT_OFFSET_MS,
    )
