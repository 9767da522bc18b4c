"""The order of the reviewer's list as instants: what nobody has looked at, what is due, the rest.

Pure. Called by the services that rank and the query that sorts.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_FIRST = datetime(1000, 1, 1, tzinfo=UTC)
_LAST = datetime(8000, 1, 1, tzinfo=UTC)
_HORIZON = datetime(2200, 1, 1, tzinfo=UTC)
DUE_FROM = datetime(1900, 1, 1, tzinfo=UTC)
SOON = timedelta(days=1)


def fresh_at(received_at: datetime) -> datetime:
    """Return the place of a report that nothing has ranked yet: before all, the newest first.

    >>> early, late = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)
    >>> fresh_at(late) < fresh_at(early) < DUE_FROM < early < undue_at(late) < undue_at(early)
    True
    """
    return _FIRST + (_HORIZON - received_at)


def undue_at(received_at: datetime) -> datetime:
    """Return the place of a case in which nothing is due: behind all, the newest first."""
    return _LAST + (_HORIZON - received_at)


def is_due(at: datetime) -> bool:
    """Say whether an instant of the order is a deadline and no mere place."""
    return DUE_FROM <= at < _LAST
