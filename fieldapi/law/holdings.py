"""What a case holds for somebody: securities, surpluses and deposits, each with its own history.

Called by acts, clocks and the doors. Read from the moves of the acts; nothing is kept twice.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from fieldapi.law.facts import Complaint, Done, Move
from fieldapi.law.money import HELD_DEPOSIT, HELD_SECURITY, HELD_SURPLUS
from fieldapi.law.particulars import table, whole
from fieldapi.law.state import CaseState


@dataclass(frozen=True)
class Holding:
    """A sum that is held. `paise`: what came in, `open_paise`: what is still there.

    `since`: when it came in. `sold_at`: of a surplus. `received_at`: when the local authority had
    it. `owners`: whose cattle a security stands for.
    """

    id: str
    party: str | None
    paise: int
    open_paise: int
    since: datetime
    received_at: datetime
    owners: frozenset[str] = frozenset()

    def is_called(self, name: str) -> bool:
        """Say whether a name means this sum, or a part of it from before two people were one."""
        return name == self.id or name.startswith(f"{self.id}/")


def securities(now: CaseState) -> tuple[Holding, ...]:
    """Return every security that was deposited, oldest first."""
    return tuple(
        _holding(now, id, (one, moves)) for id, one, moves in _came_into(now, HELD_SECURITY)
    )


def surpluses(now: CaseState) -> tuple[Holding, ...]:
    """Return every surplus, oldest first; its time runs from the sale, or from its receipt."""
    found: list[Holding] = []
    for id, one, moves in _came_into(now, HELD_SURPLUS):
        sold_at = _sold_at(now, one)
        later = [act.at for act in now.done("hold_surplus") if act.at >= one.at]
        received = later[0] if later and one.act != "record_refusal" else sold_at
        found.append(_holding(now, id, (one, moves), since=sold_at, received_at=received))
    return tuple(found)


def deposits(now: CaseState) -> tuple[Done, ...]:
    """Return the deposits under protest that were neither applied nor given back."""
    settled = {
        id for one in now.done("apply_deposit", "refund_deposit") for id in table(one.data, "of")
    }
    return tuple(one for one in now.done("deposit_under_protest") if one.id not in settled)


def deposit_lines(one: Done) -> tuple[Move, ...]:
    """Return what was deposited, line by line."""
    return tuple(move for move in one.moves if move.target == HELD_DEPOSIT)


def decision_on(complaints: tuple[Complaint, ...], by: str | None, head: str) -> Complaint | None:
    """Return the complaint of a person about a head that counts: an open one, else the latest
    decided one.
    """
    mine = [
        one
        for one in complaints
        if (by is None or one.by in (None, by)) and (not one.heads or head in one.heads)
    ]
    undecided = [one for one in mine if one.outcome is None]
    decided = sorted((one for one in mine if one.outcome is not None), key=_decided_at)
    return undecided[0] if undecided else (decided[-1] if decided else None)


def _decided_at(one: Complaint) -> datetime:
    return one.decided_at or one.made_at


def _came_into(now: CaseState, account: str) -> Iterator[tuple[str, Done, tuple[Move, ...]]]:
    """Yield each sum that came in: one for each act and person."""
    for one in now.acts:
        moves = [move for move in one.moves if move.target == account]
        parties = list(dict.fromkeys(move.party for move in moves))
        for party in parties:
            id = one.id if len(parties) == 1 else f"{one.id}/{party or '-'}"
            yield id, one, tuple(move for move in moves if move.party == party)


def _holding(
    now: CaseState,
    id: str,
    came: tuple[Done, tuple[Move, ...]],
    *,
    since: datetime | None = None,
    received_at: datetime | None = None,
) -> Holding:
    one, moves = came
    paise = sum(move.paise for move in moves)
    since = since or one.at
    owners = _owners(now, one)
    held = Holding(id, moves[0].party, paise, paise, since, received_at or since, owners)
    gone = sum(
        whole(of, name) or 0
        for act in now.acts
        if act.at >= one.at
        for of in [table(act.data, "of")]
        for name in of
        if held.is_called(name)
    )
    return replace(held, open_paise=paise - gone)


def _sold_at(now: CaseState, one: Done) -> datetime:
    """A surplus of a sale counts from that sale; one that was refused, from the refusal."""
    before = [auction.at for auction in now.auctions.values() if auction.at <= one.at]
    return max(before) if one.act != "record_refusal" and before else one.at


def _owners(now: CaseState, one: Done) -> frozenset[str]:
    heads = [now.heads[id] for id in one.heads if id in now.heads]
    owners = {head.owner or head.liable for head in heads}
    known = frozenset(owner for owner in owners if owner is not None)
    return known or frozenset({one.party} if one.party is not None else ())
