"""How pages say things in one language: sentences, moments, numbers, distances, herds, codes.

Flask-free; called by the builders of pages and by templates. Latin digits in every language,
lakh grouping, India's time, months by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from gettext import GNUTranslations

from fieldapi import locale
from fieldapi.clock import parse_instant
from fieldapi.documents import saying
from fieldapi.domain import field_labels, labels
from fieldapi.domain.words import sentence
from fieldapi.law.profile import StatuteProfile, Term
from fieldapi.packs import Packs

INDIA = saying.INDIA
_KM = 1000
_WHOLE_KM = 10
_GOOD_M, _FAIR_M, _POOR_M = 15, 50, 200

Herd = Mapping[str, int]


@dataclass(frozen=True)
class Words:
    """One language, with the labels of the kinds of animals."""

    language: str
    packs: Packs

    @cached_property
    def catalogue(self) -> GNUTranslations:
        """Return what templates translate with."""
        return locale.translations(self.language)

    def gettext(self, message: str, **params: str | int) -> str:
        """Return a sentence of the catalogue, its `{named}` places filled."""
        return locale.gettext(message, self.language, **params)

    def ngettext(self, one: str, other: str, number: int, **params: str | int) -> str:
        """Return the form for `number`; `{number}` is filled too."""
        return locale.ngettext(one, other, number, language=self.language, **params)

    def section(self, text: str) -> str:
        """Return where a rule stands; what names its own source is no section."""
        return self.gettext("Section {section}", section=text) if text[:1].isdigit() else text

    def moment(self, at: datetime) -> str:
        """Return an instant as a clock in India shows it, e.g. `30 Nov 2026, 11:40 AM`."""
        return _whole(saying.moment(at, self.language))

    def moment_of(self, text: str) -> str:
        """Return an instant that is written in our form, as `moment` does."""
        return self.moment(parse_instant(text))

    def day(self, at: datetime) -> str:
        """Return the day of an instant in India, e.g. `30 Nov 2026`."""
        return saying.day_of(at, self.language)

    def instant(self, text: str) -> datetime:
        """Return the instant that a text of the API names."""
        return parse_instant(text)

    def date(self, day: date) -> str:
        """Return a day of the calendar, e.g. `30 Nov 2026`."""
        return saying.day(day, self.language)

    def clock(self, at: datetime) -> str:
        """Return the time of day in India, e.g. `11:40 AM`."""
        return _whole(saying.clock(at, self.language))

    def number(self, number: float) -> str:
        """Return a number with lakh grouping, e.g. `12,34,567`."""
        return saying.number(number)

    def rupees(self, paise: int) -> str:
        """Return an amount, e.g. `₹1,450.00`."""
        return saying.rupees(paise)

    def distance(self, metres: float) -> str:
        """Return a distance in metres, or kilometres from 1 km."""
        if metres < _KM:
            return self.gettext("{number} m", number=self.number(round(metres)))
        km = metres / _KM
        shown = self.number(round(km) if km >= _WHOLE_KM else round(km, 1))
        return self.gettext("{number} km", number=shown)

    def accuracy(self, metres: float | None) -> str:
        """Return in words and metres how well a place is known."""
        if metres is None:
            return self.gettext("How well the place is known was not said")
        grades = (
            (_GOOD_M, sentence("Good: within {distance}")),
            (_FAIR_M, sentence("Fair: within {distance}")),
            (_POOR_M, sentence("Poor: within {distance}")),
        )
        worst = sentence("Very poor: within {distance}")
        said = next((said for most, said in grades if metres <= most), worst)
        return self.gettext(said, distance=self.distance(metres))

    def size(self, size: int) -> str:
        """Return a size of a file or a disk, in kB, MB or GB."""
        if size < 1_000_000:  # noqa: PLR2004 - 1 MB
            return self.gettext("{number} kB", number=self.number(max(1, round(size / 1000))))
        if size < 1_000_000_000:  # noqa: PLR2004 - 1 GB
            return self.gettext("{number} MB", number=self.number(round(size / 1_000_000, 1)))
        return self.gettext("{number} GB", number=self.number(round(size / 1_000_000_000, 1)))

    def span(self, seconds: float) -> str:
        """Return how long something took, in its greatest unit."""
        minutes = round(abs(seconds) / 60)
        if minutes < 120:  # noqa: PLR2004 - two hours
            return self.ngettext("{number} minute", "{number} minutes", minutes)
        hours = round(minutes / 60)
        if hours < 48:  # noqa: PLR2004 - two days
            return self.ngettext("{number} hour", "{number} hours", hours)
        return self.ngettext("{number} day", "{number} days", round(hours / 24))

    def kind(self, code: str, count: int = 1) -> str:
        """Return the name of a kind of animal, for one or for more."""
        known = self.packs.kinds.get(code)
        if known is None:
            return code
        label = known.labels.get(self.language, known.labels["en"])
        return label.one if count == 1 else label.other

    def herd(self, herd: Herd) -> str:
        """Return kinds and counts, e.g. `2 buffaloes, 3 cows`."""
        return ", ".join(f"{self.number(n)} {self.kind(code, n)}" for code, n in herd.items())

    def state(self, state: str) -> str:
        """Return what the state of a report is called."""
        return self.gettext(labels.REVIEW_STATES.get(state, state))

    def field(self, name: str) -> str:
        """Return what a field is called."""
        return self.gettext(field_labels.FIELDS.get(name, name))

    def fields(self, names: Iterable[str]) -> str:
        """Return what fields are called, one after the other."""
        return ", ".join(self.field(name) for name in names)

    def record(self, kind: str) -> str:
        """Return what a kind of record is called."""
        return self.gettext(field_labels.KINDS.get(kind, kind))

    def code(self, name: str, code: str, profile: StatuteProfile) -> str:
        """Return the label of a coded value of field `name`, by the statute in force or by any
        other; the code itself if it has none.
        """
        for one in (profile, *self._profiles):
            term = _term(name, code, one)
            if term is not None:
                return self.gettext(term.label)
        if name == "kind":
            return self.kind(code)
        if name == "subject":
            return self.gettext(labels.PHOTO_SUBJECTS.get(code, code))
        return self.gettext(field_labels.VALUES.get(name, {}).get(code, code.replace("_", " ")))

    @cached_property
    def _profiles(self) -> list[StatuteProfile]:
        return [one for series in self.packs.series.values() for one in series.profiles]

    def truth(self, value: bool) -> str:  # noqa: FBT001 - the value itself
        """Return yes or no."""
        return self.gettext("Yes") if value else self.gettext("No")


def _term(name: str, code: str, profile: StatuteProfile) -> Term | None:
    finders = {
        "capacity": profile.capacity,
        "ground": profile.ground,
        "place_kind": profile.place_kind,
    }
    term = finders[name](code) if name in finders else None
    return term if term is not None and term.is_called(code) else None


def _whole(said: str) -> str:
    """Keep the half of the day with its hour: `AM` alone on a line of a phone says nothing."""
    clock, _, half = said.rpartition(" ")
    return f"{clock}\N{NO-BREAK SPACE}{half}"
