"""The verifier: recomputes the whole ledger of an authority from the text of its entries, and
trusts no column, no hash and no head that it finds.

Called by the command line and by `backup`. Reads page by page: memory does not grow.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from sqlalchemy.orm import Session

from fieldapi.clock import parse_instant
from fieldapi.keyring import Keyring
from fieldapi.ledger import raw
from fieldapi.ledger.entries import LedgerError, spelled
from fieldapi.ledger.epochs import next_epoch
from fieldapi.ledger.findings import Findings, Verification
from fieldapi.ledger.heads import FIRST_EPOCH, head_message
from fieldapi.ledger.kept import KeptHead
from fieldapi.ledger.proofs import consistency
from fieldapi.ledger.raw import RawRow
from fieldapi.ledger.receipts import Receipts, Said
from sync.tree import Frontier, leaf_hash, verify_consistency

DERIVED = ("seq", "at", "kind", "subject", "actor", "op", "moves")

Progress = Callable[[int, int], None]  # done, of


def verify(
    session: Session,
    authority_id: str,
    keys: Keyring,
    *,
    against: KeptHead | None = None,
    progress: Progress = lambda _done, _of: None,
) -> Verification:
    """Recompute the ledger of an authority and say what does not fit, the head that somebody
    kept (`against`) included. Give it a session over one snapshot.
    """
    walk = _Walk(authority_id, keys, wanted=None if against is None else against.size)
    receipts = Receipts(authority_id, keys, walk.found)
    total = raw.count_entries(session, authority_id)
    for page in raw.entry_pages(session, authority_id):
        receipts.check(session, [walk.take(row) for row in page])
        progress(walk.frontier.size, total)
    receipts.close(session)
    walk.close(raw.head_row(session, authority_id))
    if against is not None:
        walk.compare(session, against)
    return Verification(
        authority_id,
        walk.epoch,
        walk.frontier.size,
        walk.frontier.root(),
        receipts.ops,
        receipts.erased,
        tuple(walk.found.faults),
        walk.found.count,
    )


@dataclass(slots=True)
class _Walk:
    """The recomputed ledger so far. `wanted`: the size at which the root is to be remembered.

    `ends`: epoch → the size at which it ended. `is_whole`: nothing was amiss in the tree yet; past
    the first break every stored subtree would be another consequence of it.
    """

    authority_id: str
    keys: Keyring
    wanted: int | None
    found: Findings = field(default_factory=Findings)
    frontier: Frontier = field(default_factory=Frontier)
    next_seq: int = 1
    at: str = ""
    epoch: str = ""
    ends: dict[str, int] = field(default_factory=dict)
    wanted_root: bytes | None = None
    is_whole: bool = True

    def __post_init__(self) -> None:
        """Remember the root of the empty tree, if that is the one wanted."""
        self._remember()

    def take(self, row: RawRow) -> Said:
        """Check one row by itself and against what came before; return what its entry says."""
        seq, text = row["seq"], row["entry"]
        if seq != self.next_seq:
            self.found.add(seq, "gap", f"entry {self.next_seq} is missing: {seq} follows")
            self.is_whole = False
        self.next_seq = seq + 1 if isinstance(seq, int) else self.next_seq + 1
        text = text if isinstance(text, str) else ""
        said = self._read(seq, text)
        self._check_columns(row, said)
        self._follow_epoch(seq, said)
        self._grow(row, text)
        return said

    def _read(self, seq: object, text: str) -> Said:
        try:
            said = json.loads(text)
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict) or spelled(said) != text:
            self.found.add(seq, "entry", "the text of the entry is not one that was written here")
            return {"seq": seq}
        return said

    def _check_columns(self, row: RawRow, said: Said) -> None:
        seq = row["seq"]
        stored = {**row, "moves": row["moves"] if row["moves"] in (0, 1) else None}
        wrong = [name for name in DERIVED if stored[name] != said.get(name)]
        if said.get("authority") != self.authority_id:
            wrong.append("authority")
        if wrong:
            self.found.add(seq, "columns", f"the entry says otherwise in: {', '.join(wrong)}")
        at = str(said.get("at"))
        if at < self.at:
            self.found.add(seq, "time", "the entry is older than the one before it")
        self.at = max(at, self.at)

    def _follow_epoch(self, seq: object, said: Said) -> None:
        kind = said.get("kind")
        if (kind == "ledger.opened") is not (seq == 1):
            self.found.add(seq, "epoch", "a ledger is opened by its first entry, and once")
        if kind == "ledger.opened":
            self.epoch = str(said.get("epoch", FIRST_EPOCH))
        if kind != "ledger.restored":
            return
        told = (said.get("old_epoch"), said.get("old_size"), said.get("old_root"))
        found = (self.epoch, self.frontier.size, self.frontier.root().hex())
        if told != found or said.get("epoch") != next_epoch(self.epoch or FIRST_EPOCH):
            self.found.add(
                seq, "epoch", "the restore speaks of another ledger than the one before it"
            )
        self.ends[self.epoch] = self.frontier.size
        self.epoch = str(said.get("epoch"))

    def _grow(self, row: RawRow, text: str) -> None:
        leaf = leaf_hash(text.encode(errors="surrogateescape"))
        self.frontier, completed = self.frontier.append(leaf)
        self._remember()
        if row["leaf_hash"] != leaf:
            self.found.add(row["seq"], "leaf", "the hash kept of the entry is another")
            self.is_whole = False
        elif self.is_whole and row["subtrees"] != b"".join(completed):
            self.found.add(row["seq"], "tree", "the tree up to here has another hash than was kept")
            self.is_whole = False

    def _remember(self) -> None:
        if self.frontier.size == self.wanted:
            self.wanted_root = self.frontier.root()

    def close(self, head: RawRow | None) -> None:
        """Compare what was recomputed with the head that is stored."""
        if head is None:
            self.found.add(None, "head", "the ledger has no head")
            return
        if not self.frontier.size:
            self.found.add(None, "head", "the ledger has no entries")
        found = {
            "size": self.frontier.size,
            "peaks": b"".join(self.frontier.peaks),
            "root": self.frontier.root(),
            "at": self.at,
            "epoch": self.epoch,
        }
        wrong = [name for name, value in found.items() if head[name] != value]
        if wrong:
            self.found.add(None, "head", f"the head says otherwise in: {', '.join(wrong)}")
        if not self._is_signed(head):
            self.found.add(None, "signature", "the head was not signed by this installation")

    def _is_signed(self, head: RawRow) -> bool:
        epoch, size, root, at, signature = (
            head[name] for name in ("epoch", "size", "root", "at", "signature")
        )
        if not isinstance(root, bytes) or not isinstance(signature, bytes):
            return False
        try:
            instant = parse_instant(str(at))
        except ValueError:
            return False
        message = head_message(self.authority_id, str(epoch), int(str(size)), root=root, at=instant)
        return self.keys.verifies(message, signature)

    def compare(self, session: Session, kept: KeptHead) -> None:
        """Say whether the ledger continues the head that somebody kept."""
        if kept.authority_id != self.authority_id:
            self.found.add(None, "against", "that head is of another authority")
        elif kept.signature is not None and not kept.is_signed(self.keys):
            self.found.add(None, "against", "that head was not signed by this installation")
        elif kept.epoch not in {*self.ends, self.epoch}:
            self.found.add(None, "against", f"this ledger has no epoch {kept.epoch}")
        elif kept.size > (end := self.ends.get(kept.epoch, self.frontier.size)):
            self._miss(kept, end)
        elif kept.root != self.wanted_root:
            self.found.add(
                None, "against", f"the first {kept.size} entries are not those of that head"
            )
        elif not self._is_proven(session, kept):
            self.found.add(None, "against", "no proof leads from that head to the present one")

    def _miss(self, kept: KeptHead, end: int) -> None:
        """Tell of a head beyond the end of its epoch. A restore that the ledger tells of ended it
        there: then no entry is bad.
        """
        is_over = kept.epoch in self.ends
        lost = kept.size - end
        said = "1 entry" if lost == 1 else f"{lost} entries"
        said += f" of epoch {kept.epoch} {'is' if lost == 1 else 'are'} lost"
        said += " by a restore" if is_over else ""
        counts = f"that head has {kept.size}, here the epoch has {end}"
        self.found.add(None if is_over else end + 1, "against", f"{said}: {counts}")

    def _is_proven(self, session: Session, kept: KeptHead) -> bool:
        size, root = self.frontier.size, self.frontier.root()
        try:
            proof = consistency(session, self.authority_id, kept.size, size)
        except LedgerError:
            return False
        return verify_consistency(kept.size, kept.root, size, root=root, proof=proof)
