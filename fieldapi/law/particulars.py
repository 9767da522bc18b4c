"""Reads the particulars of an act: JSON as it came in, of which each act knows its own keys.

Called by the rest of `law`. A value of a wrong type is read as absent; the doors check types.
"""

from collections.abc import Mapping
from datetime import date, datetime
from typing import TypeAlias

from sync.strict import JSON

Particulars: TypeAlias = Mapping[str, JSON]


def text(data: Particulars, key: str) -> str | None:
    """Return a text that is not empty, or None."""
    value = data.get(key)
    return value if isinstance(value, str) and value.strip() else None


def whole(data: Particulars, key: str) -> int | None:
    """Return a whole number, or None."""
    value = data.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def truth(data: Particulars, key: str) -> bool:
    """Return whether the key is there and true."""
    return data.get(key) is True


def texts(data: Particulars, key: str) -> tuple[str, ...] | None:
    """Return a list of texts, or None if the key is absent."""
    value = data.get(key)
    if not isinstance(value, list):
        return None
    return tuple(one for one in value if isinstance(one, str))


def table(data: Particulars, key: str) -> Particulars:
    """Return the object under a key, empty if there is none."""
    value = data.get(key)
    return value if isinstance(value, dict) else {}


def instant(data: Particulars, key: str) -> datetime | None:
    """Return an instant with its offset, or None."""
    value = text(data, key)
    if value is None:
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None


def day(data: Particulars, key: str) -> date | None:
    """Return a date without time, or None."""
    value = text(data, key)
    if value is None:
        return None
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None
