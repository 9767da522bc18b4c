"""What a person owes at a moment: a quote of lines, each with its rule, section and arithmetic.

Called by acts, queries and services. Nothing is charged without a schedule in force: what is
missing is named instead. Whole paise.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from fieldapi.law.days import day_of
from fieldapi.law.facts import Case
from fieldapi.law.register import FEEDING, SECTION_189
from fieldapi.law.rules import Charge
from fieldapi.law.scales import AGAIN, Amount, Occasion, feeding, fees, occasion
from fieldapi.law.state import LOST, CaseState, HeadState, state

FINE, FEE, FEED, DEPOSIT = "fine", "pound_fee", "feeding", "security"
EXPENSES, ON_ACCOUNT = "sale_expenses", "paid_on_account"
LEVIES = (FINE, FEE)
HELD_ON_ACCOUNT = "held.on_account"


@dataclass(frozen=True)
class Line:
    """One line of a quote or receipt. `how`: the arithmetic in rupees, `note`: in words."""

    line: str
    paise: int
    how: str
    rule: str = ""
    section: str = ""
    source: str = ""
    is_verified: bool = True
    note: str = ""


@dataclass(frozen=True)
class Quote:
    """What a person owes. `missing`: sorts of schedules without which it cannot be said.

    `notes`: codes of what a reader should know, such as `special_exceeds_cap`.
    """

    party: str | None
    lines: tuple[Line, ...]
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    head: int = 0
    times: int = 0

    @property
    def total_paise(self) -> int | None:
        """The sum, None while a schedule is missing."""
        return None if self.missing else sum(one.paise for one in self.lines)

    def paise(self, *lines: str) -> int:
        """Return the sum of some lines."""
        return sum(one.paise for one in self.lines if one.line in lines)


def rupees(paise: int) -> str:
    """Return a sum as rupees with two decimals: `rupees(102550)` is `1025.50`."""
    sign = "-" if paise < 0 else ""
    whole, rest = divmod(abs(paise), 100)
    return f"{sign}{whole}.{rest:02}"


def dues(
    case: Case,
    party: str | None,
    at: datetime,
    heads: Sequence[str] | None = None,
    *,
    with_security: bool = True,
) -> Quote:
    """Return what a person would have to pay at a moment to get these heads, or all of his.

    Heads that died, escaped or were rescued from the pound cost until they were gone. What was
    paid on account is taken off. `with_security`: False for a deposit under protest.
    """
    return quote(case, state(case, at), party, heads, with_security=with_security)


def quote(
    case: Case,
    now: CaseState,
    party: str | None,
    heads: Sequence[str] | None = None,
    *,
    with_security: bool = True,
) -> Quote:
    """Return the quote of a state that was folded before; else as `dues`."""
    charged = chargeable(now, party, heads)
    lines: list[Line] = []
    missing: list[str] = []
    notes: list[str] = []
    for charge in case.profile.charges:
        if charge.code == DEPOSIT:
            continue
        made = (
            _feeding(case, charge, charged, now.at)
            if charge.scale == FEEDING
            else _levy(case, charge, charged, now)
        )
        lines.extend(made.lines)
        missing.extend(made.missing)
        notes.extend(made.notes)
    if with_security:
        made = security(case, now, charged)
        lines.extend(made.lines)
        missing.extend(made.missing)
    paid = now.parties.get((HELD_ON_ACCOUNT, party), 0)
    if paid:
        lines.append(Line(ON_ACCOUNT, -paid, rupees(-paid)))
    times = [occasion(case, one, now.heads.values()) for one in charged if one.impounded_at]
    return Quote(
        party,
        tuple(lines),
        tuple(dict.fromkeys(missing)),
        tuple(dict.fromkeys(notes)),
        max((one.head for one in times), default=0),
        max((one.times for one in times), default=0),
    )


def chargeable(
    now: CaseState, party: str | None, heads: Sequence[str] | None = None
) -> tuple[HeadState, ...]:
    """Return the impounded heads for which a person still owes something."""
    mine = [one for one in now.of(party) if one.impounded_at is not None]
    standing = [one for one in mine if one.became is None and (heads is None or one.id in heads)]
    lost = [one for one in mine if one.became in LOST and not _is_paid(one)]
    return (*standing, *lost)


def _is_paid(head: HeadState) -> bool:
    is_fed = head.left_at is None or (
        head.fed_to is not None and day_of(head.left_at) <= head.fed_to
    )
    return head.is_levied and is_fed


@dataclass(frozen=True)
class _Made:
    lines: tuple[Line, ...] = ()
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def _levy(case: Case, charge: Charge, heads: Iterable[HeadState], now: CaseState) -> _Made:
    """The fine or pound fee: for every head impounded, once."""
    due = [one for one in heads if not one.is_levied]
    amounts = _amounts(case, charge, due, now)
    made = _made(charge, due, amounts)
    if not case.continues or not made.lines or case.profile.value(AGAIN) is not True:
        return made
    other = _amounts(_as_one_time(case), charge, due, now)
    note = f"as one time: {rupees(sum(one.paise for one in other))}"
    return replace(made, lines=tuple(replace(one, note=note) for one in made.lines))


def _amounts(case: Case, charge: Charge, due: Iterable[HeadState], now: CaseState) -> list[Amount]:
    return [
        amount
        for occurred, group in _groups(case, due, now)
        for amount in fees(case, charge, group, occurred)
    ]


def _as_one_time(case: Case) -> Case:
    """Return the case as the other reading has it: seized again is no impounding of its own."""
    values = tuple(
        replace(one, value=False) if one.code == AGAIN else one for one in case.profile.values
    )
    return replace(case, profile=replace(case.profile, values=values))


def _groups(
    case: Case, heads: Iterable[HeadState], now: CaseState
) -> list[tuple[Occasion, list[HeadState]]]:
    groups: dict[Occasion, list[HeadState]] = {}
    for head in heads:
        groups.setdefault(occasion(case, head, now.heads.values()), []).append(head)
    return list(groups.items())


def _made(charge: Charge, due: Sequence[HeadState], amounts: Sequence[Amount]) -> _Made:
    missing = (charge.scale,) if len(amounts) < len(due) else ()
    if not amounts:
        return _Made(missing=missing)
    notes = ("special_exceeds_cap",) if any(one.is_capped for one in amounts) else ()
    each = Counter(one.paise for one in amounts)
    how = "+".join(f"{count}*{rupees(paise)}" for paise, count in each.items())
    return _Made((_line(charge, sum(one.paise for one in amounts), how),), missing, notes)


def _feeding(case: Case, charge: Charge, heads: Sequence[HeadState], at: datetime) -> _Made:
    fed = [feeding(case, one, at) for one in heads]
    missing = (charge.scale,) if any(one.missing for one in fed) else ()
    if not any(one.days for one in fed):
        return _Made()
    groups = Counter((one.days, one.paise) for one in fed if one.days)
    how = "+".join(_fed(count, days, paise) for (days, paise), count in groups.items())
    return _Made((_line(charge, sum(one.paise for one in fed), how),), missing)


def _fed(count: int, days: int, paise: int) -> str:
    rate, rest = divmod(paise, days)
    return f"{count}*{rupees(paise)}" if rest else f"{count}*{days}*{rupees(rate)}"


def security(case: Case, now: CaseState, heads: Sequence[HeadState]) -> _Made:
    """Return the security for heads in custody, where the section on it applies. Gujarat s. 189.

    Young that were born in the pound were never impounded: none is asked for them.
    """
    charge = case.profile.charge(DEPOSIT)
    held = [one for one in heads if one.is_in_custody and one.origin != "born"]
    if charge is None or not held or not needs_security(case, now.at):
        return _Made()
    return _made(charge, held, _amounts(case, charge, held, now))


def needs_security(case: Case, at: datetime) -> bool:
    """Say whether security and a declaration are asked for on this day. Gujarat s. 189(1)."""
    if case.profile.charge(DEPOSIT) is None:
        return False
    return bool(case.register.in_force(SECTION_189, day_of(at), area=case.seizure.village))


def _line(charge: Charge, paise: int, how: str) -> Line:
    why = charge.provenance
    return Line(
        charge.code, paise, how, charge.rule, why.section, why.source.title, why.is_verified
    )
