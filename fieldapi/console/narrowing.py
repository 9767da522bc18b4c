"""The filters of the list of reports, as they stand in the address of the page. Flask-free.

What cannot be understood is named and narrows nothing: the page then shows no list at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time

from fieldapi.console.words import INDIA
from fieldapi.domain.flags import FLAGS
from fieldapi.domain.labels import REVIEW_STATES
from fieldapi.domain.values import FIRST_YEAR, LAST_YEAR
from fieldapi.domain.words import sentence
from fieldapi.queries.seizures import Filters

NAMES = ("state", "kind", "from", "to", "flag", "q")
DEFAULT_SORT = "-received_at"
ORDERS = {
    DEFAULT_SORT: sentence("Last received first"),
    "received_at": sentence("First received first"),
    "-seized_at": sentence("Last seized first"),
    "seized_at": sentence("First seized first"),
}
MOST_TEXT = 100

_NOT_LISTED = sentence("Choose one of the list.")
_NOT_A_DAY = sentence("Write the day as year-month-day, e.g. 2026-11-30.")
_TOO_LONG = sentence("Search for at most 100 characters.")


@dataclass(slots=True)
class Narrowing:
    """The filters as given (`given`, empty ones left out), and what is wrong with them."""

    given: dict[str, str]
    sort: str
    faults: dict[str, str] = field(default_factory=dict)
    filters: Filters = field(default_factory=Filters)

    @property
    def is_active(self) -> bool:
        """Say whether anything is narrowed."""
        return bool(self.given)

    def query(self, **changed: str) -> dict[str, str]:
        """Return the parameters of the same list, changed: for links."""
        kept = {**self.given} if self.sort == DEFAULT_SORT else {**self.given, "sort": self.sort}
        return {name: text for name, text in {**kept, **changed}.items() if text}


def read(args: Mapping[str, str], kinds: Iterable[str]) -> Narrowing:
    """Return the filters in the address of a page. `kinds`: codes of the kinds of animals."""
    given = {name: text for name in NAMES if (text := args.get(name, "").strip())}
    sort = args.get("sort", DEFAULT_SORT)
    found = Narrowing(given, sort if sort in ORDERS else DEFAULT_SORT)
    for name, known in (("state", REVIEW_STATES), ("kind", set(kinds)), ("flag", FLAGS)):
        if given.get(name) and given[name] not in known:
            found.faults[name] = _NOT_LISTED
    if len(given.get("q", "")) > MOST_TEXT:
        found.faults["q"] = _TOO_LONG
    found.filters = Filters(
        state=given.get("state"),
        kind=given.get("kind"),
        since=_start(found, "from"),
        until=_end(found, "to"),
        flag=given.get("flag"),
        text=given.get("q"),
        sort=found.sort,
    )
    return found


def _day(found: Narrowing, name: str) -> date | None:
    if name not in found.given:
        return None
    try:
        day = date.fromisoformat(found.given[name])
    except ValueError:
        day = date.min
    if FIRST_YEAR <= day.year <= LAST_YEAR:
        return day
    found.faults[name] = _NOT_A_DAY
    return None


def _start(found: Narrowing, name: str) -> datetime | None:
    day = _day(found, name)
    return None if day is None else datetime.combine(day, time(), INDIA).astimezone(UTC)


def _end(found: Narrowing, name: str) -> datetime | None:
    """Return the last millisecond of the day named."""
    day = _day(found, name)
    if day is None:
        return None
    midnight = datetime.combine(day, time.max, INDIA).replace(microsecond=999_000)
    return midnight.astimezone(UTC)
