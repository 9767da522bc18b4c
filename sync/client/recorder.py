"""Writes down what a person did: ground, stamp, op and clock in one transaction.

Called by `device` for every edit. The only place of the client that takes a stamp.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable

from sync.client.capture import Edit, Ticket, draft, parts, seal
from sync.client.database import transaction
from sync.client.heads import TreeHeads
from sync.client.identity import Identity
from sync.client.ids import ENTROPY, new_id
from sync.client.outbox import Outbox
from sync.client.pulled import PulledRecords
from sync.client.record import NOTHING, Ground
from sync.client.schema import KindSchema

SALT = 16  # random bytes beside every personal op


class Recorder:
    """Turns edits into ops, on one open database. `clock_ms`: the phone's clock, right or wrong."""

    def __init__(self, db: sqlite3.Connection, clock_ms: Callable[[], int]) -> None:
        self._db = db
        self._clock_ms = clock_ms
        self._identity, self._outbox = Identity(db), Outbox(db)
        self._pulled, self._heads = PulledRecords(db), TreeHeads(db)

    def kind(self, kind: str) -> KindSchema:
        """Return what the phone knows of a kind of record."""
        return self._identity.schema().kind(kind)

    def ground(self, kind: str, record: str) -> Ground:
        """Return what stands on the screen of a record now."""
        own = self._outbox.of_record(kind, record)
        pulled = self._pulled.get(kind, record) or NOTHING
        return Ground(pulled, own, self._pulled.looked(kind, record, own))

    def capture(self, kind: str, record: str, edit: Edit, *, seen: Ground | None = None) -> None:
        """Save the ops that say an edit. `seen`: what stood on the screen it was made on."""
        with transaction(self._db):
            ground = self.ground(kind, record)
            if seen is not None:
                ground = seen.with_newer(ground.own)
            for part in parts(edit, self.kind(kind)):
                op = draft(part, kind, record, ground=ground, ticket=self._ticket())
                self._outbox.save(op, seal(op))

    def _ticket(self) -> Ticket:
        device, at = self._identity.device(), self._clock_ms()
        stamp, n = self._identity.next_stamp(at)
        return Ticket(
            op=self.new_id(),
            by=device.by,
            stamp=stamp,
            at=at,
            n=n,
            salt=secrets.token_bytes(SALT),
            head=self._heads.last_of(str(device.authority.get("id"))),
        )

    def new_id(self) -> str:
        """Return a fresh UUIDv7."""
        return new_id(self._clock_ms(), secrets.token_bytes(ENTROPY))
