"""One sync: everything that waits goes out, everything that is new comes in, page by page.

Called by `device` under its lock. Every answer is saved before the next request, so a cut costs
one request; batches shrink on a bad line and grow on a good one.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus

from sync import wire
from sync.client import faults
from sync.client.answer import Answer, read_answer
from sync.client.heads import TreeHeads
from sync.client.identity import Identity
from sync.client.inbox import Inbox
from sync.client.outbox import Kept, Outbox
from sync.client.schema import Limits
from sync.client.transport import Transport, json_request
from sync.wire import JSON

PROTOCOL = 1
ENVELOPE = 4096  # bytes left free for what surrounds the ops


@dataclass
class Pace:
    """How much goes into one request. It halves on a fault and doubles on an answer."""

    limits: Limits
    ops: int = 100
    bytes: int = 128 << 10
    records: int = 200

    def slower(self, carried: int) -> None:
        """Ask less of the line than the `carried` ops that were too much; one always goes."""
        self.ops = max(min(self.ops, carried) // 2, 1)
        self.bytes = max(self.bytes // 2, 4096)
        self.records = max(self.records // 2, 10)

    def faster(self) -> None:
        """Ask more of the line, within what the server takes."""
        self.ops = min(self.ops * 2, self.limits.ops)
        self.bytes = min(self.bytes * 2, self.limits.wire_bytes - ENVELOPE)
        self.records = min(self.records * 2, self.limits.records)


@dataclass
class SyncReport:
    """What one sync did. `answers`: how many ops by status; `retry_after_ms`: if any were kept."""

    answers: Counter[str] = field(default_factory=Counter)
    changes: int = 0
    requests: int = 0
    retry_after_ms: int | None = None


class Exchange:
    """The rounds of one sync on one open database."""

    def __init__(
        self,
        db: sqlite3.Connection,
        transport: Transport,
        *,
        pace: Pace,
        clock_ms: Callable[[], int],
    ) -> None:
        self._identity, self._outbox, self._inbox = Identity(db), Outbox(db), Inbox(db)
        self._heads = TreeHeads(db)
        self._transport = transport
        self._pace = pace
        self._clock_ms = clock_ms
        self._later: set[str] = set()  # answered `retry`: not again in this sync
        self._failed = 0
        self._has_started_over = False
        self.report = SyncReport()

    def run(self) -> SyncReport:
        """Go on until nothing waits and nothing is new. Raises a Fault; the rest is saved."""
        self._outbox.retry_refused()
        more = True
        while more or self._next():
            more = self._round(self._next())
        return self.report

    def _next(self) -> list[Kept]:
        pace = self._pace
        return self._outbox.waiting(most=pace.ops, most_bytes=pace.bytes, skip=self._later)

    def _round(self, batch: Sequence[Kept]) -> bool:
        """Make one request; say whether there is more to pull."""
        try:
            answer = self._ask(batch)
        except faults.Fault as fault:
            self._cope(fault, batch)
            return True
        if answer.more and not batch and answer.cursor == self._cursor():
            raise faults.NotOurServer("the pull does not move")
        self._inbox.take(answer)
        self._note(answer)
        return answer.more

    def _cope(self, fault: faults.Fault, batch: Sequence[Kept]) -> None:
        """Make the next request differ from the one that failed, or raise the fault."""
        if isinstance(fault, faults.LinkDown | faults.Busy):
            self._failed += 1
            self._pace.slower(len(batch))
            self._transport.pause(self._failed, fault)
        elif isinstance(fault, faults.TooMuch) and batch:
            self._send_less(batch)
        elif isinstance(fault, faults.EpochChanged) and not self._has_started_over:
            self._has_started_over = True
            self._inbox.start_over()
        elif _is_about_the_cursor(fault) and self._cursor() is not None:
            self._identity.save_cursor(self._identity.cursor()[0], None)  # pulling again is safe
        else:
            raise fault

    def _cursor(self) -> str | None:
        return self._identity.cursor()[1]

    def _ask(self, batch: Sequence[Kept]) -> Answer:
        self.report.requests += 1
        request = json_request("/api/v1/sync", self._envelope(batch))
        document = self._transport.send(request).json()
        return read_answer(document, [kept.id for kept in batch])

    def _envelope(self, batch: Sequence[Kept]) -> bytes:
        """Return the request: the ops go in as the bytes they were saved as."""
        members: dict[str, JSON] = {
            "protocol": PROTOCOL,
            "schema": self._identity.schema().version,
            "device_now": _instant(self._clock_ms()),
            "cursor": self._cursor(),
            "limit": self._pace.records,
            "tree_heads": self._heads.to_send(),
        }
        ops = b",".join(kept.raw for kept in batch if kept.raw is not None)
        return wire.canonical(members)[:-1] + b',"ops":[' + ops + b"]}"

    def _send_less(self, batch: Sequence[Kept]) -> None:
        """Halve what goes at once; an op too large even alone is set aside and blocks no other."""
        if len(batch) == 1:
            self._later.add(batch[0].id)
            self._outbox.refuse(batch[0].id)
        self._pace.slower(len(batch))

    def _note(self, answer: Answer) -> None:
        self._failed = 0
        self._pace.faster()
        report = self.report
        report.changes += len(answer.changes)
        for result in answer.results:
            report.answers[result.outcome.status if result.outcome else "retry"] += 1
            if result.outcome is None:
                self._later.add(result.op)
                asked = result.retry_after_ms or 0
                report.retry_after_ms = max(report.retry_after_ms or 0, asked)


def _is_about_the_cursor(fault: faults.Fault) -> bool:
    """Say whether a cursor that the server cannot read might be behind a refusal."""
    return isinstance(fault, faults.Refused) and fault.status == HTTPStatus.BAD_REQUEST


def _instant(ms: int) -> str:
    """Return milliseconds since 1970 as RFC 3339 in UTC."""
    moment = datetime.fromtimestamp(ms / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
