"""The form of any official act: its fields in this case, and the body that a filled one says.

One form for all acts, made from their definitions. Flask-free; called by the views of acts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from fieldapi import law
from fieldapi.console.register import typed
from fieldapi.console.register.case import AtCounter, called
from fieldapi.console.register.fields import Choices, Field, field_of
from fieldapi.console.words import Words
from fieldapi.domain import act_labels
from fieldapi.domain.words import sentence
from fieldapi.law.state import UNDOABLE
from fieldapi.services.acts.kinds import ActKind
from sync.wire import JSON

# Who is named makes no difference to these.
_NAMES_NOBODY = frozenset(
    {
        "close",
        "correct_custody",
        "credit_surplus_to_fund",
        "died",
        "dispatch_to_pound",
        "escaped",
        "forfeit_cattle",
        "hold_surplus",
        "impound",
        "lift_stay",
        "no_bid",
        "other_disposal",
        "post_notice",
        "record_proclamation",
        "release_at_spot",
        "remit",
        "reopen",
        "report_unclaimed",
        "stay",
        "transfer",
    }
)
# What these are about is what a person owes: somebody has to be entered as owner first.
OF_THE_LIABLE = frozenset(
    {
        "assess",
        "deposit_under_protest",
        "receive_payment",
        "record_owner_default",
        "release",
    }
)
# Whoever is named for these is not the owner.
_OF_ANOTHER = frozenset({"knock_down", "recover_from_seizer"})
# The register needs the person, though no rule of the law asks for one.
_NEED_SOMEBODY = frozenset(act_labels.PERSONS)
# The person of the form is the buyer.
_UNASKED = MappingProxyType({"knock_down": frozenset({"buyer"})})
_OF_HEADS = frozenset({"custody", "way", "pound", "given"})
NEW = "new"
IDENTIFY = "identify"
_NEW_HINT = sentence("Choose somebody, or “Somebody else” and write the name below.")
_ALL_HINT = sentence("Left empty: the cattle of everybody.")
_MOST_SINGLE = 60
_MOST_ELSEWHERE = 200
# A form as it came in: every value of each name.
Typed = Mapping[str, Sequence[str]]


@dataclass(slots=True)
class HeadChoice:
    """Heads of one kind from which so many may be chosen."""

    kind: str
    label: str
    most: int
    value: str = ""


@dataclass(slots=True)
class Form:
    """The form of an act. `party`: None where nobody is named; `picks`: heads by kind; `heads`:
    each head, to be chosen alone; `spans`: some are of other cases; `happened`:
    None where the act is done now.
    """

    act: str
    id: str
    title: str
    fields: list[Field]
    party: Field | None = None
    picks: list[HeadChoice] = field(default_factory=list)
    heads: Choices = field(default_factory=list)
    spans: bool = False
    chosen: list[str] = field(default_factory=list)
    happened: Field | None = None
    reason: str = ""
    mode: str = "perform"
    faults: list[str] = field(default_factory=list)

    @property
    def is_faulty(self) -> bool:
        """Say whether anything has to be mended."""
        everything = [*self.fields, *filter(None, (self.party, self.happened))]
        return bool(self.faults) or any(one.faults for one in everything)

    def told(self, words: Words) -> list[tuple[str, str]]:
        """Return what was typed and chosen, by label, to be looked at before it counts."""
        counted = [f"{one.label}: {one.value}" for one in self.picks if one.value not in {"", "0"}]
        heads = [label for code, label in self.heads if code in self.chosen]
        which = words.gettext("Which heads")
        rows = [(which, text) for text in (*counted, *heads)]
        every = [*self.fields, *filter(None, (self.happened,))]
        return rows + [(one.label, one.said(words)) for one in every if one.said(words)]

    def find(self, name: str) -> Field | None:
        """Return the field of a name."""
        every = [*self.fields, *filter(None, (self.party, self.happened))]
        return next((one for one in every if one.name == name), None)


@dataclass(frozen=True, slots=True)
class Around:
    """What a case offers to choose from beside itself. `found`: people that a search found;
    `elsewhere`: heads that the person has in other cases; `lost`: heads that other cases lost.
    """

    kinds: Sequence[str]
    photos: Choices = field(default_factory=list)
    officers: Choices = field(default_factory=list)
    found: Choices = field(default_factory=list)
    elsewhere: Choices = field(default_factory=list)
    lost: Choices = field(default_factory=list)


def form_of(kind: ActKind, case: AtCounter, around: Around, *, act_id: str) -> Form:
    """Return the empty form of an act in a case."""
    words = case.words
    offered = _Offered(case, around)
    fields = [field_of(name, kind.slug, words, offered.choices) for name in _shown(kind)]
    form = Form(kind.slug, act_id, words.gettext(act_labels.ACTS[kind.slug]), fields)
    if kind.slug not in _NAMES_NOBODY and kind.prepare is not None:
        form.party = _party(kind, case, around)
    _add_heads(form, kind, case, around)
    if kind.is_fact:
        form.happened = happened_field(words)
    return form


def happened_field(words: Words) -> Field:
    """Return the field for the moment of something that is told later."""
    label, hint = sentence("When it happened"), sentence("Left empty: now.")
    return Field("happened_at", words.gettext(label), "moment", words.gettext(hint))


def _shown(kind: ActKind) -> Iterable[str]:
    """Return the names of what an act is told, in the order of a counter: money first."""
    first: tuple[str, ...] = ("as", "paid_paise", "price_paise", "paise", "order_no")
    if kind.slug == "release":  # an order number is for what is released by order
        first = ("paid_paise", "declaration", "register_signature")
    asked = [one for one in kind.takes if one not in _UNASKED.get(kind.slug, ())]
    return [
        *(one for one in first if one in asked),
        *(one for one in asked if one not in first),
    ]


def _party(kind: ActKind, case: AtCounter, around: Around) -> Field:
    """Return the field of who is named for an act, under the name that the act knows them by."""
    words, rule = case.words, law.ACTS.get(kind.slug)
    is_needed = kind.slug in _NEED_SOMEBODY or (rule is not None and rule.needs_party)
    hints = [_NEW_HINT] if is_needed else [_NEW_HINT, _ALL_HINT]
    known = {one.id: called(one) for one in case.parties.values()}
    known.update(dict(around.found))
    somebody = [*known.items(), (NEW, words.gettext("Somebody else"))]
    liable = {one["liable"] for one in case.view["custody"] if one["liable"]}
    made = Field(
        "buyer" if kind.slug == "knock_down" else "party",
        words.gettext(act_labels.PERSONS.get(kind.slug, act_labels.OWNER)),
        "select",
        " ".join(map(words.gettext, hints)),
        somebody,
    )
    if len(liable) == 1 and kind.slug not in _OF_ANOTHER:
        made.values = [str(next(iter(liable)))]
    return made


def _add_heads(form: Form, kind: ActKind, case: AtCounter, around: Around) -> None:
    words = case.words
    if kind.is_pick_new:
        form.picks = [HeadChoice(code, words.kind(code, 2), 500) for code in around.kinds]
        return
    if kind.slug == IDENTIFY:
        _add_heads_of_anybody(form, case)
        return
    rule = law.ACTS.get(kind.slug)
    if rule is None or rule.heads not in _OF_HEADS:
        return
    fit = [one for one in case.view["custody"] if _suits(one, rule.heads)]
    form.picks = _picks(fit, case)
    if 1 < len(fit) <= _MOST_SINGLE or around.elsewhere:
        form.heads = [(one["id"], _head(one, n, case)) for n, one in enumerate(fit, 1)]
    form.heads += around.elsewhere[:_MOST_ELSEWHERE]
    form.spans = bool(around.elsewhere)


def _add_heads_of_anybody(form: Form, case: AtCounter) -> None:
    """Let somebody be named for some heads of a herd: by number those of nobody yet, one by one
    also those that were somebody else's, or have left.
    """
    every = case.view["custody"]
    form.picks = _picks([one for one in every if one["became"] is None], case)
    if 1 < len(every) <= _MOST_SINGLE or any(one["became"] or one["liable"] for one in every):
        form.heads = [(one["id"], _head(one, n, case)) for n, one in enumerate(every, 1)]
        form.heads = form.heads[:_MOST_ELSEWHERE]


def _picks(heads: Sequence[Mapping[str, Any]], case: AtCounter) -> list[HeadChoice]:
    counts = Counter(one["kind"] for one in heads)
    return [HeadChoice(kind, case.words.kind(kind, 2), most) for kind, most in counts.items()]


def _suits(head: Mapping[str, Any], place: str) -> bool:
    if place == "given":
        return bool(head["became"] == "released_on_deposit")
    if head["became"] is not None:
        return False
    is_in = head["impounded_at"] is not None
    return place == "custody" or is_in is (place == "pound")


def _head(one: Mapping[str, Any], n: int, case: AtCounter) -> str:
    state = case.words.gettext(act_labels.HEADS.get(one["state"], one["state"]))
    return f"{n}. {case.words.kind(one['kind'])} · {state} · {case.who(one['liable'])}"


class _Offered:
    """What may be chosen under the names whose choices follow from the case."""

    def __init__(self, case: AtCounter, around: Around) -> None:
        self._case, self._around = case, around

    def choices(self, name: str) -> Choices | None:
        """Return the choices of a name; None where the case has no say in it."""
        make = {
            "paid_by": self._people,
            "pound": self._pounds,
            "photo": lambda: list(self._around.photos),
            "officer": lambda: list(self._around.officers),
            "mother": self._heads,
            "previous": lambda: list(self._around.lost),
            "remove": self._heads,
            "restore": self._ended,
            "line": self._lines,
            "security": lambda: self._held("securities"),
            "surplus": lambda: self._held("surpluses"),
        }.get(name)
        return None if make is None else make()

    def _people(self) -> Choices:
        people = [(one.id, called(one)) for one in self._case.parties.values()]
        return [*people, *(one for one in self._around.found if one not in people)]

    def _pounds(self) -> Choices:
        return list(self._case.pounds.items())

    def _heads(self) -> Choices:
        held = [one for one in self._case.view["custody"] if one["became"] is None]
        return [(one["id"], _head(one, n, self._case)) for n, one in enumerate(held, 1)]

    def _ended(self) -> Choices:
        gone = [one for one in self._case.view["custody"] if one["became"] in UNDOABLE]
        return [(one["id"], _head(one, n, self._case)) for n, one in enumerate(gone, 1)]

    def _lines(self) -> Choices:
        words = self._case.words
        return [(code, words.gettext(label)) for code, label in act_labels.LINES.items()]

    def _held(self, name: str) -> Choices:
        words = self._case.words
        return [
            (one["id"], f"{words.rupees(one['open'])} · {self._case.who(one['party'])}")
            for one in self._case.view["money"][name]
            if one["open"]
        ]


# ---- from the form to the body -----------------------------------------------------------------


def fill(form: Form, sent: Typed) -> None:
    """Put what was typed into a form."""

    def only(name: str) -> str:
        return next(iter(sent.get(name, ())), "")

    for one in [*form.fields, *filter(None, (form.party, form.happened))]:
        one.values = [text for text in sent.get(one.name, ()) if text.strip()]
        if one.widget == "counts":
            names = [choice.kind for choice in form.picks]
            one.values = [f"{kind}={only(f'counts.{kind}')}" for kind in names]
        if one.widget == "proof":
            one.values = [only("proof.officer"), only("proof.accepted_at")]
    for pick in form.picks:
        pick.value = only(f"pick.{pick.kind}").strip()
    form.chosen = [*sent.get("custody", ())]
    form.reason = only("reason").replace("\r\n", "\n").strip()
    form.mode = "record" if only("mode") == "record" else "perform"


def body_of(form: Form, words: Words) -> dict[str, JSON]:
    """Return the body that a filled form says; what cannot be understood is noted in its field."""
    body: dict[str, JSON] = {"id": form.id, "act": form.act, "mode": form.mode}
    if form.reason:
        body["reason"] = form.reason
    for one in [*form.fields, *filter(None, (form.party, form.happened))]:
        try:
            value = _value(one)
        except typed.Mistyped as exc:
            one.faults.append(words.gettext(str(exc)))
            continue
        if value is not None:
            body[one.name] = value
    if form.chosen:
        body["custody"] = [*form.chosen]
    picked = _picked(form, words)
    if picked:
        body["pick"] = picked
    return body


def _value(one: Field) -> JSON:
    """Return the JSON of a field; None if nothing was typed. Raises `Mistyped`."""
    if one.widget in {"check", "signed"}:
        yes: JSON = "signed" if one.widget == "signed" else True
        return yes if one.values else None
    if one.widget == "checks":
        return [*one.values] or None
    if one.widget == "proof":
        return _proof(one.values)
    if one.widget == "counts":
        return _counts(one.values)
    if not one.value.strip():
        return None
    return _single(one)


def _single(one: Field) -> JSON:
    text = one.value.strip()
    if one.widget == "money":
        return typed.rupees(text)
    if one.widget == "number":
        return typed.whole(text)
    if one.widget == "day":
        return typed.day(text).isoformat()
    if one.widget == "moment":
        return typed.moment(text)
    if one.widget == "lines":
        return [line.strip() for line in text.splitlines() if line.strip()]
    return text.replace("\r\n", "\n")


def _proof(values: Sequence[str]) -> JSON:
    officer, accepted = [*values, "", ""][:2]
    if not officer.strip():
        return None
    made: dict[str, JSON] = {"officer": officer.strip()}
    if accepted.strip():
        made["accepted_at"] = typed.moment(accepted)
    return made


def _counts(values: Sequence[str]) -> JSON:
    pairs = [one.partition("=") for one in values]
    counted = [(kind, text.strip()) for kind, _, text in pairs if text.strip()]
    return [{"kind": kind, "count": typed.whole(text)} for kind, text in counted] or None


def _picked(form: Form, words: Words) -> list[JSON]:
    found: list[JSON] = []
    if any(one.widget == "counts" for one in form.fields):
        return found
    for pick in form.picks:
        if not pick.value or pick.value == "0":
            continue
        try:
            found.append({"kind": pick.kind, "n": typed.whole(pick.value)})
        except typed.Mistyped as exc:
            form.faults.append(f"{pick.label.capitalize()}: {words.gettext(str(exc))}")
    return found


def blame(form: Form, errors: Mapping[str, Sequence[str]], words: Words) -> None:
    """Put the faults that the service named beside their fields, others above the form."""
    for path, texts in errors.items():
        one = form.find(path.partition(".")[0])
        said = [words.gettext(text) for text in texts]
        if one is None:
            form.faults += said
        else:
            one.faults += said
