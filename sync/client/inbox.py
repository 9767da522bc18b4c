"""How an answer comes in: whole or not at all.

Called by `device`. Results, records, cursor and clock of one answer are saved in one transaction,
so a phone killed at any moment has either had the answer or will ask again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from sync.client.album import Album
from sync.client.answer import Answer, Change
from sync.client.database import transaction
from sync.client.heads import TreeHeads
from sync.client.identity import Identity
from sync.client.outbox import Outbox, Outcome
from sync.client.pulled import PulledRecords
from sync.client.record import Pulled


class Inbox:
    """The door through which answers change what the phone keeps."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._identity = Identity(db)
        self._outbox = Outbox(db)
        self._pulled = PulledRecords(db)
        self._heads = TreeHeads(db)
        self._album = Album(db)

    def take(self, answer: Answer) -> None:
        """Save an answer, all of it in one transaction."""
        now_ms = answer.server_now_ms
        with transaction(self._db):
            epoch, _ = self._identity.cursor()
            if epoch not in (None, answer.epoch):
                self.start_over()
            for result in answer.results:
                if result.outcome is not None:
                    self._outbox.answer(result.op, result.outcome, now_ms=now_ms)
            stamps = [stamp for change in answer.changes for stamp in self._apply(change, now_ms)]
            self._identity.raise_clock(server_now_ms=now_ms, stamps=stamps)
            self._identity.save_cursor(answer.epoch, answer.cursor)
            self._heads.hand_in()
            self._heads.take(answer.tree_heads, now_ms=now_ms)
            for photo in answer.photos:
                self._album.want(photo.id, photo.sha256)
            if not answer.more:
                self._outbox.end_pull()
                self._outbox.prune(now_ms=now_ms)

    def start_over(self) -> None:
        """Begin a new epoch: drop what was pulled, offer again every op that is kept."""
        with transaction(self._db):
            self._pulled.forget()
            self._outbox.offer_again()
            self._heads.retire()
            self._identity.save_cursor(None, None)

    def _apply(self, change: Change, now_ms: int) -> Iterator[str]:
        """Save one change; yield the stamps in it."""
        if change.what == "outcome":
            self._outbox.answer(change.id, _outcome(change), now_ms=now_ms)
        elif change.what in ("put", "leave", "closed"):
            put = self._pulled.apply(change)
            if put is not None:
                self._outbox.erase(self._erased(change, put))
                yield from (head.stamp for heads in put.heads.values() for head in heads)

    def _erased(self, change: Change, put: Pulled) -> Iterator[str]:
        """Yield the own ops whose values an erasure took: those without a value among the heads."""
        gone = {name for name, heads in put.heads.items() if any(h.is_erased for h in heads)}
        valued = {h.stamp for heads in put.heads.values() for h in heads if not h.is_erased}
        for own in self._outbox.of_record(change.kind, change.id) if gone else ():
            if own.op.stamp not in valued and own.op.fields & gone:
                yield own.op.id


def _outcome(change: Change) -> Outcome:
    reason, status = change.document.get("reason"), change.document.get("status")
    told = reason if isinstance(reason, str) else None
    return Outcome(str(status), seq=change.seq, reason=told)
