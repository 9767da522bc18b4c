"""The pull: what moved since a cursor, as far as the puller sees it.

See docs/protocol/sync.md section 3.

An ascending scan of the ledger; the scanned-to `seq` moves the cursor even when nothing of it is
visible, so a pull always comes to an end and never skips. What a move brings is in `sights`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.domain.access import Principal
from fieldapi.keyring import Keyring
from fieldapi.ledger import Move, TreeHead
from fieldapi.models import ParkedOp
from fieldapi.problems import BadRequest, EpochChanged
from fieldapi.queries import cursors, sights
from fieldapi.queries.sights import Change, Puller
from sync.wire import JSON

MAX_PAGE_BYTES = 1024 * 1024
_OUTCOME_STATUS = {
    "op.released": "applied",
    "op.corrected": "applied",
    "op.deferred_applied": "applied",
    "op.rejected": "rejected",
}

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Pulled:
    """One page. `changes`: each written as JSON, as it will be sent. `more`: the scan stopped
    before the end.
    """

    changes: list[str]
    cursor: str
    more: bool
    head: TreeHead


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a pull stands. `earlier`: views that the puller had before this one, while the pull
    that tells what they no longer show has not come to its end.
    """

    after: int
    earlier: tuple[Principal, ...] = ()


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
    position = _position(principal, () if ended else place.earlier, reached, head)
    return Pulled(changes, cursors.seal(keys, _holder(principal), position), not ended, head)


def check_cursor(session: Session, keys: Keyring, principal: Principal, cursor: str | None) -> None:
    """Raise `EpochChanged` or `BadRequest` for a cursor that cannot be pulled from."""
    _place(keys, principal, cursor, ledger.head(session, principal.authority_id))


def view_of(principal: Principal) -> str:
    """Return a hash of what decides a principal's view: another view starts from the beginning."""
    text = json.dumps(_view(principal))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _view(principal: Principal) -> list[JSON]:
    pounds: JSON = None if principal.pounds is None else [*sorted(principal.pounds)]
    return [[*sorted(principal.roles)], pounds, principal.is_confirmed]


def _holder(principal: Principal) -> str:
    return f"{principal.authority_id}/{principal.device_id or principal.person_id}"


def _position(
    principal: Principal, earlier: Iterable[Principal], reached: int, head: TreeHead
) -> cursors.Position:
    position: dict[str, JSON] = {
        "e": head.epoch,
        "s": reached,
        "v": view_of(principal),
        "w": _view(principal),
    }
    views: list[JSON] = [_view(one) for one in earlier]
    return {**position, "p": views} if views else position


def _place(keys: Keyring, principal: Principal, cursor: str | None, head: TreeHead) -> _Place:
    if cursor is None:
        return _Place(0)
    position = cursors.unseal(keys, _holder(principal), cursor)
    if position.get("e") != head.epoch:
        raise EpochChanged(epoch=head.epoch)
    after = position.get("s")
    if not isinstance(after, int):
        raise BadRequest("This cursor is not one of a pull.")
    views = position.get("p")
    earlier = [*views] if isinstance(views, list) else []
    if position.get("v") == view_of(principal):
        return _Place(after, tuple(_seen_as(principal, earlier)))
    # Another view starts over, and lets go of what only an earlier one showed.
    return _Place(0, tuple(_seen_as(principal, [*earlier, position.get("w")])))


def _seen_as(principal: Principal, views: Iterable[JSON]) -> Iterator[Principal]:
    """Yield the principal with each of these views that is not the present one, once."""
    told = [_view(principal)]
    for view in views:
        if view in told or not isinstance(view, list):
            continue
        told.append(view)
        roles, pounds, is_confirmed = view
        yield replace(
            principal,
            roles=frozenset(map(str, roles if isinstance(roles, list) else ())),
            pounds=frozenset(map(str, pounds)) if isinstance(pounds, list) else None,
            is_confirmed=is_confirmed is True,
        )


def _page(changes: Iterable[list[Change]], limit: int) -> tuple[list[str], int]:
    """Return the changes that fit a page, as JSON, and how many moves they stand for. What one
    move brings stays together, so the first may be longer than a page.
    """
    page: list[str] = []
    size = scanned = 0
    for scanned, made in enumerate(changes, start=1):
        # Written here and sent as it is: a page is measured and encoded in one go.
        written = [_ENCODER.encode(change) for change in made]
        size += sum(len(one.encode()) for one in written)
        if page and (size > MAX_PAGE_BYTES or len(page) + len(written) > limit):
            return page, scanned - 1
        page += written
    return page, scanned


def _changes(session: Session, puller: Puller, moves: list[Move]) -> Iterator[list[Change]]:
    """Yield what each move brings."""
    sight = sights.look(session, puller, moves)
    for move in moves:
        told = _outcome(session, puller.principal, move) if move.kind in ledger.OUTCOMES else []
        yield [*told, *sight.changes(move)]


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
        "status": _OUTCOME_STATUS[move.kind],
    }
    if parked.reason:
        change["reason"] = parked.reason
    return [change]
