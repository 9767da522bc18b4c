"""The facts of a report in the groups in which they are read. Flask-free.

Only what was stated is shown; what a register must have and does not is said to be missing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from fieldapi.console.reports import Report
from fieldapi.console.values import Values

_LOT = ("sex", "age_class", "colour", "horns", "marks", "condition")
# Of sex and age, said of nothing: "not known" alone would not tell what is not.
_UNKNOWN = "unknown"
_SEIZURE = (
    "seized_at",
    "capacity",
    "ground",
    "place_kind",
    "place_text",
    "survey_no",
    "damage_done",
    "damage.text",
    "damage.crop",
    "damage.estimate_paise",
    "sent_at",
    "pound_id",
    "remarks",
    "origin",
)
_OWNER = ("owner.name", "owner.parent", "owner.residence", "owner.mobile")
_ALWAYS = frozenset({"seized_at", "capacity", "ground", "place_kind"})


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact. `is_missing`: the register asks for it and nobody said it."""

    label: str
    value: str
    is_missing: bool = False


@dataclass(frozen=True, slots=True)
class Lot:
    """One lot of animals. `details`: what else is known of it, in words."""

    title: str
    details: str
    tags: list[str]
    is_withdrawn: bool
    is_disputed: bool


@dataclass(frozen=True)
class Facts:
    """Makes the groups of facts of one report."""

    values: Values

    def seizure(self, report: Report) -> list[Fact]:
        """Return when, by which right, where and why."""
        return [*self._facts(report, _SEIZURE)]

    def owner(self, report: Report) -> list[Fact]:
        """Return who owns the cattle, as far as known."""
        words = self.values.words
        facts = [*self._facts(report, _OWNER)]
        # The card is headed "Owner" already.
        named, name = words.field("owner.name"), words.gettext("Name")
        if facts:
            return [replace(one, label=name) if one.label == named else one for one in facts]
        is_unknown = _read(report, "owner.known") is False
        said = words.gettext("Not known") if is_unknown else words.gettext("Not stated")
        return [Fact(name, said, is_missing=True)]

    def seizer(self, report: Report, author: str) -> list[Fact]:
        """Return who seized, and who reported it."""
        words, seizer = self.values.words, report.get("seizer") or {}
        facts = [Fact(words.gettext("Reported by"), author)]
        if seizer.get("name"):
            facts.append(Fact(words.field("seizer"), self.values.say("seizer", seizer)))
        if "signed" in seizer:
            facts.append(Fact(words.gettext("Signed by the seizer"), words.truth(seizer["signed"])))
        witnesses = [self.values.say("witnesses", one) for one in report.get("witnesses") or []]
        if witnesses:
            facts.append(Fact(words.field("witnesses"), "; ".join(witnesses)))
        return [*facts, *self.statements(report)]

    def statements(self, report: Report) -> Iterator[Fact]:
        """Yield what the author said to it later: why it was corrected, a word on a conflict."""
        for one in report.get("statements") or []:
            yield Fact(self.values.words.field("statements"), self.values.say("statements", one))

    def lots(self, report: Report, disputed: Collection[str]) -> list[Lot]:
        """Return the lots of animals in their order. `disputed`: ids of those under dispute."""
        return [self._lot(lot, disputed) for lot in report["animals"]]

    def intakes(self, report: Report) -> list[list[Fact]]:
        """Return what each pound keeper received."""
        names = ("received_at", "pound_id", "counts", "brought_by", "condition", "remarks")
        return [[*self._facts(one, names), *self.statements(one)] for one in report["intakes"]]

    def _facts(self, report: Report, names: Iterable[str]) -> Iterator[Fact]:
        for name in names:
            value = _read(report, name)
            if value not in (None, "", []):
                yield Fact(self.values.words.field(name), self.values.say(name, value))
            elif name in _ALWAYS:
                missing = self.values.words.gettext("Not stated")
                yield Fact(self.values.words.field(name), missing, is_missing=True)

    def _lot(self, lot: Report, disputed: Collection[str]) -> Lot:
        words = self.values.words
        title = words.herd({lot["kind"]: lot.get("count") or 0}) if lot.get("kind") else "–"
        stated = [name for name in _LOT if lot.get(name) not in (None, "", _UNKNOWN)]
        details = [self.values.say(name, lot[name]) for name in stated]
        if lot.get("milch"):
            details.append(words.field("milch"))
        each = (self.values.say("individuals", one) for one in lot.get("individuals") or [])
        details += [said for said in each if said]
        return Lot(
            title=title,
            details=" · ".join(details),
            tags=["\u00a0".join((tag[:4], tag[4:8], tag[8:])) for tag in lot.get("ear_tags") or []],
            is_withdrawn=bool(lot["withdrawn"]),
            is_disputed=lot["id"] in disputed,
        )


def _read(report: Report, name: str) -> Any:  # noqa: ANN401 - a value of any field
    group, _, member = name.partition(".")
    value = report.get(group)
    return (value or {}).get(member) if member else value
