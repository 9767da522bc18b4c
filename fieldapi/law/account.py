"""The account that goes to an owner whose cattle were sold for his default. Kerala s. 15(3).

Called by documents and the player of case files. Read from the acts; nothing is kept twice.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from fieldapi.law.dues import FEED, LEVIES
from fieldapi.law.facts import Case
from fieldapi.law.money import HELD_DEPOSIT
from fieldapi.law.state import SOLD, state

# Heads of the same seizure that came into the register after it, and were not seized by it.
LATER = frozenset({"born", "reseized"})


@dataclass(frozen=True)
class OwnerAccount:
    """(a) seized, (b) the time in the pound, (c) fines and charges, (d) sold, (e) proceeds,
    (f) where the proceeds went, by account: paise of each. `charges`: (c) line by line.
    """

    seized: int
    impounded_at: datetime | None
    until: datetime
    charges: tuple[tuple[str, int], ...]
    sold: int
    proceeds_paise: int
    went_to: tuple[tuple[str, int], ...]

    @property
    def charges_paise(self) -> int:
        """The sum of the fines and charges."""
        return sum(paise for _, paise in self.charges)


def owner_account(case: Case, party: str, at: datetime) -> OwnerAccount:
    """Return the account of a person at a moment: contents (a) to (f)."""
    now = state(case, at)
    mine = now.of(party)
    came = [one.impounded_at for one in mine if one.impounded_at is not None]
    moves = [move for one in now.acts for move in one.moves if move.party == party]
    outs: Counter[str] = Counter()
    charges: Counter[str] = Counter()
    for move in moves:
        if move.source == "held.proceeds":
            outs[move.target] += move.paise
        # What was deposited is charged once, not again when the deposit is applied.
        if move.line in (*LEVIES, FEED) and move.source != HELD_DEPOSIT:
            charges[move.line] += move.paise
    return OwnerAccount(
        seized=sum(one.origin not in LATER for one in mine),
        impounded_at=min(came) if came else None,
        until=at,
        charges=tuple(charges.items()),
        sold=sum(one.became in SOLD for one in mine),
        proceeds_paise=sum(one.price_paise for one in mine),
        went_to=tuple(outs.items()),
    )
