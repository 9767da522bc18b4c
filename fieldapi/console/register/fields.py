"""The fields of the form of an act, made from what the act is told (`services.acts.kinds`): which
widget, which choices, under which label. Flask-free; called by `forms`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from fieldapi.console.register.typed import Mistyped, moment
from fieldapi.console.words import Words
from fieldapi.domain import act_labels
from fieldapi.domain.values import FREE, INSTANT, PAISE, TRUTH, Choice, ValueType
from fieldapi.domain.words import sentence
from fieldapi.services.acts.kinds import PARTICULARS, Several

Choices = list[tuple[str, str]]

_WIDGETS: Mapping[str, str] = MappingProxyType(
    {
        "bids": "lines",
        "counts": "counts",
        "dated": "day",
        "declaration": "signed",
        "proof": "proof",
    }
)
_RARE = frozenset(
    {"by", "conditions", "contents", "mother", "paper_serial", "photo", "vet_note", "witness"}
)
_HINTS: Mapping[str, str] = MappingProxyType(
    {
        "bids": sentence("Each bid with the name of the bidder, the highest last."),
        "by": sentence("Name of whoever came or did it, if it is not the owner."),
        "dated": sentence("The day that stands on the paper; left empty: today."),
        "expenses_paise": sentence("In rupees."),
        "order_no": sentence("As it stands on the written order."),
        "officer": sentence("An officer whom the register appoints."),
        "paid_paise": sentence("In rupees. Exactly what is due releases the cattle."),
        "paise": sentence("In rupees."),
        "paper_serial": sentence("If a receipt was written by hand."),
        "price_paise": sentence("In rupees."),
        "to": sentence("Left empty: to everybody to whom something is due."),
    }
)
# What one act means by a particular that others are told, too.
_LABELS: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("knock_down", "declaration"): sentence(
            "The buyer declared that the Act does not forbid them to buy, and that they buy for"
            " nobody else"
        ),
    }
)


@dataclass(slots=True)
class Field:
    """One field. `widget`: text, long, lines, money, number, check, select, checks, day, moment,
    counts, proof, signed. `values`: what is typed or chosen. `faults`: sentences, translated.
    `is_rare`: it is seldom told, and stands folded at the end.
    """

    name: str
    label: str
    widget: str
    hint: str = ""
    choices: Choices = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    is_rare: bool = False

    @property
    def value(self) -> str:
        """Return what is typed, of a field with one value."""
        return self.values[0] if self.values else ""

    def said(self, words: Words) -> str:
        """Return what is typed or chosen as it is read; empty where nothing is, and for counts,
        which stand with the heads.
        """
        typed = [one for one in self.values if one.strip()]
        if not typed or self.widget == "counts":
            return ""
        if self.widget in {"check", "signed"}:
            return words.truth(True)
        if self.widget == "moment":
            return _moment(self.value, words)
        named = dict(self.choices)
        shown = ", ".join(named.get(one, one) for one in typed)
        return f"₹{shown}" if self.widget == "money" else shown


def _moment(text: str, words: Words) -> str:
    try:
        return words.moment_of(moment(text))
    except Mistyped:
        return text


def field_of(name: str, act: str, words: Words, choices: Callable[[str], Choices | None]) -> Field:
    """Return the field of a particular. `choices`: what this case offers under a name."""
    of_case = choices(name)
    listed = of_case if of_case is not None else _listed(name, act, words)
    widget = _widget(name, listed, is_of_case=of_case is not None)
    hint = _HINTS.get(name, "") if act != "transfer" else ""
    label = _LABELS.get((act, name)) or act_labels.PARTICULARS[name]
    made = Field(name, words.gettext(label), widget, words.gettext(hint) if hint else "", listed)
    # What is released by an order is rarely released at the counter.
    made.is_rare = name in _RARE or (act, name) == ("release", "order_no")
    return made


def _listed(name: str, act: str, words: Words) -> Choices:
    known = act_labels.CHOICES.get(name)
    if known is None or (name == "to" and act != "remit"):
        return []
    if name == "place" and act != "record_proclamation":
        return []
    return [(code, words.gettext(label)) for code, label in known.items()]


def _widget(name: str, listed: Choices, *, is_of_case: bool) -> str:
    if name in _WIDGETS:
        return _WIDGETS[name]
    kind: ValueType = PARTICULARS[name]
    if listed or is_of_case or isinstance(kind, Choice):
        return "checks" if isinstance(kind, Several) else "select"
    by_type = {PAISE: "money", TRUTH: "check", INSTANT: "moment", FREE: "long"}
    return next((widget for one, widget in by_type.items() if kind is one), "text")
