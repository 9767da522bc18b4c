"""How a case stands before the law, for the page of a case: its clocks on a line and in words.

Flask-free.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from fieldapi.clock import parse_instant
from fieldapi.console.words import Words
from fieldapi.domain.words import sentence

WIDTH = 640
_ROW, _PAD = 22, 6
_LEAST_S = 3600.0

View = Mapping[str, Any]

_STATES: Mapping[str, tuple[str, str]] = {
    "running": ("wait", sentence("running")),
    "due_soon": ("look", sentence("ends soon")),
    "overdue": ("bad", sentence("over")),
    "over": ("wait", sentence("ended")),
    "met": ("good", sentence("kept")),
    "late": ("look", sentence("kept too late")),
}


@dataclass(frozen=True, slots=True)
class Clock:
    """One clock. `left`, `right`: its ends on the line; `then`: what follows; `rolled`: the last
    day on the reading that favours the owner, if it is another.
    """

    number: int
    left: float
    right: float
    y: int
    tone: str
    state: str
    then: str
    since: str
    until: str
    rolled: str
    section: str
    is_verified: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """The clocks of a case. `now_x`: now, on their line."""

    statute: str
    is_pinned: bool
    clocks: list[Clock]
    now_x: float
    height: int

    def share(self, of_line: float) -> str:
        """Return a part of the line as a part of whatever width it is drawn in."""
        return f"{round(of_line / WIDTH * 100, 2)}%"


def standing(view: View, now: datetime, words: Words) -> Standing:
    """Return how a case, as `queries.case_views` gives it, stands at an instant."""
    clocks = view["clocks"]
    ends = [parse_instant(one[at]) for one in clocks for at in ("starts_at", "last_moment")]
    scale = _Scale(min([now, *ends]), max([now, *ends]))
    return Standing(
        statute=words.gettext(view["statute"]["name"]),
        is_pinned=bool(view["statute"]["pinned"]),
        clocks=[_clock(number, one, scale, words=words) for number, one in enumerate(clocks, 1)],
        now_x=scale.at(now),
        height=len(clocks) * _ROW + 2 * _PAD,
    )


def _clock(number: int, one: View, scale: _Scale, *, words: Words) -> Clock:
    starts, ends = parse_instant(one["starts_at"]), parse_instant(one["last_moment"])
    tone, state = _STATES[one["state"]]
    rolled = one["rolled_last_day"]
    is_moved = rolled is not None and rolled != one["last_day"]
    return Clock(
        number=number,
        left=scale.at(starts),
        right=max(scale.at(ends), scale.at(starts) + 2),
        y=(number - 1) * _ROW + _PAD,
        tone=tone,
        state=words.gettext(state),
        then=words.gettext(one["then"]),
        since=words.moment(starts),
        until=words.moment(ends),
        rolled=words.day(datetime.fromisoformat(f"{rolled}T12:00+05:30")) if is_moved else "",
        section=one["section"],
        is_verified=bool(one["verified"]),
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    """The stretch of time that the line shows."""

    first: datetime
    last: datetime

    def at(self, moment: datetime) -> float:
        """Return where on the line a moment is."""
        whole = max((self.last - self.first).total_seconds(), _LEAST_S)
        room = WIDTH - 2 * _PAD
        return round(_PAD + (moment - self.first).total_seconds() / whole * room, 1)
