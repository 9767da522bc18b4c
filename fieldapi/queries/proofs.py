"""Reads entries of the ledger with their proofs, and proofs between two of its sizes."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.keyring import Keyring
from fieldapi.ledger import TreeHead
from fieldapi.problems import BadRequest, NotFound
from sync.tree import leaf_hash

_MOST_DIGITS = 15


def entry(session: Session, authority_id: str, seq: str) -> dict[str, Any]:
    """Return one entry with its proof under the present head. Raises `NotFound`."""
    number = int(seq) if seq.isascii() and seq.isdigit() and len(seq) <= _MOST_DIGITS else 0
    text = ledger.one_entry(session, authority_id, number)
    if text is None:
        raise NotFound("The ledger has no such entry.")
    head = ledger.head(session, authority_id)
    [found] = ledger.proven(session, authority_id, [(number, text)], head.size)
    return {
        "seq": number,
        "text": text,
        "entry": json.loads(text),
        "leaf": leaf_hash(text.encode()).hex(),
        "proof": [one.hex() for one in found.proof],
        "head": _head(head),
    }


def consistency(
    session: Session, authority_id: str, keys: Keyring, *, older: int, newer: int | None
) -> dict[str, Any]:
    """Return the proof that one size of the ledger continues another. Raises `BadRequest`."""
    now = ledger.head(session, authority_id)
    size = now.size if newer is None else newer
    if not 0 < older <= size <= now.size:
        raise BadRequest(f"from is at least 1 and at most to, and to at most {now.size}.")
    head = now if size == now.size else ledger.head_at(session, authority_id, size, keys)
    path = ledger.consistency(session, authority_id, older, size)
    return {"from": older, "to": size, "consistency": [x.hex() for x in path], "head": _head(head)}


def _head(head: TreeHead) -> dict[str, Any]:
    return {
        "authority": head.authority_id,
        "epoch": head.epoch,
        "size": head.size,
        "root": head.root.hex(),
        "at": head.at,
        "signature": head.signature.hex(),
    }
