"""A clock that stands still until a test moves it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

MONDAY_MORNING = datetime(2026, 11, 30, 4, 30, tzinfo=UTC)


@dataclass(slots=True)
class StoppedClock:
    """Called, it tells `now`; `move` lets time pass."""

    now: datetime = MONDAY_MORNING

    def __call__(self) -> datetime:
        return self.now

    def move(self, *, seconds: float = 0, hours: float = 0, days: float = 0) -> None:
        """Let time pass (or, with negative numbers, run back)."""
        self.now += timedelta(seconds=seconds, hours=hours, days=days)
