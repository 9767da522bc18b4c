"""Proofs over the tree of a ledger, read from the subtree hashes beside its entries: each costs
O(log n) reads by primary key. Called by the verifier, and by whoever answers with a proof.
"""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.ledger.entries import LedgerError
from fieldapi.ledger.heads import split_hashes
from fieldapi.models import LedgerEntry
from sync import tree


def subtrees(session: Session, authority_id: str) -> tree.Fetch:
    """Return what looks up a complete subtree of an authority's tree, for `sync.tree`.

    The look-up raises `LedgerError` where the ledger does not have it.
    """

    def fetch(height: int, end: int) -> bytes:
        row = session.execute(
            select(LedgerEntry.leaf_hash, LedgerEntry.subtrees).where(
                LedgerEntry.authority_id == authority_id, LedgerEntry.seq == end
            )
        ).one_or_none()
        hashes: tuple[bytes, ...] = ()
        if row is not None:
            hashes = (row.leaf_hash, *split_hashes(row.subtrees))
        if height >= len(hashes):
            raise LedgerError(f"the ledger has no subtree of height {height} at entry {end}")
        return hashes[height]

    return fetch


def root_at(session: Session, authority_id: str, size: int) -> bytes:
    """Return the root that the tree had at `size`. Raises `LedgerError`."""
    return tree.root_at(size, subtrees(session, authority_id))


def consistency(session: Session, authority_id: str, old_size: int, size: int) -> list[bytes]:
    """Return the proof that the tree of `size` continues that of `old_size`.

    Raises `LedgerError` if the ledger is shorter, `ValueError` if `old_size` is greater.
    """
    return tree.consistency_proof(old_size, size, subtrees(session, authority_id))


def inclusion(session: Session, authority_id: str, seq: int, size: int) -> list[bytes]:
    """Return the proof that entry `seq` (from 1) is in the tree of `size`.

    Raises `LedgerError` if the ledger is shorter, `ValueError` if `seq` is beyond `size`.
    """
    return tree.inclusion_proof(seq - 1, size, subtrees(session, authority_id))
