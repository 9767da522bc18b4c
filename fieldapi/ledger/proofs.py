"""Proofs over the tree of a ledger, read from the subtree hashes beside its entries: each costs
O(log n) reads by primary key, in one round trip. Called by the verifier and by `comparing`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.ledger.entries import LedgerError
from fieldapi.ledger.heads import split_hashes
from fieldapi.models import LedgerEntry
from sync import tree

T = TypeVar("T")


def looked_up(session: Session, authority_id: str, work: Callable[[tree.Fetch], T]) -> T:
    """Return what `work` makes of the complete subtrees that it looks up, read all at once.

    It is run twice: which subtrees it needs depends on sizes alone. Raises `LedgerError` where the
    ledger does not have one.
    """
    wanted: set[tuple[int, int]] = set()

    def note(height: int, end: int) -> bytes:
        wanted.add((height, end))
        return tree.EMPTY_ROOT

    work(note)
    hashes = _hashes(session, authority_id, {end for _, end in wanted})

    def fetch(height: int, end: int) -> bytes:
        found = hashes.get(end, ())
        if height >= len(found):
            raise LedgerError(f"the ledger has no subtree of height {height} at entry {end}")
        return found[height]

    return work(fetch)


def _hashes(session: Session, authority_id: str, ends: set[int]) -> dict[int, tuple[bytes, ...]]:
    """Return the hashes kept at entries: of the entry itself, then of what it completes."""
    if not ends:
        return {}
    query = select(LedgerEntry.seq, LedgerEntry.leaf_hash, LedgerEntry.subtrees).where(
        LedgerEntry.authority_id == authority_id, LedgerEntry.seq.in_(sorted(ends))
    )
    return {seq: (leaf, *split_hashes(rest)) for seq, leaf, rest in session.execute(query)}


def root_at(session: Session, authority_id: str, size: int) -> bytes:
    """Return the root that the tree had at `size`. Raises `LedgerError`."""
    return looked_up(session, authority_id, lambda fetch: tree.root_at(size, fetch))


def consistency(session: Session, authority_id: str, old_size: int, size: int) -> list[bytes]:
    """Return the proof that the tree of `size` continues that of `old_size`.

    Raises `LedgerError` if the ledger is shorter, `ValueError` if `old_size` is greater.
    """
    return looked_up(
        session, authority_id, lambda fetch: tree.consistency_proof(old_size, size, fetch)
    )


def inclusion(session: Session, authority_id: str, seq: int, size: int) -> list[bytes]:
    """Return the proof that entry `seq` (from 1) is in the tree of `size`.

    Raises `LedgerError` if the ledger is shorter, `ValueError` if `seq` is beyond `size`.
    """
    return looked_up(
        session, authority_id, lambda fetch: tree.inclusion_proof(seq - 1, size, fetch)
    )
