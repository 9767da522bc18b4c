"""Whole paise on their way: payments are applied in order, proceeds by branch, shares to the paisa.

Called by acts. Nothing is created and nothing is lost: every function here keeps its sum.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fieldapi.law.dues import DEPOSIT, EXPENSES, HELD_ON_ACCOUNT, ON_ACCOUNT, Line, rupees
from fieldapi.law.facts import Move
from fieldapi.law.profile import StatuteProfile

PAYER, BUYER, TREASURY = "payer", "buyer", "treasury"
HELD_DEPOSIT, HELD_SECURITY = "held.deposit", "held.security"
HELD_PROCEEDS, HELD_BALANCE, HELD_SURPLUS = "held.proceeds", "held.balance", "held.surplus"
OWED_BY_SEIZER, OWED_TO_POUND = "receivable.seizer", "receivable.pound"
OWED_TO_COMPLAINANT = "receivable.complainant"
BY_KEEPER, ALWAYS = "by_keeper", "always"


def target_of(profile: StatuteProfile, line: str, *, by_keeper: bool = True) -> str:
    """Return the account that a line comes into: its end, or what is due to be handed over."""
    if line == DEPOSIT:
        return HELD_SECURITY
    charge = profile.charge(line)
    if charge is None:
        return EXPENSES
    is_due = charge.sent == ALWAYS or (by_keeper and charge.sent == BY_KEEPER)
    return f"due.{charge.target}" if is_due else charge.target


@dataclass(frozen=True)
class Payment:
    """Who pays how much, now. `into`: one account that takes it all, such as a deposit."""

    party: str | None
    paise: int
    into: str | None = None


def pay(
    profile: StatuteProfile, lines: Sequence[Line], payment: Payment
) -> tuple[tuple[Move, ...], int]:
    """Return the moves that pay these lines in their order, and what stays unpaid.

    What is on account goes first, then the payer's money; what he gave too much stays on account.
    """
    left = {
        HELD_ON_ACCOUNT: -sum(one.paise for one in lines if one.line == ON_ACCOUNT),
        PAYER: payment.paise,
    }
    moves: list[Move] = []
    unpaid = 0
    for one in (one for one in lines if one.line != ON_ACCOUNT):
        target = payment.into or target_of(profile, one.line)
        owed = one.paise
        for source in (HELD_ON_ACCOUNT, PAYER):
            taken = min(left[source], owed)
            left[source] -= taken
            owed -= taken
            if taken:
                how = (one.how, one.section)
                moves.append(Move(one.line, taken, source, target, payment.party, *how))
        unpaid += owed
    if left[PAYER]:
        moves.append(Move(ON_ACCOUNT, left[PAYER], PAYER, HELD_ON_ACCOUNT, payment.party))
    return tuple(moves), unpaid


def split(paise: int, weights: Sequence[int]) -> tuple[int, ...]:
    """Return whole shares of a sum by weight; what is left over goes to the largest remainders.

    >>> split(100, [1, 1, 1])
    (34, 33, 33)
    """
    total = sum(weights)
    if total == 0:
        return tuple(paise if place == 0 else 0 for place in range(len(weights)))
    shares = [paise * weight // total for weight in weights]
    order = sorted(range(len(weights)), key=lambda n: (-(paise * weights[n] % total), n))
    for n in order[: paise - sum(shares)]:
        shares[n] += 1
    return tuple(shares)


def from_proceeds(
    profile: StatuteProfile,
    lines: Iterable[Line],
    proceeds: int,
    *,
    on_account: int,
    party: str | None,
) -> tuple[list[Move], int, int]:
    """Return the moves that pay lines out of a sale, what is left of it, and what stays unpaid.

    What was paid on account before goes first, so that it lowers what the sale has to bear.
    """
    moves: list[Move] = []
    deficit = 0
    for one in lines:
        target = target_of(profile, one.line, by_keeper=False)
        owed = one.paise
        for source, held in ((HELD_ON_ACCOUNT, on_account), (HELD_PROCEEDS, proceeds)):
            taken = min(held, owed)
            owed -= taken
            if source == HELD_PROCEEDS:
                proceeds -= taken
            else:
                on_account -= taken
            if taken:
                moves.append(Move(one.line, taken, source, target, party, one.how, one.section))
        deficit += owed
    if on_account:
        moves.append(Move(ON_ACCOUNT, on_account, HELD_ON_ACCOUNT, HELD_PROCEEDS, party))
    return moves, proceeds + on_account, deficit


def expenses_line(paise: int, section: str) -> Line:
    """Return the line of what a sale cost."""
    return Line(EXPENSES, paise, rupees(paise), "SALE-EXPENSES", section)
