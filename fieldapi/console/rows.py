"""The rows of the list of reports. Flask-free: from what the query gives to what the page says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fieldapi.clock import parse_instant
from fieldapi.console import reports
from fieldapi.console.places import Places
from fieldapi.console.reports import Picture, Report
from fieldapi.console.words import Words

_THUMBNAILS = 2


@dataclass(frozen=True, slots=True)
class Row:
    """One report in the list. `photos`: e.g. `Photos 2 of 3`; None where it is seen in short."""

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


@dataclass(frozen=True, slots=True)
class Listing:
    """What rows need beside the reports. `names`: of authors, by id."""

    words: Words
    places: Places
    names: Mapping[str, str]

    def row(self, report: Report) -> Row:
        """Return the row of one report."""
        words = self.words
        doubts = reports.doubts(report, words, {})
        warnings = sum(one.is_warning for one in doubts)
        pictures = reports.pictures(report, words)
        return Row(
            id=report["id"],
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
