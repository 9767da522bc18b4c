"""Holds a head that somebody brings back against the ledger as it stands.

Called for every sync that hands one in: it reads a few rows, never the whole. What a full check is
`verification` knows.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.ledger.entries import LedgerError
from fieldapi.ledger.heads import TreeHead
from fieldapi.ledger.kept import KeptHead
from fieldapi.ledger.proofs import looked_up
from fieldapi.models import LedgerEntry
from sync import tree


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a head that came back says. `fits`: the ledger continues it, or lost in a restore what
    was behind; `is_over`: it is of an epoch before a restore; `is_lost`: it tells of entries that a
    restore lost, so that nothing is left to hold it against; `proof`: leads to the present head.
    """

    kept: KeptHead
    fits: bool
    is_over: bool = False
    is_lost: bool = False
    proof: tuple[bytes, ...] = ()


def compare(session: Session, head: TreeHead, kept: KeptHead) -> Comparison:
    """Return whether the ledger of `head` continues a head that somebody kept of it."""
    if kept.epoch == head.epoch:
        return _in_this_epoch(session, head, kept)
    end = _ends(session, head.authority_id).get(kept.epoch)
    if end is None:
        return Comparison(kept, fits=False, is_over=True)
    is_lost = kept.size > end
    fits = is_lost or _root_at(session, head.authority_id, kept.size) == kept.root
    return Comparison(kept, fits=fits, is_over=True, is_lost=is_lost)


def _in_this_epoch(session: Session, head: TreeHead, kept: KeptHead) -> Comparison:
    if kept.size == head.size:
        return Comparison(kept, fits=kept.root == head.root)
    if kept.size > head.size:
        return Comparison(kept, fits=False)

    def work(fetch: tree.Fetch) -> tuple[bytes, list[bytes]]:
        proof = tree.consistency_proof(kept.size, head.size, fetch)
        return tree.root_at(kept.size, fetch), proof

    try:
        root, proof = looked_up(session, head.authority_id, work)
    except LedgerError:
        return Comparison(kept, fits=False)
    fits = root == kept.root
    return Comparison(kept, fits=fits, proof=tuple(proof) if fits else ())


def _root_at(session: Session, authority_id: str, size: int) -> bytes | None:
    try:
        return looked_up(session, authority_id, lambda fetch: tree.root_at(size, fetch))
    except LedgerError:
        return None


def _ends(session: Session, authority_id: str) -> dict[str, int]:
    """Return the sizes at which the epochs before this one ended, as the restores tell."""
    restored = session.scalars(
        select(LedgerEntry.entry).where(
            LedgerEntry.authority_id == authority_id,
            LedgerEntry.subject == f"authority/{authority_id}",
            LedgerEntry.kind == "ledger.restored",
        )
    )
    told = [json.loads(text) for text in restored]
    return {entry["old_epoch"]: entry["old_size"] for entry in told}
