"""Reads what was typed into forms: rupees, numbers, days and hours of India. Flask-free; a value
that cannot be understood is named, never guessed.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from decimal import Decimal

from fieldapi.clock import INDIA, format_instant
from fieldapi.domain.values import FIRST_YEAR, LAST_YEAR
from fieldapi.domain.words import sentence

NOT_RUPEES = sentence("Write rupees in digits, e.g. 1450 or 1450.50.")
NOT_WHOLE = sentence("Write a whole number in digits.")
NOT_A_DAY = sentence("Write the day as year-month-day, e.g. 2026-11-30.")
NOT_A_MOMENT = sentence("Write day and time as 2026-11-30T18:35.")
NEEDED = sentence("This is needed.")

_RUPEES = re.compile(r"(?:₹|Rs\.?)?\s*((?:\d{1,3}(?:,\d{2,3})*|\d{1,9})(?:\.\d{1,2})?)", re.ASCII)
_WHOLE = re.compile(r"\d{1,6}", re.ASCII)
_OLDEST_YEAR = 1800  # notifications under an Act of 1871 are still in force


class Mistyped(ValueError):
    """What was typed cannot be understood; its text is a sentence of the catalogue."""


def rupees(text: str) -> int:
    """Return whole paise. Raises `Mistyped`.

    >>> rupees("1450"), rupees("₹1,450.50"), rupees("12,34,567.5")
    (145000, 145050, 123456750)
    """
    found = _RUPEES.fullmatch(text.strip())
    if found is None:
        raise Mistyped(NOT_RUPEES)
    return int(Decimal(found[1].replace(",", "")) * 100)


def as_typed(paise: int) -> str:
    """Return paise as a person types rupees.

    >>> as_typed(145000), as_typed(145050)
    ('1450', '1450.50')
    """
    whole, rest = divmod(paise, 100)
    return f"{whole}.{rest:02d}" if rest else str(whole)


def whole(text: str) -> int:
    """Return a whole number. Raises `Mistyped`."""
    if _WHOLE.fullmatch(text.strip()) is None:
        raise Mistyped(NOT_WHOLE)
    return int(text)


def day(text: str) -> date:
    """Return a day. Raises `Mistyped`."""
    try:
        read = date.fromisoformat(text.strip())
    except ValueError:
        raise Mistyped(NOT_A_DAY) from None
    if not _OLDEST_YEAR <= read.year <= LAST_YEAR:
        raise Mistyped(NOT_A_DAY)
    return read


def moment(text: str) -> str:
    """Return a moment of India's clock as the API writes it. Raises `Mistyped`.

    >>> moment("2026-11-30T18:35")
    '2026-11-30T13:05:00.000Z'
    """
    try:
        read = datetime.fromisoformat(text.strip())
    except ValueError:
        raise Mistyped(NOT_A_MOMENT) from None
    if not FIRST_YEAR <= read.year <= LAST_YEAR:
        raise Mistyped(NOT_A_MOMENT)
    aware = read.replace(tzinfo=INDIA) if read.tzinfo is None else read
    return format_instant(aware.astimezone(UTC))


def as_local(at: datetime) -> str:
    """Return an instant as a browser's field for day and time has it."""
    return f"{at.astimezone(INDIA):%Y-%m-%dT%H:%M}"
