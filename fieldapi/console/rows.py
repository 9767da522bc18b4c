"""The rows of the list of reports. Flask-free: from what the query gives to what the page says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from fieldapi.clock import parse_instant
from fieldapi.console import reports
from fieldapi.console.places import Places
from fieldapi.console.reports import Picture, Report
from fieldapi.console.words import Words
from fieldapi.domain.urgency import SOON
from fieldapi.domain.words import sentence
from fieldapi.queries.urgencies import Due

_THUMBNAILS = 4
_WHAT_IS_DUE: Mapping[str, str] = {
    "24H": sentence("to bring them to a pound"),
    "UNCL-7": sentence("until they count as unclaimed"),
    "SALE-7": sentence("until they may be sold"),
    "SEC-6M": sentence("until the security is free"),
    "SURPLUS-3M": sentence("to claim the surplus"),
}
_ANYTHING = sentence("for what the statute asks next")
_WHAT_IS_OVER: Mapping[str, str] = {
    "24H": sentence("the time to bring them to a pound has ended"),
    "UNCL-7": sentence("they count as unclaimed"),
    "SALE-7": sentence("they may be sold"),
    "SEC-6M": sentence("the security is free"),
    "SURPLUS-3M": sentence("the time to claim the surplus has ended"),
}
_ANYTHING_ELSE = sentence("what the statute asks next is due")
_OVER, _LEFT = sentence("{span} ago"), sentence("{span} left")


@dataclass(frozen=True, slots=True)
class Urgent:
    """The next deadline of a case: how long, for what, and until when. `tone`: bad, look, wait."""

    left: str
    what: str
    until: str
    tone: str


def urgent(due: Due, now: datetime, words: Words) -> Urgent:
    """Return a deadline as lists say it."""
    span = words.span((due.at - now).total_seconds())
    is_over, is_soon = due.at < now, due.at - now <= SOON
    left = words.gettext(_OVER if is_over else _LEFT, span=span)
    said, other = (_WHAT_IS_OVER, _ANYTHING_ELSE) if is_over else (_WHAT_IS_DUE, _ANYTHING)
    what = words.gettext(said.get(due.rule, other))
    return Urgent(
        left, what, words.moment(due.at), "bad" if is_over else "look" if is_soon else "wait"
    )


@dataclass(frozen=True, slots=True)
class Row:
    """One report in the list. `photos`: e.g. `Photos 2 of 3`; None where it is seen in short.

    `urgent`: None where nothing is due. `reviewer`: whose it is, if it is somebody's.
    """

    id: str
    reference: str
    state: str
    state_said: str
    herd: str
    place: str
    seized: str
    received: str
    author: str
    pictures: list[Picture]
    photos: str | None
    warnings: int
    remarks: int
    has_conflict: bool
    is_incomplete: bool
    is_withdrawn: bool
    urgent: Urgent | None
    reviewer: str


@dataclass(frozen=True, slots=True)
class Listing:
    """What rows need beside the reports: names by id; deadlines and reviewers by report."""

    words: Words
    places: Places
    names: Mapping[str, str]
    due: Mapping[str, Due]
    now: datetime
    reviewers: Mapping[str, str] = field(default_factory=dict)

    def row(self, report: Report) -> Row:
        """Return the row of one report."""
        words, one = self.words, report["id"]
        doubts = reports.doubts(report, words, {})
        warnings = sum(one.is_warning for one in doubts)
        pictures = reports.pictures(report, words)
        return Row(
            id=one,
            reference=report["reference"] or words.gettext("Without reference"),
            state=report["state"],
            state_said=words.state(report["state"]),
            herd=words.herd(reports.herd(report)) or words.gettext("No animals"),
            place=self.places.of(report, words),
            seized=self._moment(report.get("seized_at")),
            received=self._moment(report["received_at"]),
            author=self.names.get(report.get("by") or "", ""),
            pictures=pictures[:_THUMBNAILS],
            photos=self._photos(report),
            warnings=warnings,
            remarks=len(doubts) - warnings,
            has_conflict=bool(report.get("reviews")),
            is_incomplete=bool(report.get("is_incomplete")),
            is_withdrawn=bool(report["withdrawn"]),
            urgent=urgent(self.due[one], self.now, words) if one in self.due else None,
            reviewer=self.reviewers.get(one, ""),
        )

    def _moment(self, at: str | None) -> str:
        return self.words.moment(parse_instant(at)) if at else self.words.gettext("Not stated")

    def _photos(self, report: Report) -> str | None:
        if "photos" not in report:
            return None
        stored, announced = report["photos_stored"], report["photos_announced"]
        if not announced:
            return self.words.gettext("No photo")
        return self.words.gettext(
            "Photos {stored} of {announced}", stored=stored, announced=announced
        )
