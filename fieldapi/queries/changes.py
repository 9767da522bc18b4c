"""The pull: what moved since a cursor, as far as the puller sees it.

See docs/protocol/sync.md section 3.

An ascending scan of the ledger; the scanned-to `seq` moves the cursor even when nothing of it is
visible, so a pull always comes to an end and never skips. What a move brings is in `sights`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.domain.access import Principal
from fieldapi.keyring import Keyring
from fieldapi.ledger import Move, TreeHead
from fieldapi.models import ParkedOp
from fieldapi.problems import BadRequest
from fieldapi.queries import cursors, sights, written
from fieldapi.queries.places import Place, place_of, position_of
from fieldapi.queries.sights import Change, Puller

MAX_PAGE_BYTES = 1024 * 1024
_OUTCOME_STATUS = {
    "op.released": "applied",
    "op.corrected": "applied",
    "op.deferred_applied": "applied",
    "op.rejected": "rejected",
}


@dataclass(frozen=True, slots=True)
class Pulled:
    """One page. `changes`: each written as JSON, the bytes that will be sent. `more`: the scan
    stopped before the end.
    """

    changes: list[bytes]
    cursor: str
    more: bool
    head: TreeHead


def pull(
    session: Session, keys: Keyring, principal: Principal, *, cursor: str | None, limit: int
) -> Pulled:
    """Return what moved since `cursor` (None: everything there is), in order of `seq`.

    Raises `EpochChanged` for a cursor from before a restore, `BadRequest` for a foreign one.
    """
    head = ledger.head(session, principal.authority_id)
    place = _place(keys, principal, cursor, head)
    puller = Puller(principal, place.earlier, head.epoch)
    moves = ledger.moves_after(
        session, principal.authority_id, place.after, limit=limit, until=head.size
    )
    changes, scanned = _page(_changes(session, puller, moves), limit)
    ended = scanned == len(moves) < limit
    reached = head.size if ended else moves[scanned - 1].seq
    position = position_of(principal, Place(reached, () if ended else place.earlier), head)
    return Pulled(changes, cursors.seal(keys, _holder(principal), position), not ended, head)


def check_cursor(session: Session, keys: Keyring, principal: Principal, cursor: str | None) -> None:
    """Raise `EpochChanged` or `BadRequest` for a cursor that cannot be pulled from."""
    if cursor is not None:
        _place(keys, principal, cursor, ledger.head(session, principal.authority_id))


def seen_by(keys: Keyring, principal: Principal, cursor: str, epoch: str) -> int:
    """Return how far a client had read that was given this cursor; 0 if it was not, or in another
    epoch.
    """
    try:
        position = cursors.unseal(keys, _holder(principal), cursor)
    except BadRequest:
        return 0
    after = position.get("s")
    return after if isinstance(after, int) and position.get("e") == epoch else 0


def _holder(principal: Principal) -> str:
    return f"{principal.authority_id}/{principal.device_id or principal.person_id}"


def _place(keys: Keyring, principal: Principal, cursor: str | None, head: TreeHead) -> Place:
    if cursor is None:
        return Place(0)
    return place_of(principal, cursors.unseal(keys, _holder(principal), cursor), head)


def _page(changes: Iterable[list[bytes]], limit: int) -> tuple[list[bytes], int]:
    """Return the changes that fit a page, as JSON, and how many moves they stand for. What one
    move brings stays together, so the first may be longer than a page.
    """
    page: list[bytes] = []
    size = scanned = 0
    for scanned, made in enumerate(changes, start=1):
        size += sum(map(len, made))
        if page and (size > MAX_PAGE_BYTES or len(page) + len(made) > limit):
            return page, scanned - 1
        page += made
    return page, scanned


def _changes(session: Session, puller: Puller, moves: list[Move]) -> Iterator[list[bytes]]:
    """Yield what each move brings, written as it is sent: a page is measured by its bytes."""
    sight = sights.look(session, puller, moves)
    for move in moves:
        told = _outcome(session, puller.principal, move) if move.kind in ledger.OUTCOMES else []
        brought = [written.brought(one, sight.loaded) for one in sight.brought(move)]
        yield [*map(written.change, told), *brought]


def _outcome(session: Session, principal: Principal, move: Move) -> list[Change]:
    """Return what became of an op that had waited, if it was one of the puller's own."""
    actor, _, op = (move.op or "").partition("/")
    parked = session.get(ParkedOp, (principal.authority_id, actor, op))
    if parked is None or parked.by != principal.person_id:
        return []
    change: Change = {
        "authority": principal.authority_id,
        "seq": move.seq,
        "what": "outcome",
        "op": op,
        "status": _status(move, parked),
    }
    if parked.reason:
        change["reason"] = parked.reason
    return [change]


def _status(move: Move, parked: ParkedOp) -> str:
    """Return what became of it; what was let in without some of its fields needs its author."""
    is_in_part = parked.resolved is None and parked.status == "partial"
    return "quarantined" if is_in_part else _OUTCOME_STATUS[move.kind]
