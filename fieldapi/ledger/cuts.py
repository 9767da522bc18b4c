"""The ledger up to one of its entries: the head it had there, the hashes that lead to it, and
proofs that entries are in it. Called by whoever makes bundles or shows an entry with its proof.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from fieldapi.keyring import Keyring
from fieldapi.ledger.entries import LedgerError
from fieldapi.ledger.heads import FIRST_EPOCH, TreeHead, head_message
from fieldapi.ledger.proofs import looked_up, root_at
from fieldapi.models import LedgerEntry
from fieldapi.models.bulk import among
from sync.tree import Fetch, inclusion_proof

_AT_ONCE = 100
_LEAVES_AT_ONCE = 4096
_ALWAYS = ("ledger.opened", "ledger.restored")


@dataclass(frozen=True, slots=True)
class Proven:
    """An entry as it was hashed, with the path from it to the root of a head."""

    seq: int
    text: str
    proof: tuple[bytes, ...]


def texts_about(
    session: Session, authority_id: str, subjects: Collection[str], ops: Collection[str]
) -> list[tuple[int, str]]:
    """Return `seq` and text of every entry about the subjects or the ops (`actor/op`), and of those
    that begin the ledger and its epochs, oldest first.
    """
    query = (
        select(LedgerEntry.seq, LedgerEntry.entry)
        .where(
            LedgerEntry.authority_id == authority_id,
            or_(
                among(session, LedgerEntry.subject, set(subjects)),
                among(session, LedgerEntry.op, set(ops)),
                LedgerEntry.kind.in_(_ALWAYS),
            ),
        )
        .order_by(LedgerEntry.seq)
    )
    return [(seq, text) for seq, text in session.execute(query)]


def head_at(session: Session, authority_id: str, size: int, keys: Keyring) -> TreeHead:
    """Return the signed head that the ledger had after entry `size`. Raises `LedgerError`."""
    query = select(LedgerEntry.at).where(
        LedgerEntry.authority_id == authority_id, LedgerEntry.seq == size
    )
    at = session.scalar(query)
    if at is None:
        raise LedgerError(f"the ledger of {authority_id} has no entry {size}")
    epoch, root = epoch_at(session, authority_id, size), root_at(session, authority_id, size)
    signature = keys.sign(head_message(authority_id, epoch, size, root=root, at=at))
    return TreeHead(authority_id, epoch, size, root, at, signature)


def epoch_at(session: Session, authority_id: str, size: int) -> str:
    """Return the epoch that entry `size` stands in, as the entries tell; the first for none."""
    query = (
        select(LedgerEntry.entry)
        .where(
            LedgerEntry.authority_id == authority_id,
            LedgerEntry.seq <= size,
            LedgerEntry.kind.in_(_ALWAYS),
        )
        .order_by(LedgerEntry.seq.desc())
        .limit(1)
    )
    said = session.scalar(query)
    told = json.loads(said).get("epoch") if said else None
    return str(told or FIRST_EPOCH)


def leaves(session: Session, authority_id: str, size: int) -> Iterator[bytes]:
    """Yield the hashes of the first `size` entries, 32 bytes each, some thousand at once."""
    for start in range(0, size, _LEAVES_AT_ONCE):
        query = (
            select(LedgerEntry.leaf_hash)
            .where(
                LedgerEntry.authority_id == authority_id,
                LedgerEntry.seq > start,
                LedgerEntry.seq <= min(size, start + _LEAVES_AT_ONCE),
            )
            .order_by(LedgerEntry.seq)
        )
        yield b"".join(session.scalars(query))


def proven(
    session: Session, authority_id: str, texts: Sequence[tuple[int, str]], size: int
) -> Iterator[Proven]:
    """Yield entries with the proof that each is in the ledger of `size`. Raises `LedgerError`."""
    for start in range(0, len(texts), _AT_ONCE):
        batch = texts[start : start + _AT_ONCE]
        work = partial(_paths, [seq for seq, _ in batch], size)
        proofs = looked_up(session, authority_id, work)
        yield from (Proven(*said, proof) for said, proof in zip(batch, proofs, strict=True))


def _paths(seqs: Sequence[int], size: int, fetch: Fetch) -> list[tuple[bytes, ...]]:
    return [tuple(inclusion_proof(seq - 1, size, fetch)) for seq in seqs]


def one_entry(session: Session, authority_id: str, seq: int) -> str | None:
    """Return the text of an entry, None if there is none."""
    query = select(LedgerEntry.entry).where(
        LedgerEntry.authority_id == authority_id, LedgerEntry.seq == seq
    )
    return session.scalar(query)
