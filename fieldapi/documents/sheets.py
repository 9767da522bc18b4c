"""What a paper looks like before it is drawn: a title, facts, tables, signatures, in two languages.

Made by `papers`, drawn by `pdf` and `html`: both show the same sheet. Money is written in the
Indian grouping, digits are Latin in every language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from fieldapi.clock import INDIA, parse_instant
from fieldapi.locale import gettext

Pair = tuple[str, str]
_GROUP = 3


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings. `numeric`: places of the columns that are set flush right."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    numeric: Sequence[int] = ()
    is_last_row_sum: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """One paper. `mark`: ORIGINAL, DUPLICATE, SPECIMEN or VOID. `language`: beside English."""

    language: str
    title: Pair
    authority: str
    mark: str = ""
    serial: str = ""
    subtitle: str = ""
    facts: Sequence[Pair] = ()
    tables: Sequence[Table] = ()
    notes: Sequence[str] = ()
    signatures: Sequence[str] = ()
    link: str = ""
    footer: Sequence[str] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class Tongue:
    """Two languages at once: English first, then the authority's own."""

    language: str

    def pair(self, sentence: str) -> Pair:
        """Return a sentence in English and in the other language, empty if it is the same."""
        other = gettext(sentence, self.language)
        return sentence, "" if other == sentence else other

    def both(self, sentence: str) -> str:
        """Return a label in both languages on one line."""
        english, other = self.pair(sentence)
        return f"{english} / {other}" if other else english


def rupees(paise: int) -> str:
    """Write whole paise as rupees in the Indian grouping.

    >>> rupees(123456700), rupees(98900), rupees(-5), rupees(0)
    ('₹12,34,567.00', '₹989.00', '-₹0.05', '₹0.00')
    """
    whole, rest = divmod(abs(paise), 100)
    text = str(whole)
    head, tail = text[:-_GROUP], text[-_GROUP:]
    groups: list[str] = []
    while head:
        groups.insert(0, head[-2:])
        head = head[:-2]
    sign = "-" if paise < 0 else ""
    return f"{sign}₹{','.join([*groups, tail])}.{rest:02d}"


def day(text: str | None) -> str:
    """Write an instant as a day, DD/MM/YYYY in India."""
    return "" if not text else f"{_local(text):%d/%m/%Y}"


def moment(text: str | None) -> str:
    """Write an instant as day and hour, DD/MM/YYYY HH:MM IST."""
    return "" if not text else f"{_local(text):%d/%m/%Y %H:%M} IST"


def _local(text: str) -> datetime:
    return parse_instant(text).astimezone(INDIA)
