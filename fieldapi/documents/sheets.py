"""What a paper looks like before it is drawn: a title, facts, tables, signatures, in two languages.

Made by `papers`, drawn by `pdf` and `html`: both show the same sheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fieldapi.clock import parse_instant
from fieldapi.documents import saying
from fieldapi.documents.saying import day_of, rupees
from fieldapi.locale import gettext

__all__ = ["Pair", "Sheet", "Table", "Tongue", "day", "moment", "rupees"]

Pair = tuple[str, str]
# More columns than these are no longer read on a sheet that stands upright.
_UPRIGHT = 5


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings. `numeric`: places of the columns that are set flush right; `whole`: of
    those whose words stay on one line.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    numeric: Sequence[int] = ()
    is_last_row_sum: bool = False
    whole: Sequence[int] = ()


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

    @property
    def is_across(self) -> bool:
        """A table of many columns wants the long side of the paper."""
        return any(len(one.columns) > _UPRIGHT for one in self.tables)


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


def day(text: str | None) -> str:
    """Write an instant as its day in India, e.g. `30 Nov 2026`."""
    return day_of(parse_instant(text)) if text else ""


def moment(text: str | None) -> str:
    """Write an instant as day and hour in India, e.g. `30 Nov 2026, 11:40 AM IST`."""
    return f"{saying.moment(parse_instant(text))} IST" if text else ""
