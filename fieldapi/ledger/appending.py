"""The one writer of ledger rows. `unit` calls `append` as the last thing before a commit."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy.orm import Session

from fieldapi.clock import format_instant
from fieldapi.failpoints import failpoint
from fieldapi.keyring import Keyring
from fieldapi.ledger.entries import LedgerError, PendingEntry
from fieldapi.ledger.heads import head_message, lock_head
from fieldapi.models import LedgerEntry, LedgerHead
from fieldapi.models.bulk import insert_new, update_many
from sync.tree import Frontier, leaf_hash


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
    head, frontier = lock_head(session, authority_id, keys)
    failpoint("ledger.head-locked")
    # Never behind the last entry, whatever the host's clock did in between.
    at = max(now, head.at)
    frontier, rows = _rows(frontier, entries, (now, at), epoch=head.epoch)
    # The insert leaves a row alone whose key is taken: nothing may stand beyond the head.
    if len(insert_new(session, LedgerEntry, rows, key=("seq",))) != len(rows):
        raise LedgerError(f"the ledger of {authority_id} has entries beyond its head")
    failpoint("ledger.appended")
    root = frontier.root()
    message = head_message(authority_id, head.epoch, frontier.size, root=root, at=at)
    written = {
        "authority_id": authority_id,
        "size": frontier.size,
        "peaks": b"".join(frontier.peaks),
        "root": root,
        "at": at,
        "signature": keys.sign(message),
    }
    update_many(session, LedgerHead, [written], key=("authority_id",))
    failpoint("ledger.head-written")


def _rows(
    frontier: Frontier,
    entries: list[PendingEntry],
    times: tuple[datetime, datetime],
    *,
    epoch: str,
) -> tuple[Frontier, list[dict[str, object]]]:
    now, at = (format_instant(one) for one in times)
    rows: list[dict[str, object]] = []
    for entry in entries:
        entry.seq, entry.epoch = frontier.size + 1, epoch
        text = entry.text(entry.seq, at, clock=now)
        leaf = leaf_hash(text.encode())
        frontier, completed = frontier.append(leaf)
        rows.append(
            {
                "authority_id": entry.authority_id,
                "seq": entry.seq,
                "at": times[1],
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
