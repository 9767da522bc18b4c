"""Says a complaint in words: what is said beside what the record shows, what may be done, money.

Flask-free; called by the views of complaints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fieldapi.clock import parse_instant
from fieldapi.console.values import Values
from fieldapi.console.words import Words
from fieldapi.domain import act_labels
from fieldapi.domain import complaint_labels as labels
from fieldapi.domain.flags import FLAGS

View = Mapping[str, Any]
# Each has its own place on the page, beside what it is about.
_BESIDE = frozenset({"find", "attach_evidence"})
# What the form is there to be told: an empty one says nothing against the act.
_TOLD_IN_FORM = frozenset(
    {"complaint.allegation", "complaint.outcome", "complaint.respondent", "order.missing"}
)
_MOMENTS = frozenset(
    {"seized_at", "received_at", "photo_taken_at", "to_reach_pound_by", "came_to_pound"}
)


@dataclass(frozen=True, slots=True)
class Seen:
    """A fact of the record. `section`: of the Act, where one speaks."""

    label: str
    value: str
    section: str


@dataclass(frozen=True, slots=True)
class Alleged:
    """One allegation beside the record. `found`: code of the finding, `found_said`: in words."""

    code: str
    label: str
    said: str
    record: list[Seen]
    found: str
    found_said: str
    reason: str


@dataclass(frozen=True, slots=True)
class ToDo:
    """An act on a complaint. `bar`: why not now."""

    act: str
    label: str
    is_open: bool
    is_doubtful: bool
    bar: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the case that can be laid beside an allegation."""

    ref: str
    label: str


@dataclass(frozen=True)
class Telling:
    """What the words need. `names`: of parties and people, by id."""

    values: Values
    names: Mapping[str, str]

    @property
    def words(self) -> Words:
        """Return how the page speaks."""
        return self.values.words

    def name(self, one: str | None) -> str:
        """Return who somebody is."""
        return self.names.get(one or "") or self.words.gettext("Not known")

    def allegations(self, view: View) -> list[Alleged]:
        """Return the allegations in their order."""
        return [self._alleged(one) for one in view["allegations"]]

    def _alleged(self, one: View) -> Alleged:
        finding = one["finding"] or {"found": "", "reason": ""}
        code = one["allegation"]
        return Alleged(
            code=code,
            label=self.words.gettext(labels.ALLEGATIONS[code]),
            said=one["said"],
            record=[self._seen(fact) for fact in one["record"]],
            found=finding["found"],
            found_said=self.words.gettext(labels.FINDINGS.get(finding["found"], "")),
            reason=finding["reason"],
        )

    def _seen(self, fact: View) -> Seen:
        name = fact["fact"]
        label = self.words.gettext(labels.FACTS.get(name, name))
        return Seen(label, self._value(name, fact["value"]), str(fact.get("section") or ""))

    def _value(self, name: str, value: Any) -> str:  # noqa: ANN401 - a value of any fact
        if value is None:
            return "–"
        if name in _MOMENTS:
            return self._moment(str(value))
        say = self._sayings().get(name)
        return self.values.say(name, value) if say is None else say(value)

    def _sayings(self) -> Mapping[str, Callable[[Any], str]]:
        words = self.words
        return {
            "flag": lambda code: words.gettext(FLAGS[code].says) if code in FLAGS else str(code),
            "reported": lambda herd: words.herd(herd) or "–",
            "counted_in": lambda herd: words.herd(herd) or "–",
            "damage_estimate_paise": lambda paise: words.rupees(int(paise)),
            "paid": self._sum,
            "due": self._sum,
            "held": self._held,
            "came": lambda one: self._moment(one["at"]),
            "heads_now": lambda now: ", ".join(map(self._heads, now.items())),
        }

    def _heads(self, counted: tuple[str, int]) -> str:
        state, number = counted
        return f"{number} {self.words.gettext(act_labels.HEADS.get(state, state))}"

    def _sum(self, one: View) -> str:
        line = self.words.gettext(act_labels.LINES.get(one["line"], one["line"]))
        return f"{self.words.rupees(int(one['paise']))} · {line}"

    def _moment(self, text: str) -> str:
        try:
            return self.words.moment(parse_instant(text))
        except ValueError:
            return text

    def _held(self, value: View) -> str:
        days = self.words.ngettext("{number} day", "{number} days", int(value["days"]))
        return f"{self.words.kind(value['kind'])}: {days}"

    def acts(self, view: View) -> list[ToDo]:
        """Return the acts that may be done now, then those that may not, with the reason."""
        made = [*self._acts(view)]
        return sorted(made, key=lambda one: not one.is_open)

    def _acts(self, view: View) -> Iterator[ToDo]:
        for one in view["acts"]:
            if one["act"] in _BESIDE or one["act"] not in labels.ACTS:
                continue
            is_open = one["allowed"] != "no" or one["code"] in _TOLD_IN_FORM
            reason = self.words.gettext(one["reason"]) if one["reason"] else ""
            label = self.words.gettext(labels.ACTS[one["act"]])
            yield ToDo(one["act"], label, is_open, one["allowed"] == "warn", reason)

    def pieces(self, listed: Sequence[View]) -> list[Piece]:
        """Return what can be laid beside an allegation: photos, readings, arrivals, acts."""
        kept = [one for one in listed if one["kind"] != "entry"]
        return [Piece(one["ref"], self._piece(one)) for one in kept]

    def _piece(self, one: View) -> str:
        kinds = {
            "photo": self.words.gettext("Photo"),
            "fix": self.words.gettext("Place"),
            "intake": self.words.gettext("Counted in at the pound"),
            "act": self.words.gettext("Official act"),
        }
        said = str(one.get("text") or one["what"]).replace("_", " ")
        when = self._moment(one["at"]) if one["at"] else ""
        return " · ".join(part for part in (kinds.get(one["kind"], ""), said, when) if part)
