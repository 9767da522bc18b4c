"""Legal days and periods: the day of the trigger does not count, the last day does, to 24:00.

Called by the rest of `law`. Instants are aware UTC datetimes, days are those of India. Source of
the counting: General Clauses Acts of the States; what rolls is said in the statute files.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from fieldapi.clock import INDIA

ONE_DAY = timedelta(days=1)
SMALLEST = timedelta(milliseconds=1)
_MONTHS_OF_YEAR = 12
_DAYS_OF_WEEK = 7


@dataclass(frozen=True)
class Calendars:
    """Days on which the office and the pound are closed."""

    office: frozenset[date] = frozenset()
    pound: frozenset[date] = frozenset()

    def closed(self, name: str | None) -> frozenset[date]:
        """Return the closed days of `office` or `pound`; none for anything else."""
        return {"office": self.office, "pound": self.pound}.get(name or "", frozenset())


ALWAYS_OPEN = Calendars()


def day_of(instant: datetime) -> date:
    """Return the day in India on which an instant lies."""
    return instant.astimezone(INDIA).date()


def midnight(day: date) -> datetime:
    """Return the first instant of a day in India, in UTC."""
    return datetime.combine(day, time(), INDIA).astimezone(UTC)


def last_instant(day: date) -> datetime:
    """Return the last millisecond of a day in India."""
    return midnight(day + ONE_DAY) - SMALLEST


def last_day(start: date, amount: int, unit: str) -> date:
    """Return the last day of a period that begins on `start`, which itself does not count.

    >>> last_day(date(2027, 8, 31), 6, "months")
    datetime.date(2028, 2, 29)
    """
    if unit == "months":
        return _months_later(start, amount)
    days = amount * _DAYS_OF_WEEK if unit == "weeks" else amount
    return start + ONE_DAY * days


def rolled(day: date, closed: frozenset[date]) -> date:
    """Return `day`, or the next one that is not closed."""
    while day in closed:
        day += ONE_DAY
    return day


def touched(start: datetime, end: datetime) -> tuple[date, ...]:
    """Return the days of India that `[start, end)` touches; leaving at 0:00 touches no new day."""
    if end <= start:
        return ()
    first, last = day_of(start), day_of(end - SMALLEST)
    return tuple(first + ONE_DAY * n for n in range((last - first).days + 1))


def latest(instants: Iterable[datetime | None]) -> datetime | None:
    """Return the latest of those instants that are known, or None."""
    known = [one for one in instants if one is not None]
    return max(known) if known else None


def _months_later(start: date, amount: int) -> date:
    """Return the same day of a later month, or the last one that this month has."""
    whole = start.month - 1 + amount
    year, month = start.year + whole // _MONTHS_OF_YEAR, whole % _MONTHS_OF_YEAR + 1
    return date(year, month, min(start.day, _length(year, month)))


def _length(year: int, month: int) -> int:
    following = date(year + month // _MONTHS_OF_YEAR, month % _MONTHS_OF_YEAR + 1, 1)
    return (following - ONE_DAY).day
