"""The ledger of an authority: the only writer and the only reader of its rows (DESIGN: one table,
one writer, one verifier). `unit` calls `append` as the last thing before a commit.

Entries hold ids, hashes and names of fields; never a name, a number or a place of a person.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import ColumnElement, func, insert, select, update
from sqlalchemy.orm import Session, aliased

from fieldapi.clock import format_instant
from fieldapi.keyring import Keyring
from fieldapi.models import LedgerEntry, LedgerHead
from fieldapi.models.bulk import among, insert_many
from sync.tree import Frontier, leaf_hash

HASH_BYTES = 32
FIRST_EPOCH = "A"

# Every kind of entry there is. A new one is added here first.
VOCABULARY = frozenset(
    {
        "authority.added",
        "authority.changed",
        "bytes.set_aside",
        "calendar.changed",
        "device.confirmed",
        "device.enrolled",
        "device.rejected",
        "device.revoked",
        "device.rotated",
        "device.seen",
        "enrolment.burnt",
        "enrolment.issued",
        "flag.raised",
        "ledger.opened",
        "ledger.restored",
        "ledger.witnessed",
        "membership.ended",
        "membership.granted",
        "op.applied",
        "op.corrected",
        "op.deferred_applied",
        "op.held",
        "op.quarantined",
        "op.rejected",
        "op.released",
        "person.added",
        "person.changed",
        "person.erased",
        "photo.analysed",
        "photo.mismatched",
        "photo.stored",
        "photo.viewed",
        "place.imported",
        "pound.added",
        "pound.changed",
        "seizure.flagged",
        "seizure.resubmitted",
        "seizure.reviewed",
        "sign_in.set",
    }
)

Detail = str | int | Sequence[str] | Mapping[str, str] | Mapping[str, list[str]]


class LedgerError(Exception):
    """The ledger cannot be continued or does not verify."""


@dataclass(slots=True)
class PendingEntry:
    """An entry that will be appended at commit; `seq` is known from then on."""

    authority_id: str
    kind: str
    subject: str
    actor: str
    op: str | None = None
    moves: bool = False
    details: Mapping[str, Detail] = field(default_factory=dict)
    seq: int = 0

    def text(self, seq: int, at: str) -> str:
        """Return the entry as it will be hashed: sorted keys, no spaces, UTF-8."""
        body: dict[str, object] = {
            **self.details,
            "actor": self.actor,
            "at": at,
            "authority": self.authority_id,
            "kind": self.kind,
            "moves": int(self.moves),
            "seq": seq,
            "subject": self.subject,
        }
        if self.op is not None:
            body["op"] = self.op
        return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


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
        """Return the head as clients see it (SYNC.md section 3)."""
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
    lines = ("fieldapi tree head v1", authority_id, epoch, str(size), root.hex())
    return ("\n".join((*lines, format_instant(at))) + "\n").encode()


def check_entry(entry: PendingEntry) -> None:
    """Raise `LedgerError` for a kind outside the vocabulary or a value that is no id or count."""
    if entry.kind not in VOCABULARY:
        raise LedgerError(f"{entry.kind} is not in the ledger's vocabulary")
    for name, value in entry.details.items():
        if isinstance(value, bool | float) or value is None:
            raise LedgerError(f"{entry.kind}: {name} must be text or a whole number")


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
    insert_many(session, LedgerEntry, rows)
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


def head(session: Session, authority_id: str) -> TreeHead:
    """Return the newest tree head. Raises `LedgerError` if the authority has no ledger."""
    row = session.get(LedgerHead, authority_id)
    if row is None:
        raise LedgerError(f"authority {authority_id} has no ledger")
    return TreeHead(row.authority_id, row.epoch, row.size, row.root, row.at, row.signature)


def seqs_of_ops(session: Session, authority_id: str, ops: Iterable[str]) -> dict[str, int]:
    """Return the newest `seq` of each op (`actor/op`) that has an entry."""
    wanted = sorted(set(ops))
    if not wanted:
        return {}
    rows = session.execute(
        select(LedgerEntry.op, func.max(LedgerEntry.seq))
        .where(LedgerEntry.authority_id == authority_id, among(session, LedgerEntry.op, wanted))
        .group_by(LedgerEntry.op)
    )
    return {op: seq for op, seq in rows if op is not None}


def revisions(session: Session, authority_id: str, subjects: Iterable[str]) -> dict[str, int]:
    """Return the newest moving `seq` of each subject: what its `rev` and ETag are made of."""
    wanted = sorted(set(subjects))
    if not wanted:
        return {}
    rows = session.execute(
        select(LedgerEntry.subject, func.max(LedgerEntry.seq))
        .where(
            LedgerEntry.authority_id == authority_id,
            among(session, LedgerEntry.subject, wanted),
            LedgerEntry.moves.is_(True),
        )
        .group_by(LedgerEntry.subject)
    )
    return dict(rows.all())


# What became of an op that had waited: told to its author even when the record moved on since.
OUTCOMES = ("op.corrected", "op.deferred_applied", "op.rejected", "op.released")


@dataclass(frozen=True, slots=True)
class Move:
    """A moving entry. `is_newest`: no later entry moved the same subject, so it shows its state."""

    seq: int
    kind: str
    subject: str
    op: str | None
    is_newest: bool


def moves_after(
    session: Session, authority_id: str, after: int, *, limit: int, until: int
) -> list[Move]:
    """Return, in order, what moved after `after` and up to `until`: every subject at its newest
    entry, and every outcome of an op.
    """
    rows = session.execute(
        select(LedgerEntry.seq, LedgerEntry.kind, LedgerEntry.subject, LedgerEntry.op)
        .where(
            LedgerEntry.authority_id == authority_id,
            LedgerEntry.seq > after,
            LedgerEntry.seq <= until,
            LedgerEntry.moves.is_(True),
            ~_is_superseded(until) | LedgerEntry.kind.in_(OUTCOMES),
        )
        .order_by(LedgerEntry.seq)
        .limit(limit)
    ).all()
    told = {subject for _, kind, subject, _ in rows if kind in OUTCOMES}
    newest = revisions(session, authority_id, told)
    return [
        Move(seq, kind, subject, op, is_newest=newest.get(subject, seq) == seq)
        for seq, kind, subject, op in rows
    ]


def _is_superseded(until: int) -> ColumnElement[bool]:
    """Return the condition that a later entry moves the same subject."""
    newer = aliased(LedgerEntry)
    return (
        select(newer.seq)
        .where(
            newer.authority_id == LedgerEntry.authority_id,
            newer.subject == LedgerEntry.subject,
            newer.moves.is_(True),
            # Not a plain comparison: it would let PostgreSQL walk the primary key from here to
            # the end for every row, which it prefers while the table has no statistics.
            newer.seq + 0 > LedgerEntry.seq,
            newer.seq <= until,
        )
        .exists()
    )


def entries_about(
    session: Session, authority_id: str, subjects: Iterable[str]
) -> list[dict[str, object]]:
    """Return every entry about the subjects, oldest first, as parsed JSON."""
    rows = session.scalars(
        select(LedgerEntry.entry)
        .where(
            LedgerEntry.authority_id == authority_id,
            among(session, LedgerEntry.subject, set(subjects)),
        )
        .order_by(LedgerEntry.seq)
    )
    return [json.loads(text) for text in rows]
