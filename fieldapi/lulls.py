"""Knows when there is no need to look for pending work, and when there is time to do it.

Used by `jobs`, which asks in the snapshot that it looks in. It knows no kind of work.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from sqlalchemy.orm import Session

# Work that can wait lets a burst of what it works on come in first, for so long at most.
LULL_S, LONGEST_BURST_S = 0.4, 10.0
# What the clock makes due, or a change that moves nothing, waits for so long at most.
STILL_S = 2.0


class Lull:
    """Watches work come in, and says when there is time for it."""

    def __init__(self, newest: Callable[[Session], object]) -> None:
        self._newest = newest
        self._seen: object = None
        self._changed_at = self._began_at = 0.0

    def is_here(self, session: Session) -> bool:
        """Say whether nothing more has come for `LULL_S`, or the burst is `LONGEST_BURST_S` old."""
        now, newest = time.monotonic(), self._newest(session)
        if newest != self._seen:
            if now - self._changed_at > LULL_S:
                self._began_at = now
            self._seen, self._changed_at = newest, now
        is_long = now - self._began_at > LONGEST_BURST_S
        if is_long:
            self._began_at = now
        return is_long or now - self._changed_at > LULL_S


class Standstill:
    """Remembers where everything stood when nothing was due: while it stands there, nothing is.

    A server that nobody writes to asked fifteen questions twice a second.
    """

    def __init__(self, moved: Callable[[Session], object]) -> None:
        self._moved = moved
        self._stood: object = None
        self._until = 0.0

    def is_here(self, session: Session) -> bool:
        """Say whether nothing has moved since nothing was due, less than `STILL_S` ago."""
        now, moved = time.monotonic(), self._moved(session)
        if moved != self._stood:
            self._stood, self._until = moved, 0.0
        return now < self._until

    def note(self) -> None:
        """Note that nothing is due where all stood when it was last asked."""
        self._until = time.monotonic() + STILL_S
