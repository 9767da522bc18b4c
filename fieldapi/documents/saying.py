"""How sums, numbers, days and hours are written, on pages and on papers alike: Latin digits in
every language, lakh grouping, months by name, India's time. The one place that knows.
"""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_date, format_datetime
from babel.numbers import format_decimal

INDIA = ZoneInfo("Asia/Kolkata")
_DAY, _CLOCK = "d MMM y", "h:mm a"
_ENGLISH = Locale("en", "IN")


@lru_cache(maxsize=32)
def _locale(language: str) -> Locale:
    """Return a language as Babel knows it; to read its name takes longer than to write a day."""
    return Locale.parse(language)


@lru_cache(maxsize=1024)
def number(value: float) -> str:
    """Return a number.

    >>> number(1234567), number(12.5)
    ('12,34,567', '12.5')
    """
    return format_decimal(value, format="#,##,##0.##", locale=_ENGLISH)


def rupees(paise: int) -> str:
    """Return whole paise as rupees.

    >>> rupees(123456700), rupees(98900), rupees(-5), rupees(0)
    ('₹12,34,567.00', '₹989.00', '-₹0.05', '₹0.00')
    """
    sum_ = format_decimal(Decimal(abs(paise)) / 100, format="#,##,##0.00", locale=_ENGLISH)
    return f"{'-' if paise < 0 else ''}₹{sum_}"


def day(on: date, language: str = "en") -> str:
    """Return a day of the calendar; an instant is not one: `day_of` says its day.

    >>> day(date(2026, 11, 30))
    '30 Nov 2026'
    """
    return format_date(on, _DAY, locale=_locale(language))


def day_of(at: datetime, language: str = "en") -> str:
    """Return the day of an instant in India."""
    return format_datetime(at, _DAY, tzinfo=INDIA, locale=_locale(language))


def moment(at: datetime, language: str = "en") -> str:
    """Return an instant as a clock in India shows it, e.g. `30 Nov 2026, 11:40 AM`."""
    return format_datetime(at, f"{_DAY}, {_CLOCK}", tzinfo=INDIA, locale=_locale(language))


def clock(at: datetime, language: str = "en") -> str:
    """Return the time of day in India, e.g. `11:40 AM`."""
    return format_datetime(at, _CLOCK, tzinfo=INDIA, locale=_locale(language))


def span(first: object, last: object) -> str:
    """Return a stretch of whole numbers, either end of which may be open.

    >>> span(1, 4), span(6, None), span(2, 2), span(None, 3)
    ('1–4', '6+', '2', '1–3')
    """
    if last is None:
        return f"{first or 1}+"
    return f"{last}" if (first or 1) == last else f"{first or 1}–{last}"
