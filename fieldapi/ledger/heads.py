"""Tree heads: signed statements of what a ledger was, one kept per authority."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, func, insert, select
from sqlalchemy.orm import Session

from fieldapi.clock import format_instant
from fieldapi.keyring import Keyring
from fieldapi.ledger.entries import LedgerError
from fieldapi.models import LedgerHead
from sync.tree import HASH_BYTES, Frontier

FIRST_EPOCH = "A"
TITLE = "fieldapi tree head v1"


@dataclass(frozen=True, slots=True)
class TreeHead:
    """A signed statement of what the ledger was: `size` entries under `root` (32 bytes)."""

    authority_id: str
    epoch: str
    size: int
    root: bytes
    at: datetime
    signature: bytes

    def message(self) -> bytes:
        """Return the text that the signature covers."""
        return head_message(self.authority_id, self.epoch, self.size, root=self.root, at=self.at)

    def as_json(self) -> dict[str, object]:
        """Return the head as clients see it (docs/protocol/sync.md section 3)."""
        return {
            "authority": self.authority_id,
            "epoch": self.epoch,
            "size": self.size,
            "root": self.root.hex(),
            "at": format_instant(self.at),
            "signature": self.signature.hex(),
        }


def head_message(authority_id: str, epoch: str, size: int, *, root: bytes, at: datetime) -> bytes:
    """Return the bytes signed for a tree head."""
    lines = (TITLE, authority_id, epoch, str(size), root.hex())
    return ("\n".join((*lines, format_instant(at))) + "\n").encode()


def open_ledger(session: Session, authority_id: str, now: datetime, keys: Keyring) -> None:
    """Write the empty head of a new authority."""
    empty = Frontier(0, ())
    message = head_message(authority_id, FIRST_EPOCH, 0, root=empty.root(), at=now)
    session.execute(
        insert(LedgerHead).values(
            authority_id=authority_id,
            epoch=FIRST_EPOCH,
            size=0,
            peaks=b"",
            root=empty.root(),
            at=now,
            signature=keys.sign(message),
        )
    )


def head(session: Session, authority_id: str) -> TreeHead:
    """Return the newest tree head. Raises `LedgerError` if the authority has no ledger."""
    row = session.get(LedgerHead, authority_id)
    if row is None:
        raise LedgerError(f"authority {authority_id} has no ledger")
    return TreeHead(row.authority_id, row.epoch, row.size, row.root, row.at, row.signature)


_SIZES = select(func.count(), func.sum(LedgerHead.size))


def sizes(session: Session) -> tuple[int, int]:
    """Return how many ledgers there are and how many entries in all: both only grow, but for a
    restore, and every change has its entry.
    """
    count, entries = session.connection().execute(_SIZES).one()
    return count, entries or 0


_LOCKED = (
    select(LedgerHead.__table__)
    .where(LedgerHead.authority_id == bindparam("authority"))
    .with_for_update()
)


def lock_head(session: Session, authority_id: str, keys: Keyring) -> tuple[TreeHead, Frontier]:
    """Return the head to continue, locked until the transaction ends, and what grows from it.

    Raises `LedgerError` for a head that is not ours: to sign what follows it would vouch for
    whatever somebody put there.
    """
    row = session.connection().execute(_LOCKED, {"authority": authority_id}).one_or_none()
    if row is None:
        raise LedgerError(f"authority {authority_id} has no ledger")
    head = TreeHead(authority_id, row.epoch, row.size, row.root, row.at, row.signature)
    if not keys.verifies(head.message(), head.signature):
        raise LedgerError(f"the tree head of {authority_id} was not signed by this installation")
    try:
        frontier = Frontier(row.size, split_hashes(row.peaks))
    except ValueError as exc:
        raise LedgerError(f"the tree head of {authority_id} has other peaks") from exc
    if frontier.root() != head.root:
        raise LedgerError(f"the tree head of {authority_id} has other peaks")
    return head, frontier


def split_hashes(joined: bytes) -> tuple[bytes, ...]:
    """Return the 32-byte hashes that a column holds one after the other."""
    return tuple(joined[i : i + HASH_BYTES] for i in range(0, len(joined), HASH_BYTES))
