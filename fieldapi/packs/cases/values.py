"""Reads the plain values of a story: times of India, rupees as text, closed days by rule.

Called by `reader.py`, `stories.py` and `player.py`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta

from fieldapi.clock import INDIA
from fieldapi.packs.cases.story import Plain, Row, StoryError

_RUPEES = re.compile(r"(-?)(\d+)(?:\.(\d{1,2}))?", re.ASCII)
_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)([+-]\d\d:\d\d)?)?", re.ASCII
)
_SATURDAY, _SUNDAY = 5, 6
_DAYS = range(4 * 366)


def instant(value: Plain) -> datetime:
    """Return an instant from a date-time, or from text; without an offset it is Indian time."""
    if isinstance(value, str):
        found = _TIME.match(value)
        if found is None:
            raise StoryError(f"{value!r} is no time")
        value = datetime.fromisoformat(f"{found[1]}T{found[2] or '00:00'}{found[3] or ''}")
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=INDIA)).astimezone(UTC)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=INDIA).astimezone(UTC)
    raise StoryError(f"{value!r} is no time")


def day(value: Plain) -> date:
    """Return a date from a date, or from text that begins with one."""
    return instant(value).astimezone(INDIA).date()


def paise(value: Plain) -> int:
    """Return whole paise from rupees as text or number: `paise("25.50")` is 2550."""
    match = _RUPEES.match(str(value).strip())
    if match is None or isinstance(value, bool):
        raise StoryError(f"{value!r} is no sum")
    whole = int(match[2]) * 100 + int((match[3] or "0").ljust(2, "0"))
    return -whole if match[1] else whole


def rows(value: Plain) -> list[Row]:
    """Return the tables of a list; nothing for anything else."""
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def row(value: Plain) -> Row:
    """Return a table, empty for anything else."""
    return value if isinstance(value, Mapping) else {}


def texts(value: Plain) -> list[str]:
    """Return texts of a list, or the one text."""
    if isinstance(value, str):
        return [value]
    return [str(one) for one in value] if isinstance(value, list) else []


def count(value: Plain) -> int:
    """Return a whole number, 0 for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def closed_days(rules: Plain, *, around: Iterable[datetime]) -> frozenset[date]:
    """Return the closed days that rules such as `Sundays` or `2nd and 4th Saturdays` name, for two
    years from the first instant.
    """
    start = min((one.astimezone(INDIA).date() for one in around), default=date(2026, 1, 1))
    found: set[date] = set()
    for rule in texts(rules):
        found.update(_days_of(rule, start))
    return frozenset(found)


def _days_of(rule: str, start: date) -> Iterator[date]:
    match = re.match(r"\d{4}-\d\d-\d\d", rule)
    if match is not None:
        yield date.fromisoformat(match[0])
        return
    weeks = {int(one) for one in re.findall(r"(\d)(?:st|nd|rd|th)", rule)}
    weekday = _SATURDAY if "Saturday" in rule else _SUNDAY if "Sunday" in rule else None
    if weekday is None:
        raise StoryError(f"{rule!r} names no closed days")
    for n in _DAYS:
        one = start + timedelta(days=n)
        if one.weekday() == weekday and (not weeks or (one.day - 1) // 7 + 1 in weeks):
            yield one
