"""One act before the law: the case, the act, and the words in which rules answer.

Used by `acts/` and `cases.py`. A rule that is not met is a `Breach`; `verdict` turns breaches into
yes, warn or no: what nobody verified may warn, never block.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from types import MappingProxyType

from fieldapi.domain.words import sentence
from fieldapi.law.dues import Line, Quote, quote
from fieldapi.law.facts import Case, Done, Move, Proposal
from fieldapi.law.profile import StatuteProfile
from fieldapi.law.rules import Gate
from fieldapi.law.state import CaseState, HeadState, state
from sync.strict import JSON

YES, WARN, NO = "yes", "warn", "no"
PRODUCT = "REGISTER"
# What no Act says and nobody can do, or what this register needs to be able to write it down.
IMPOSSIBLE: Mapping[str, str] = MappingProxyType(
    {
        "act.unknown": sentence("There is no such act."),
        "head.unknown": sentence("One of these heads is not in this case."),
        "head.none": sentence("There is no head of cattle to which this could be done."),
        "head.gone": sentence("One of these heads is not in custody."),
        "head.final": sentence(
            "Money, an order or a sale hangs on how this head left; that is not undone."
        ),
        "head.not_in_pound": sentence("One of these heads is not in the pound."),
        "head.in_pound": sentence("One of these heads is in the pound already."),
        "head.not_delivered": sentence("One of these heads was not delivered on deposit."),
        "head.not_on_auction": sentence("This head is not put up for sale."),
        "heads.mixed": sentence("These heads come to sale for different reasons; name them apart."),
        "heads.of_others": sentence("One of these heads is not of this person."),
        "party.missing": sentence("Say for whom: nobody is identified."),
        "sum.missing": sentence("The sum is missing."),
        "sum.none": sentence("There is nothing to be paid."),
        "auction.open": sentence("The sale before is not settled yet."),
        "auction.none": sentence("No sale has been held."),
        "price.missing": sentence("The price has to be more than nothing."),
        "order.missing": sentence("The number of the order is missing."),
        "deposit.none": sentence("Nothing was deposited."),
        "security.none": sentence("No security is held."),
        "surplus.none": sentence("No surplus is held."),
        "balance.none": sentence("No balance and no head is left to give back."),
        "case.closed": sentence("The case is closed."),
        "case.open": sentence("The case is open."),
        "case.heads": sentence("Some heads are still in custody."),
        "case.money": sentence("The money of the case does not balance to zero."),
        "case.complaint": sentence("A complaint is not decided yet."),
        "stay.none": sentence("No stay is in force."),
        "complaint.allegation": sentence("This is not among what can be alleged."),
        "complaint.not_alleged": sentence("This was not alleged in the complaint."),
        "complaint.finding": sentence("A finding needs its word and its reason."),
        "complaint.outcome": sentence("Say what was decided: dismissed, lawful or illegal."),
        "complaint.decided": sentence("The complaint is decided or withdrawn."),
        "complaint.drafted": sentence("An order waits for a second person."),
        "complaint.no_draft": sentence("No order waits for a second person."),
        "complaint.respondent": sentence(
            "Name against whom: who seized the cattle or detained them."
        ),
        "complaint.redress": sentence(
            "Compensation, expenses and release go with an illegal seizure only."
        ),
    }
)


# What this register does not do, though it may have been done on paper.
REFUSED: Mapping[str, str] = MappingProxyType(
    {
        "sum.over": sentence("This is more than is due."),
        "auction.unfinished": sentence(
            "Heads are still on sale: sell them, or say that nobody bid."
        ),
        "security.unknown": sentence(
            "No security is asked for under this Act, as far as it is loaded."
        ),
        "security.forfeited": sentence("What the rules let forfeit of this security is forfeited."),
        "order.none": sentence("There is no order under which this could be done."),
        "order.no_fine": sentence("No fine is owed under this order."),
        "schedule.missing": sentence("No schedule is in force for these heads; load one first."),
        "complaint.findings": sentence("Something that was alleged has no finding yet."),
        "release.complaint": sentence(
            "A complaint about these heads is open; its order sets them free."
        ),
    }
)


@dataclass(frozen=True)
class Verdict:
    """The answer for an act: `allowed` yes, warn or no; under which rule, why, and by which words.

    `not_before`: the first instant at which a rule of time would let it pass. `is_possible` False:
    nothing of this kind can have happened, or it is not said well enough to be written down.
    """

    allowed: str
    rule: str
    reason: str = ""
    section: str = ""
    source: str = ""
    not_before: datetime | None = None
    is_possible: bool = True
    code: str = ""


@dataclass(frozen=True)
class Breach:
    """A condition that is not met: `code` of a gate of the Act, of `IMPOSSIBLE` or `REFUSED`.

    `is_sure` False: on another reading of the Act it would be met, so that it only warns.
    """

    code: str
    not_before: datetime | None = None
    is_sure: bool = True


@dataclass(frozen=True)
class Effect:
    """What an act brings about beside the state of its heads. `data`: what the act has to keep."""

    lines: tuple[Line, ...] = ()
    moves: tuple[Move, ...] = ()
    flags: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    data: Mapping[str, JSON] = field(default_factory=dict)
    rest_paise: int | None = None
    deficit_paise: int = 0

    @property
    def total_paise(self) -> int | None:
        """The sum of the lines, None if there are none."""
        return sum(one.paise for one in self.lines) if self.lines else None


@dataclass(frozen=True)
class Scene:
    """An act about to be judged. `now`: the state when it happened; `latest`: the state today.

    `heads`: those that the act names, or all that it can mean.
    """

    case: Case
    act: Proposal
    now: CaseState
    latest: CaseState
    heads: tuple[HeadState, ...] = ()

    @property
    def profile(self) -> StatuteProfile:
        """The version of the statute that judges."""
        return self.case.profile

    @property
    def at(self) -> datetime:
        """When it happens."""
        return self.act.happened_at

    @property
    def data(self) -> Mapping[str, JSON]:
        """The particulars of the act."""
        return self.act.data

    @cached_property
    def party(self) -> str | None:
        """The person that the act names, or the one who answers for all of its heads."""
        if self.act.party is not None:
            return self.act.party
        liable = {one.liable for one in self.heads}
        return next(iter(liable)) if len(liable) == 1 else None

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the heads."""
        return tuple(one.id for one in self.heads)

    @cached_property
    def quote(self) -> Quote:
        """What the person owes for the heads, security with it."""
        return quote(self.case, self.now, self.party, self.ids)

    def asks(self, code: str) -> bool:
        """Say whether the Act has this gate."""
        return self.profile.gate(code) is not None


Check = Callable[[Scene], Iterator[Breach]]
Make = Callable[[Scene], Effect]
Pick = Callable[["Scene"], Iterable[HeadState]]


def no_check(scene: Scene) -> Iterator[Breach]:  # noqa: ARG001 - every act answers this question
    """Yield nothing: the act has no condition of its own."""
    return iter(())


def no_effect(scene: Scene) -> Effect:  # noqa: ARG001 - every act answers this question
    """Return nothing: the act changes heads alone."""
    return Effect()


@dataclass(frozen=True)
class Rule:
    """One act: which heads it can mean, what it asks, what it brings about.

    `heads`: `none`, `custody`, `way` (not in a pound yet), `pound`. `is_fact`: it happened to the
    case, and may be told later. `after_close`: it can be done in a closed case.
    """

    check: Check = no_check
    effect: Make = no_effect
    heads: str = "none"
    pick: Pick | None = None
    needs_party: bool = False
    is_fact: bool = False
    after_close: bool = False


def scene_of(case: Case, act: Proposal) -> Scene:
    """Return the scene of an act, its heads not picked yet."""
    now = state(case, act.happened_at)
    return Scene(case, act, now, now if act.at == act.happened_at else state(case, act.at))


def verdict(profile: StatuteProfile, breaches: Iterable[Breach], *, act: str) -> Verdict:
    """Return the answer: the first thing that is impossible, else forbidden, else doubtful."""
    warned: Verdict | None = None
    refused: Verdict | None = None
    for breach in breaches:
        one = _verdict(profile, breach)
        if one is None:
            continue
        if not one.is_possible:
            return one
        if one.allowed == NO:
            refused = refused or one
        warned = warned or one
    return refused or warned or basis(profile, act)


def _verdict(profile: StatuteProfile, breach: Breach) -> Verdict | None:
    """Return what a breach means under this Act; None where the Act does not ask."""
    reason = IMPOSSIBLE.get(breach.code) or REFUSED.get(breach.code)
    if reason is not None:
        is_possible = breach.code in REFUSED
        return Verdict(NO, PRODUCT, reason, is_possible=is_possible, code=breach.code)
    gate = profile.gate(breach.code)
    if gate is None:
        return None
    is_blocking = breach.is_sure and profile.may_block(gate.provenance)
    allowed = NO if is_blocking else WARN
    return _cited(gate, allowed, gate.reason, breach.not_before)


def _cited(gate: Gate, allowed: str, reason: str, not_before: datetime | None) -> Verdict:
    why = gate.provenance
    return Verdict(
        allowed, gate.rule, reason, why.section, why.source.title, not_before, code=gate.code
    )


def basis(profile: StatuteProfile, act: str) -> Verdict:
    """Return yes, with the words of the Act that provide for the act, where it has any."""
    gate = profile.gate(f"act.{act}")
    return Verdict(YES, PRODUCT) if gate is None else _cited(gate, YES, gate.reason, None)


@dataclass(frozen=True)
class Judgement:
    """The answer for one act, and what it would bring about. `done`: the act as it is to be kept.

    `rest_paise`: surplus or balance of a sale; `deficit_paise`: what a sale left unpaid.
    """

    verdict: Verdict
    done: Done
    lines: tuple[Line, ...] = ()
    total_paise: int | None = None
    moves: tuple[Move, ...] = ()
    flags: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    rest_paise: int | None = None
    deficit_paise: int = 0
