"""Counts failed tries (sign-in, enrolment) in windows of time, each in its own short transaction.

Rows, not memory: a second app host sees the same count. Called by `enrolments` and `sign_ins`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete
from sqlalchemy.orm import Session

from fieldapi.clock import from_ms, to_ms
from fieldapi.domain.words import sentence
from fieldapi.models import Attempt
from fieldapi.models.insert import insert_into
from fieldapi.problems import TooManyRequests
from fieldapi.unit import Unit

_KEPT = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `tries` failures of one key in each `window` under this `scope`."""

    scope: str
    tries: int
    window: timedelta

    def window_at(self, now: datetime) -> datetime:
        """Return the start of the window that `now` falls in."""
        width = int(self.window.total_seconds() * 1000)
        return from_ms(to_ms(now) // width * width)

    def note(self, unit: Unit, key: str) -> None:
        """Count one more failure of `key`."""
        note(unit, self.scope, key, window_at=self.window_at(unit.now))

    def refuse_if_reached(self, session: Session, key: str, now: datetime) -> None:
        """Raise `TooManyRequests` once `key` has used up its tries in this window."""
        row = session.get(Attempt, (self.scope, key, self.window_at(now)))
        if row is None or row.tries < self.tries:
            return
        left = self.window_at(now) + self.window - now
        seconds = int(left.total_seconds()) + 1
        raise TooManyRequests(
            sentence("Try again in {seconds} seconds.", seconds=seconds), retry_after=seconds
        )


def note(unit: Unit, scope: str, key: str, *, window_at: datetime, more: int = 1) -> int:
    """Count one more failure and return how many there are; the first of a window forgets what is
    two days old.
    """
    statement = insert_into(unit.session, Attempt).values(
        scope=scope, key=key, window_at=window_at, tries=more
    )
    tries = unit.session.scalar(
        statement.on_conflict_do_update(
            index_elements=["scope", "key", "window_at"], set_={"tries": Attempt.tries + more}
        ).returning(Attempt.tries)
    )
    if tries == more:
        unit.session.execute(delete(Attempt).where(Attempt.window_at < unit.now - _KEPT))
    return int(tries or 0)
