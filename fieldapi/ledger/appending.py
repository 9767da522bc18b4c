"""The one writer of ledger rows. `unit` calls `append` as the last thing before a commit."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from fieldapi.clock import format_instant
from fieldapi.keyring import Keyring
from fieldapi.ledger.entries import LedgerError, PendingEntry
from fieldapi.ledger.heads import head_message
from fieldapi.models import LedgerEntry, LedgerHead
from fieldapi.models.bulk import insert_new
from sync.tree import HASH_BYTES, Frontier, leaf_hash


def append(session: Session, pending: Iterable[PendingEntry], now: datetime, keys: Keyring) -> None:
    """Append the entries and sign the new heads; fills `seq`. Must be the last write of a
    transaction: the head row is locked here, so the order of `seq` is the order of commits.
    """
    by_authority: dict[str, list[PendingEntry]] = {}
    for entry in pending:
        by_authority.setdefault(entry.authority_id, []).append(entry)
    for authority_id in sorted(by_authority):
        _append_to(session, authority_id, by_authority[authority_id], (now, keys))


def _append_to(
    session: Session,
    authority_id: str,
    entries: list[PendingEntry],
    stamp: tuple[datetime, Keyring],
) -> None:
    now, keys = stamp
    row = session.execute(
        select(LedgerHead.epoch, LedgerHead.size, LedgerHead.peaks, LedgerHead.at)
        .where(LedgerHead.authority_id == authority_id)
        .with_for_update()
    ).one_or_none()
    if row is None:
        raise LedgerError(f"authority {authority_id} has no ledger")
    # Never behind the last entry, whatever the host's clock did in between.
    at = max(now, row.at)
    frontier, rows = _rows(Frontier(row.size, split_hashes(row.peaks)), entries, at)
    # The insert leaves a row alone whose key is taken: nothing may stand beyond the head.
    if len(insert_new(session, LedgerEntry, rows, key=("seq",))) != len(rows):
        raise LedgerError(f"the ledger of {authority_id} has entries beyond its head")
    root = frontier.root()
    message = head_message(authority_id, row.epoch, frontier.size, root=root, at=at)
    session.execute(
        update(LedgerHead)
        .where(LedgerHead.authority_id == authority_id)
        .values(
            size=frontier.size,
            peaks=b"".join(frontier.peaks),
            root=root,
            at=at,
            signature=keys.sign(message),
        )
    )


def _rows(
    frontier: Frontier, entries: list[PendingEntry], at: datetime
) -> tuple[Frontier, list[dict[str, object]]]:
    written = format_instant(at)
    rows: list[dict[str, object]] = []
    for entry in entries:
        entry.seq = frontier.size + 1
        text = entry.text(entry.seq, written)
        leaf = leaf_hash(text.encode())
        frontier, completed = frontier.append(leaf)
        rows.append(
            {
                "authority_id": entry.authority_id,
                "seq": entry.seq,
                "at": at,
                "kind": entry.kind,
                "subject": entry.subject,
                "actor": entry.actor,
                "op": entry.op,
                "moves": entry.moves,
                "entry": text,
                "leaf_hash": leaf,
                "subtrees": b"".join(completed),
            }
        )
    return frontier, rows


def split_hashes(joined: bytes) -> tuple[bytes, ...]:
    """Return the 32-byte hashes that a column holds one after the other."""
    return tuple(joined[i : i + HASH_BYTES] for i in range(0, len(joined), HASH_BYTES))
