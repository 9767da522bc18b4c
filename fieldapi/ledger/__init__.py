"""The ledger of an authority: the only writer and the only reader of its rows (DESIGN: one table,
one writer, one verifier).

`entries` what is said · `heads` signed tree heads · `appending` the writer · `epochs` what restores
begin · `reading` what others ask · `cuts` the ledger up to an entry · `proofs` over the tree ·
`kept` heads that come back, and `comparing` them · `verification` the verifier, with `receipts`,
`findings` and `raw` rows.
"""

from fieldapi.ledger.appending import append
from fieldapi.ledger.comparing import Comparison, compare
from fieldapi.ledger.cuts import Proven, epoch_at, head_at, leaves, one_entry, proven, texts_about
from fieldapi.ledger.entries import (
    VOCABULARY,
    Detail,
    LedgerError,
    PendingEntry,
    check_entry,
)
from fieldapi.ledger.epochs import begin_epoch, next_epoch
from fieldapi.ledger.findings import Fault, Verification
from fieldapi.ledger.heads import (
    FIRST_EPOCH,
    TreeHead,
    head,
    head_message,
    open_ledger,
    sizes,
    split_hashes,
)
from fieldapi.ledger.kept import KeptHead, kept_of, read_kept, read_pair, text_of
from fieldapi.ledger.proofs import consistency
from fieldapi.ledger.reading import (
    CASE_MOVED,
    OUTCOMES,
    Entry,
    Move,
    count_of_kind,
    entries_about,
    entries_of_kind,
    entries_of_ops,
    moved_subjects,
    moves_after,
    page_of_kind,
    restored_to,
    revisions,
    seqs_of_ops,
)
from fieldapi.ledger.verification import Progress, verify

__all__ = [
    "CASE_MOVED",
    "FIRST_EPOCH",
    "OUTCOMES",
    "VOCABULARY",
    "Comparison",
    "Detail",
    "Entry",
    "Fault",
    "KeptHead",
    "LedgerError",
    "Move",
    "PendingEntry",
    "Progress",
    "Proven",
    "TreeHead",
    "Verification",
    "append",
    "begin_epoch",
    "check_entry",
    "compare",
    "consistency",
    "count_of_kind",
    "entries_about",
    "entries_of_kind",
    "entries_of_ops",
    "epoch_at",
    "head",
    "head_at",
    "head_message",
    "kept_of",
    "leaves",
    "moved_subjects",
    "moves_after",
    "next_epoch",
    "one_entry",
    "open_ledger",
    "page_of_kind",
    "proven",
    "read_kept",
    "read_pair",
    "restored_to",
    "revisions",
    "seqs_of_ops",
    "sizes",
    "split_hashes",
    "text_of",
    "texts_about",
    "verify",
]
