"""The pull: what moved since a cursor, as far as the puller sees it.

See docs/protocol/sync.md section 3.

An ascending scan of the ledger; the scanned-to `seq` moves the cursor even when nothing of it is
visible, so a pull always comes to an end and never skips.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.domain.access import Principal
from fieldapi.domain.records import merge_kind
from fieldapi.keyring import Keyring
from fieldapi.ledger import Move, TreeHead
from fieldapi.models import ParkedOp, RecordRow
from fieldapi.problems import BadRequest, EpochChanged
from fieldapi.queries import cursors, views
from sync import merge
from sync.wire import JSON

MAX_PAGE_BYTES = 1024 * 1024
_OUTCOME_STATUS = {
    "op.released": "applied",
    "op.corrected": "applied",
    "op.deferred_applied": "applied",
    "op.rejected": "rejected",
}

Change = dict[str, JSON]
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


def pull(
    session: Session, keys: Keyring, principal: Principal, *, cursor: str | None, limit: int
) -> Pulled:
    """Return what moved since `cursor` (None: everything there is), in order of `seq`.

    Raises `EpochChanged` for a cursor from before a restore, `BadRequest` for a foreign one.
    """
    head = ledger.head(session, principal.authority_id)
    after = _position(keys, principal, cursor, head)
    moves = ledger.moves_after(session, principal.authority_id, after, limit=limit, until=head.size)
    changes, scanned = _changes(session, principal, moves, head)
    ended = scanned == len(moves) < limit
    reached = head.size if ended else moves[scanned - 1].seq
    position: cursors.Position = {"e": head.epoch, "s": reached, "v": view_of(principal)}
    return Pulled(changes, cursors.seal(keys, _holder(principal), position), not ended, head)


def check_cursor(session: Session, keys: Keyring, principal: Principal, cursor: str | None) -> None:
    """Raise `EpochChanged` or `BadRequest` for a cursor that cannot be pulled from."""
    _position(keys, principal, cursor, ledger.head(session, principal.authority_id))


def view_of(principal: Principal) -> str:
    """Return a hash of what decides a principal's view: another view starts from the beginning."""
    pounds = None if principal.pounds is None else sorted(principal.pounds)
    text = json.dumps([sorted(principal.roles), pounds, principal.is_confirmed])
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _holder(principal: Principal) -> str:
    return f"{principal.authority_id}/{principal.device_id or principal.person_id}"


def _position(keys: Keyring, principal: Principal, cursor: str | None, head: TreeHead) -> int:
    if cursor is None:
        return 0
    position = cursors.unseal(keys, _holder(principal), cursor)
    if position.get("e") != head.epoch:
        raise EpochChanged(epoch=head.epoch)
    after = position.get("s")
    if not isinstance(after, int):
        raise BadRequest("This cursor is not one of a pull.")
    return after if position.get("v") == view_of(principal) else 0


def _changes(
    session: Session, principal: Principal, moves: list[Move], head: TreeHead
) -> tuple[list[str], int]:
    """Return the visible changes as JSON and how many moves were looked at, within 1 MiB."""
    keys = [_key(move) for move in moves if move.is_newest]
    loaded = views.load(session, principal.authority_id, keys)
    changes: list[str] = []
    size = 0
    for scanned, move in enumerate(moves):
        made = _changes_of(session, principal, move, loaded=loaded, epoch=head.epoch)
        # Written here and sent as it is: a page is measured and encoded in one go.
        written = [_ENCODER.encode(change) for change in made]
        size += sum(len(one.encode()) for one in written)
        if size > MAX_PAGE_BYTES and changes:
            return changes, scanned
        changes += written
    return changes, len(moves)


def _key(move: Move) -> views.Key:
    kind, _, record_id = move.subject.partition("/")
    return kind, record_id


def _changes_of(
    session: Session, principal: Principal, move: Move, *, loaded: views.Loaded, epoch: str
) -> list[Change]:
    made: list[Change] = []
    if move.kind in ledger.OUTCOMES:
        made += _outcome(session, principal, move)
    row = loaded.rows.get(_key(move)) if move.is_newest else None
    if row is None:
        return made
    how = views.visibility(principal, row, loaded.seizures.get(views.seizure_of(row) or ""))
    if how == views.HIDDEN:
        return made
    return [*made, put(row, loaded, how, f"{epoch}.{move.seq}")]


def put(row: RecordRow, loaded: views.Loaded, how: str, rev: str) -> Change:
    """Return the change that brings a record, as it is now, to a puller."""
    record = views.record_of(row, loaded, how)
    change: Change = {
        "authority": row.authority_id,
        "seq": int(rev.partition(".")[2]),
        "what": "put",
        "kind": row.KIND,
        "id": row.id,
        "rev": rev,
        "record": record,
        "stamps": {},
        "reviews": [],
    }
    if how == views.SHORT:
        return change
    view = merge.view(merge_kind(row.KIND), merge.State.loads(row.heads), author=row.author_id)
    struck: dict[str, JSON] = {name: [*listed] for name, listed in view.struck.items()}
    record["struck"] = struck
    change["stamps"] = {name: [*marks] for name, marks in view.stamps.items()}
    change["reviews"] = [one.as_json(row.authority_id, row.KIND, row.id) for one in view.reviews]
    return change


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
