"""The filters of the list of reports, as they stand in the address of the page. Flask-free.

What cannot be understood is named and narrows nothing: the page then shows no list at all.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time

from fieldapi.console.words import INDIA
from fieldapi.domain.flags import FLAGS
from fieldapi.domain.geo import Point
from fieldapi.domain.labels import REVIEW_STATES
from fieldapi.domain.urgency import SOON
from fieldapi.domain.values import FIRST_YEAR, LAST_YEAR
from fieldapi.domain.words import sentence
from fieldapi.queries.seizures import Box, Filters

NAMES = ("state", "kind", "pound", "near", "from", "to", "flag", "due", "conflict", "mine", "q")
DEFAULT_SORT = "due_at"
ORDERS = {
    DEFAULT_SORT: sentence("Nearest deadline first"),
    "-received_at": sentence("Last received first"),
    "received_at": sentence("First received first"),
    "-seized_at": sentence("Last seized first"),
    "seized_at": sentence("First seized first"),
}
TABLE, MAP, PHOTOS = "table", "map", "photos"
VIEWS = {TABLE: sentence("Table"), MAP: sentence("Map"), PHOTOS: sentence("Photos")}
MOST_TEXT = 100
NEAR_M = 3000
_DEGREE_M = 111_320

_NOT_LISTED = sentence("Choose one of the list.")
_NOT_A_DAY = sentence("Write the day as year-month-day, e.g. 2026-11-30.")
_TOO_LONG = sentence("Search for at most 100 characters.")


@dataclass(slots=True)
class Narrowing:
    """The filters as given (`given`, empty ones left out), and what is wrong with them."""

    given: dict[str, str]
    sort: str
    view: str = TABLE
    faults: dict[str, str] = field(default_factory=dict)
    filters: Filters = field(default_factory=Filters)

    @property
    def is_active(self) -> bool:
        """Say whether anything is narrowed."""
        return bool(self.given)

    def query(self, **changed: str) -> dict[str, str]:
        """Return the parameters of the same list, changed: for links."""
        kept = {**self.given, "sort": self.sort, "view": self.view}
        usual = {("sort", DEFAULT_SORT), ("view", TABLE)}
        return {
            name: text
            for name, text in {**kept, **changed}.items()
            if text and (name, text) not in usual
        }


@dataclass(frozen=True, slots=True)
class Choices:
    """What may be chosen: codes of kinds, ids of pounds, named places. `me`: who chooses."""

    kinds: Collection[str]
    pounds: Collection[str]
    places: Mapping[str, Point]
    now: datetime
    me: str


def read(args: Mapping[str, str], choices: Choices) -> Narrowing:
    """Return the filters in the address of a page."""
    given = {name: text for name in NAMES if (text := args.get(name, "").strip())}
    sort, view = args.get("sort", DEFAULT_SORT), args.get("view", TABLE)
    found = Narrowing(
        given, sort if sort in ORDERS else DEFAULT_SORT, view if view in VIEWS else TABLE
    )
    _check(found, choices)
    found.filters = Filters(
        state=given.get("state"),
        kind=given.get("kind"),
        since=_start(found, "from"),
        until=_end(found, "to"),
        flag=given.get("flag"),
        text=given.get("q"),
        sort=found.sort,
        pound=given.get("pound"),
        box=_around(choices.places.get(given.get("near", ""))),
        due_before=choices.now + SOON if "due" in given else None,
        has_conflict="conflict" in given,
        reviewer=choices.me if "mine" in given else None,
    )
    return found


def _check(found: Narrowing, choices: Choices) -> None:
    listed: Mapping[str, Collection[str]] = {
        "state": REVIEW_STATES,
        "kind": choices.kinds,
        "pound": choices.pounds,
        "near": choices.places,
        "flag": FLAGS,
        "due": ("1",),
        "conflict": ("1",),
        "mine": ("1",),
    }
    for name, known in listed.items():
        if name in found.given and found.given[name] not in known:
            found.faults[name] = _NOT_LISTED
    if len(found.given.get("q", "")) > MOST_TEXT:
        found.faults["q"] = _TOO_LONG


def _around(point: Point | None) -> Box | None:
    """Return what counts as near a place: a square of some kilometres around it."""
    if point is None:
        return None
    north = NEAR_M / _DEGREE_M
    east = north / math.cos(math.radians(point.lat))
    return Box(point.lat - north, point.lon - east, point.lat + north, point.lon + east)


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
