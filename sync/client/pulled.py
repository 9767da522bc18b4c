"""The server's records as last sent, and what the person has looked at of them.

Written by `inbox` (and by a look at a newer value), read by `device` for the screen.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sync import wire
from sync.client.answer import Change
from sync.client.record import Head, Own, Pulled
from sync.wire import JSON

Members = Mapping[str, JSON]
Place = tuple[str, str, str]  # kind, id, field
NO_MEMBERS: Members = {}
STRUCK = "struck"  # in a record: the elements of its sets that were taken back


class Stand(NamedTuple):
    """How far a record has come: its last change, and its last content."""

    seq: int
    rev: int
    what: str


class PulledRecords:
    """The records of others and of oneself, on one open database."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def get(self, kind: str, record: str) -> Pulled | None:
        """Return a record as last pulled, None if there is none or it has left."""
        row = self._db.execute(
            "SELECT seq, change FROM pulled WHERE kind = ? AND id = ?", (kind, record)
        ).fetchone()
        if row is None or row[1] is None:
            return None
        return read_pulled(row[0], _object(wire.loads(row[1])))

    def ids(self, kind: str) -> list[str]:
        """Return the ids of the pulled records of a kind, in order."""
        query = "SELECT id FROM pulled WHERE kind = ? AND change IS NOT NULL ORDER BY id"
        return [str(row[0]) for row in self._db.execute(query, (kind,))]

    def apply(self, change: Change) -> Pulled | None:
        """Save a `put`, `leave` or `closed` unless a newer one stands; return the put applied."""
        row = self._db.execute(
            "SELECT seq, rev, what FROM pulled WHERE kind = ? AND id = ?", (change.kind, change.id)
        ).fetchone()
        if row is not None and _is_older(change, Stand(*row)):
            return None
        is_put = change.what == "put"
        text = wire.canonical(dict(change.document)).decode() if is_put else None
        self._db.execute(
            "INSERT OR REPLACE INTO pulled (kind, id, seq, rev, what, change)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (change.kind, change.id, change.seq, change.rev, change.what, text),
        )
        return read_pulled(change.seq, change.document) if is_put else None

    def forget(self) -> None:
        """Drop everything pulled: the server starts over, and so does the phone."""
        self._db.execute("DELETE FROM pulled")
        self._db.execute("DELETE FROM looked")

    def look(self, place: Place, heads: Sequence[Head], *, stamp: str) -> None:
        """Remember that the person saw these heads. `stamp`: of the newest own op then."""
        told: list[JSON] = [{"op": head.op, "t": head.stamp} for head in heads]
        self._db.execute(
            "INSERT OR REPLACE INTO looked (kind, id, field, stamp, heads) VALUES (?, ?, ?, ?, ?)",
            (*place, stamp, wire.canonical(told).decode()),
        )

    def looked(self, kind: str, record: str, own: Sequence[Own]) -> dict[str, tuple[Head, ...]]:
        """Return what was looked at, by field; the next own op on a field ends a look at it."""
        rows = self._db.execute(
            "SELECT field, stamp, heads FROM looked WHERE kind = ? AND id = ?", (kind, record)
        )
        return {
            name: _heads(wire.loads(heads))
            for name, stamp, heads in rows
            if all(one.op.stamp <= stamp for one in own if one.sets(name))
        }


def read_pulled(seq: int, change: Members) -> Pulled:
    """Return the record in a `put`. What it does not tell is taken as empty."""
    reviews = change.get("reviews")
    told = tuple(reviews) if isinstance(reviews, list) else ()
    opened = [_object(review) for review in told]
    shown = dict(_object(change.get("record")))
    return Pulled(
        seq=seq,
        struck=_object(shown.pop(STRUCK, None)),
        shown=shown,
        heads={name: _heads(items) for name, items in _object(change.get("stamps")).items()},
        reviews=told,
        open_reviews=frozenset(str(r.get("field")) for r in opened if r.get("state") == "open"),
    )


def _is_older(change: Change, stand: Stand) -> bool:
    if change.what == stand.what == "put":
        return change.rev < stand.rev
    return change.seq < stand.seq


def _heads(items: JSON) -> tuple[Head, ...]:
    return tuple(_head(_object(item)) for item in items) if isinstance(items, list) else ()


def _head(item: Members) -> Head:
    is_erased = item.get("erased") is True
    return Head(str(item.get("op")), str(item.get("t")), item.get("key"), is_erased)


def _object(value: JSON) -> Members:
    return value if isinstance(value, dict) else NO_MEMBERS
