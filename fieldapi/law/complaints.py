"""A complaint of illegal seizure or detention: its time, its allegations, and how far it has gone.

Called by `complaint_acts`, which judges, and by queries and services. Folded from its acts, as a
case is. Who decides and by when is data of the Act; nothing of it is here.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType

from fieldapi.law.clocks import complaint_until
from fieldapi.law.facts import Case, Done, Move
from fieldapi.law.money import OWED_BY_SEIZER
from fieldapi.law.particulars import text, texts, truth
from fieldapi.law.profile import StatuteProfile
from fieldapi.law.scene import WARN, Verdict
from fieldapi.law.state import ordered

PLACE, TIME, COUNT, DAMAGE = "place", "time", "count", "damage"
CAPACITY, HOURS, FINE, DETENTION = "capacity", "transit", "fine", "detention"
ALLEGATIONS = (PLACE, TIME, COUNT, DAMAGE, CAPACITY, HOURS, FINE, DETENTION)
FINDINGS = ("supported", "not_supported", "not_enough")
DISMISSED, LAWFUL, ILLEGAL = "dismissed", "lawful", "illegal"
OUTCOMES = (DISMISSED, LAWFUL, ILLEGAL)
SEIZER, DETAINER = "seizer", "detainer"
HELD = "held.compensation"
IN_TIME, DOUBTFUL, LATE = "yes", "doubtful", "late"
ORDERS = ("order", "record_order")


@dataclass(frozen=True)
class ComplaintCase:
    """A complaint and what was done about it. `case`: the seizure complained of.

    `against`: who seized or detained, by party. `said`: what is alleged, in the words of whoever
    complains. `heads`: empty stands for all of `by`.
    """

    id: str
    case: Case
    made_at: datetime
    by: str
    agent: str | None = None
    is_acquainted: bool = False
    is_verbal: bool = False
    is_taken_down: bool = False
    heads: tuple[str, ...] = ()
    against: Mapping[str, str] = field(default_factory=dict)
    said: Mapping[str, str] = field(default_factory=dict)
    acts: tuple[Done, ...] = ()

    @property
    def profile(self) -> StatuteProfile:
        """The version of the statute under which the cattle were seized."""
        return self.case.profile

    def after(self, *acts: Done) -> "ComplaintCase":
        """Return the complaint with more acts done."""
        return replace(self, acts=(*self.acts, *acts))


@dataclass(frozen=True)
class Finding:
    """What was found of an allegation: one of `FINDINGS`, why, and by which act."""

    finding: str
    reason: str
    evidence: tuple[str, ...]
    act: str


@dataclass(frozen=True)
class ComplaintState:
    """A complaint at a moment. `state`: received, examined, summoned, inquiry, forwarded, drafted
    (waits for the second person), dismissed, lawful, illegal, recovered, withdrawn.

    `decision`: the order in force; `draft`: one that waits. `owed`, `paid`: paise by respondent and
    line. `held_paise`: paid in, not yet handed to the complainant.
    """

    state: str
    outcome: str | None
    decided_at: datetime | None
    decision: Done | None
    draft: Done | None
    against: Mapping[str, str]
    said: Mapping[str, str]
    evidence: Mapping[str, tuple[str, ...]]
    findings: Mapping[str, Finding]
    owed: Mapping[tuple[str | None, str], int]
    paid: Mapping[tuple[str | None, str], int]
    held_paise: int
    is_well_founded: bool | None = None
    is_summoned: bool = False
    is_inquired: bool = False

    @property
    def is_open(self) -> bool:
        """Say whether it waits for a decision."""
        return self.outcome is None and self.state != "withdrawn"

    def outstanding(self, party: str | None = None) -> int:
        """Return what a respondent, or all of them, still owe."""
        return sum(
            paise - self.paid.get(key, 0)
            for key, paise in self.owed.items()
            if party is None or key[0] == party
        )


_STATES: Mapping[str, str] = MappingProxyType(
    {
        "examine": "examined",
        "summon": "summoned",
        "hold_inquiry": "inquiry",
        "forward": "forwarded",
        "withdraw": "withdrawn",
    }
)


@dataclass
class _Fold:
    """The state under way."""

    against: dict[str, str]
    said: dict[str, str]
    state: str = "received"
    before: str = "received"
    decision: Done | None = None
    decided_at: datetime | None = None
    draft: Done | None = None
    evidence: dict[str, tuple[str, ...]] = field(default_factory=dict)
    findings: dict[str, Finding] = field(default_factory=dict)
    owed: Counter[tuple[str | None, str]] = field(default_factory=Counter)
    paid: Counter[tuple[str | None, str]] = field(default_factory=Counter)
    held: int = 0
    is_well_founded: bool | None = None
    done: set[str] = field(default_factory=set)

    def take(self, one: Done) -> None:
        self.done.add(one.act)
        self.state = _STATES.get(one.act, self.state)
        if one.act == "examine":
            self.is_well_founded = truth(one.data, "well_founded")
        self._name(one)
        self._order(one)
        for move in one.moves:
            self._book(move)

    def _name(self, one: Done) -> None:
        """Take in what is alleged, against whom, and what is held beside it."""
        what = text(one.data, "allegation")
        if one.act == "name_respondent" and one.party is not None:
            self.against[one.party] = text(one.data, "part") or SEIZER
        if what is None:
            return
        if one.act == "add_allegation":
            self.said[what] = text(one.data, "text") or ""
        named = texts(one.data, "evidence") or ()
        known = self.evidence.get(what, ())
        self.evidence[what] = tuple(dict.fromkeys((*known, *named)))
        if one.act == "find":
            word, why = text(one.data, "found") or "", text(one.data, "text") or ""
            self.findings[what] = Finding(word, why, self.evidence[what], one.id)

    def _order(self, one: Done) -> None:
        if one.act in ORDERS:
            if needs_second(one.data):
                self.before = self.state if self.draft is None else self.before
                self.draft, self.state = one, "drafted"
            else:
                self._decide(one, one.at)
        elif one.act == "confirm_order" and self.draft is not None:
            at = self.draft.at if self.draft.act == "record_order" else one.at
            self._decide(self.draft, at)
        elif one.act == "return_order" and self.draft is not None:
            self.draft, self.state = None, self.before

    def _decide(self, order: Done, at: datetime) -> None:
        self.decision, self.decided_at, self.draft = order, at, None
        self.state = text(order.data, "outcome") or DISMISSED

    def _book(self, move: Move) -> None:
        key = (move.party, move.line)
        if move.source == OWED_BY_SEIZER:
            self.owed[key] += move.paise
        elif move.target == OWED_BY_SEIZER:
            self.paid[key] += move.paise
        self.held += move.paise if move.target == HELD else 0
        self.held -= move.paise if move.source == HELD else 0


def needs_second(data: Mapping[str, object]) -> bool:
    """Say whether an order waits for a second person: one that ends a complaint without redress,
    and one that sets cattle free.
    """
    return data.get("outcome") in {DISMISSED, LAWFUL} or data.get("release") is True


def complaint_state(one: ComplaintCase, at: datetime) -> ComplaintState:
    """Return how a complaint stands at a moment."""
    fold = _Fold(dict(one.against), dict(one.said))
    for done in ordered(act for act in one.acts if act.at <= at):
        fold.take(done)
    outcome = None if fold.decision is None else text(fold.decision.data, "outcome")
    owed, paid = dict(fold.owed), dict(fold.paid)
    is_recovered = bool(owed) and owed == paid and not fold.held
    return ComplaintState(
        state="recovered" if outcome == ILLEGAL and is_recovered else fold.state,
        outcome=outcome,
        decided_at=fold.decided_at,
        decision=fold.decision,
        draft=fold.draft,
        against=fold.against,
        said=fold.said,
        evidence=fold.evidence,
        findings=fold.findings,
        owed=owed,
        paid=paid,
        held_paise=fold.held,
        is_well_founded=fold.is_well_founded,
        is_summoned="summon" in fold.done,
        is_inquired="hold_inquiry" in fold.done,
    )


def in_time(one: ComplaintCase) -> str | None:
    """Return `yes`, `late`, or `doubtful`: late on one reading, in time on another. None: the Act
    as loaded sets no time.
    """
    until = complaint_until(one.case)
    if until is None:
        return None
    if until.is_surely_over(one.made_at):
        return LATE
    return DOUBTFUL if until.is_over(one.made_at) else IN_TIME


def doubts(one: ComplaintCase) -> tuple[Verdict, ...]:
    """Return what the Act has against the form of a complaint. It is taken in all the same: that
    somebody complained is a fact, and who decides on it is told.
    """
    found = [_late(one)] if in_time(one) in {LATE, DOUBTFUL} else []
    codes = []
    if one.is_verbal:
        codes.append("complaint.verbal")
        codes += [] if one.is_taken_down else ["complaint.taken_down"]
    if one.agent is not None and not one.is_acquainted:
        codes.append("complaint.agent")
    return (*found, *_asked(one.profile, codes))


def _late(one: ComplaintCase) -> Verdict:
    until = complaint_until(one.case)
    if until is None:
        return Verdict(WARN, "COMPLAINT")
    clock, why = until.clock, until.clock.provenance
    return Verdict(
        WARN, clock.rule, clock.then, why.section, why.source.title, code="complaint.late"
    )


def _asked(profile: StatuteProfile, codes: Iterable[str]) -> Iterable[Verdict]:
    for code in codes:
        gate = profile.gate(code)
        if gate is not None:
            why = gate.provenance
            section, title = why.section, why.source.title
            yield Verdict(WARN, gate.rule, gate.reason, section, title, code=code)
