"""Own ops, from capture until the server can be trusted to keep them for good.

An op is saved as the bytes that are sent, in the transaction that moves the clock, and is never
written again. Answered ops stay 30 days: a restored server may ask for them once more.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from sync import wire
from sync.client.record import REFUSED, WAITING, Own
from sync.op import Op, parse_op

KEEP_MS = 30 * 24 * 3600 * 1000


@dataclass(frozen=True)
class Outcome:
    """What became of an op: status (docs/protocol/sync.md section 3), place, parked fields."""

    status: str
    seq: int | None = None
    code: str | None = None
    parked: frozenset[str] = frozenset()
    reason: str | None = None


@dataclass(frozen=True)
class Kept:
    """An op as kept. `raw` is None once an erasure took its values. `is_past`: a pull that began
    with its answer or later ran to the end.
    """

    id: str
    stamp: str
    raw: bytes | None
    outcome: Outcome
    is_past: bool

    def own(self) -> Own | None:
        """Return the op with what became of it, None once it is erased."""
        if self.raw is None:
            return None
        told = self.outcome
        return Own(
            parse_op(wire.loads(self.raw)),
            status=told.status,
            seq=told.seq,
            is_past=self.is_past,
            code=told.code,
            parked=told.parked,
        )


class Outbox:
    """The own ops of a device, on one open database. Writes want a transaction around them."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def save(self, op: Op, raw: bytes) -> None:
        """Keep an op as the bytes that will be sent."""
        self._db.execute(
            "INSERT INTO op (id, stamp, raw, kind, record) VALUES (?, ?, ?, ?, ?)",
            (op.id, op.stamp, raw, op.kind, op.record),
        )

    def waiting(self, *, most: int, most_bytes: int, skip: Collection[str] = ()) -> list[Kept]:
        """Return the next ops to send in stamp order; at least one if any is left."""
        batch: list[Kept] = []
        room = most_bytes
        for kept in self._select("status = ? AND raw IS NOT NULL", WAITING):
            if kept.id in skip:
                continue
            room -= len(kept.raw or b"") + 1
            if batch and (room < 0 or len(batch) == most):
                break
            batch.append(kept)
        return batch

    def count(self, status: str) -> int:
        """Return how many ops have come to this; `waiting` ones have no answer yet."""
        query = "SELECT count(*) FROM op WHERE status = ?"
        return int(self._db.execute(query, (status,)).fetchone()[0])

    def of_record(self, kind: str, record: str) -> tuple[Own, ...]:
        """Return the own ops on one record that still have their values, oldest first."""
        kept = self._select("kind = ? AND record = ?", kind, record)
        return tuple(own for own in (one.own() for one in kept) if own is not None)

    def records(self, kind: str) -> list[str]:
        """Return the ids of the records of a kind with own ops, in order."""
        query = "SELECT DISTINCT record FROM op WHERE kind = ? ORDER BY record"
        return [str(row[0]) for row in self._db.execute(query, (kind,))]

    def everything(self) -> Iterator[Kept]:
        """Return all ops that are kept, oldest first."""
        return self._select("1 = 1")

    def answer(self, op: str, outcome: Outcome, *, now_ms: int) -> None:
        """Write down what became of an op. `now_ms`: the server's clock.

        A later word on it, like its release, is not shown back before another pull has ended.
        """
        self._db.execute(
            "UPDATE op SET status = ?, code = ?, parked = ?, seq = coalesce(?, seq), is_past = 0,"
            " reason = coalesce(?, reason), answered_ms = ? WHERE id = ?",
            (
                outcome.status,
                outcome.code,
                wire.canonical([*sorted(outcome.parked)]).decode(),
                outcome.seq,
                outcome.reason,
                now_ms,
                op,
            ),
        )

    def refuse(self, op: str) -> None:
        """Set aside an op that is too large even alone, so that it blocks no other."""
        self._db.execute("UPDATE op SET status = ? WHERE id = ?", (REFUSED, op))

    def retry_refused(self) -> None:
        """Queue once more what was set aside: it may have been a proxy that refused."""
        self._db.execute("UPDATE op SET status = ? WHERE status = ?", (WAITING, REFUSED))

    def end_pull(self) -> None:
        """Remember that a pull ran to its end after every op answered so far."""
        self._db.execute("UPDATE op SET is_past = 1 WHERE seq IS NOT NULL AND NOT is_past")

    def offer_again(self) -> None:
        """Put every op that is kept back in the queue: the server was restored."""
        self._db.execute(
            "UPDATE op SET status = ?, code = NULL, parked = '[]', seq = NULL, is_past = 0,"
            " answered_ms = NULL WHERE raw IS NOT NULL",
            (WAITING,),
        )

    def erase(self, ops: Iterable[str]) -> None:
        """Drop the values of answered own ops that an erasure reached; their ids stay."""
        self._db.executemany(
            "UPDATE op SET raw = NULL WHERE id = ? AND status <> ?", [(op, WAITING) for op in ops]
        )

    def prune(self, *, now_ms: int) -> None:
        """Let go of ops that were applied 30 days ago by the server's clock.

        Call it at the end of a pull: by then they are shown back.
        """
        self._db.execute(
            "DELETE FROM op WHERE answered_ms < ?"
            " AND status IN ('applied', 'conflict', 'rejected')",
            (now_ms - KEEP_MS,),
        )

    def _select(self, where: str, *values: str) -> Iterator[Kept]:
        query = f"SELECT {_COLUMNS} FROM op WHERE {where} ORDER BY stamp"  # noqa: S608 - own text
        for op, stamp, raw, status, code, parked, seq, is_past in self._db.execute(query, values):
            told = Outcome(status, seq, code, _texts(parked))
            yield Kept(op, stamp, raw, outcome=told, is_past=bool(is_past))


_COLUMNS = "id, stamp, raw, status, code, parked, seq, is_past"


def _texts(text: str) -> frozenset[str]:
    value = wire.loads(text)
    return frozenset(str(item) for item in value) if isinstance(value, list) else frozenset()
