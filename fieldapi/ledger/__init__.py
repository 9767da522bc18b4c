"""The ledger of an authority: the only writer and the only reader of its rows (DESIGN: one table,
one writer, one verifier).

`entries` what is said · `heads` signed tree heads · `appending` the writer · `reading` what others
ask.
"""

from fieldapi.ledger.appending import append
from fieldapi.ledger.entries import (
    VOCABULARY,
    Detail,
    LedgerError,
    PendingEntry,
    check_entry,
)
from fieldapi.ledger.heads import (
    FIRST_EPOCH,
    TreeHead,
    head,
    head_message,
    open_ledger,
    split_hashes,
)
from fieldapi.ledger.reading import (
    OUTCOMES,
    Move,
    entries_about,
    moves_after,
    revisions,
    seqs_of_ops,
)

__all__ = [
    "FIRST_EPOCH",
    "OUTCOMES",
    "VOCABULARY",
    "Detail",
    "LedgerError",
    "Move",
    "PendingEntry",
    "TreeHead",
    "append",
    "check_entry",
    "entries_about",
    "head",
    "head_message",
    "moves_after",
    "open_ledger",
    "revisions",
    "seqs_of_ops",
    "split_hashes",
]
