"""Epochs: a ledger restored from a backup goes on under the next letter, so that nobody takes the
old tail, which phones may have seen, for the new one. Called by `backup` alone.
"""

from __future__ import annotations

from sqlalchemy import update
from sqlalchemy.orm import Session

from fieldapi.keyring import Keyring
from fieldapi.ledger.heads import TreeHead, head_message, lock_head
from fieldapi.models import LedgerHead

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def next_epoch(epoch: str) -> str:
    """Return the epoch after this one: letters counted like columns of a spreadsheet.

    >>> next_epoch("A"), next_epoch("Z"), next_epoch("AZ"), next_epoch("ZZ")
    ('B', 'AA', 'BA', 'AAA')
    """
    kept = epoch.rstrip("Z")
    rolled = "A" * (len(epoch) - len(kept))
    if not kept:
        return "A" + rolled
    return kept[:-1] + _LETTERS[_LETTERS.index(kept[-1]) + 1] + rolled


def begin_epoch(session: Session, authority_id: str, keys: Keyring) -> TreeHead:
    """Put the head of a restored ledger into the next epoch and return it as it was.

    The caller enters `ledger.restored` in the same unit, with `epoch`, `old_epoch`, `old_size`
    and `old_root`. Raises `LedgerError` for a head that is not ours.
    """
    old, _ = lock_head(session, authority_id, keys)
    epoch = next_epoch(old.epoch)
    message = head_message(authority_id, epoch, old.size, root=old.root, at=old.at)
    session.execute(
        update(LedgerHead)
        .where(LedgerHead.authority_id == authority_id)
        .values(epoch=epoch, signature=keys.sign(message))
        .execution_options(synchronize_session=False)
    )
    return old
