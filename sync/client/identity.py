"""Who this phone is, and its clock: the one device row of the database.

Written at enrolment and by every capture and answer; `outbox` keeps the ops, `inbox` the rest.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from sync import clock, wire
from sync.client.faults import NotEnrolled
from sync.client.schema import Limits, Schema, read_limits, read_schema
from sync.wire import JSON


@dataclass(frozen=True)
class Device:
    """Who this phone is to its server. `authority` and `person` are as the server told them."""

    base_url: str
    id: str
    number: int
    actor: str
    token: str
    person: dict[str, JSON]
    authority: dict[str, JSON]
    is_confirmed: bool

    @property
    def by(self) -> str:
        """Return the id of the person who captures."""
        return str(self.person["id"])


class Identity:
    """The device row, on one open database. Writes want a transaction around them."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def is_enrolled(self) -> bool:
        """Say whether the phone has a device."""
        return self._db.execute("SELECT 1 FROM device").fetchone() is not None

    def enrolment_id(self, code: str, fresh: str) -> str:
        """Return the id to enrol under by this code: `fresh`, or the one of an earlier try."""
        row = self._db.execute(
            "INSERT INTO enrolment VALUES (?, ?)"
            " ON CONFLICT (code) DO UPDATE SET code = code RETURNING id",
            (hashlib.sha256(code.encode()).hexdigest(), fresh),
        ).fetchone()
        return str(row[0])

    def move(self, base_url: str) -> None:
        """Save where the server is from now on."""
        self._db.execute("UPDATE device SET base_url = ?", (base_url,))

    def enrol(self, device: Device) -> None:
        """Save who this phone is from now on."""
        self._db.execute("DELETE FROM enrolment")
        self._db.execute(
            "INSERT INTO device (one, base_url, id, number, actor, token, person, authority,"
            " is_confirmed) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                device.base_url,
                device.id,
                device.number,
                device.actor,
                device.token,
                wire.canonical(device.person).decode(),
                wire.canonical(device.authority).decode(),
                device.is_confirmed,
            ),
        )

    def device(self) -> Device:
        """Return who this phone is. Raises NotEnrolled."""
        row = self._db.execute(
            "SELECT base_url, id, number, actor, token, person, authority, is_confirmed FROM device"
        ).fetchone()
        if row is None:
            raise NotEnrolled("enrol this phone first")
        base_url, device_id, number, actor, token, person, authority, is_confirmed = row
        return Device(
            base_url=base_url,
            id=device_id,
            number=number,
            actor=actor,
            token=token,
            person=_members(person),
            authority=_members(authority),
            is_confirmed=bool(is_confirmed),
        )

    def raise_clock(self, *, server_now_ms: int, stamps: Iterable[str] = ()) -> None:
        """Let the next stamp beat the server's clock and own stamps that came back in a pull."""
        actor, last = self._db.execute("SELECT actor, last_stamp FROM device").fetchone()
        own = [stamp for stamp in stamps if stamp.endswith(f"-{actor}") and clock.is_stamp(stamp)]
        last = max([clock.raise_last(last, server_now_ms, actor), *own])
        self._db.execute("UPDATE device SET last_stamp = ?", (last,))

    def next_stamp(self, wall_ms: int) -> tuple[str, int]:
        """Take the next stamp and counter; call it inside the transaction that saves the op."""
        actor, last, n = self._db.execute("SELECT actor, last_stamp, n FROM device").fetchone()
        stamp = clock.next_stamp(wall_ms, last, actor)
        self._db.execute("UPDATE device SET last_stamp = ?, n = n + 1", (stamp,))
        return stamp, int(n) + 1

    def next_number(self, name: str) -> int:
        """Return 1, 2, 3 … for this name: never the same twice, gaps are possible."""
        row = self._db.execute(
            "INSERT INTO counter VALUES (?, 1)"
            " ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value",
            (name,),
        ).fetchone()
        return int(row[0])

    def save_schema(self, document: JSON) -> None:
        """Keep the server's schema. Raises SchemaInvalid if it is none."""
        read_schema(document)
        self._db.execute("UPDATE device SET schema = ?", (wire.canonical(document).decode(),))

    def has_schema(self) -> bool:
        """Say whether the server's schema was kept."""
        return self._db.execute("SELECT 1 FROM device WHERE schema NOT NULL").fetchone() is not None

    def schema(self) -> Schema:
        """Return the schema last kept, an empty one before that."""
        row = self._db.execute("SELECT schema FROM device").fetchone()
        return read_schema(wire.loads(row[0])) if row and row[0] else Schema()

    def save_limits(self, document: JSON) -> None:
        """Keep what one request may carry, as `GET /api/v1/limits` told it."""
        self._db.execute("UPDATE device SET limits = ?", (wire.canonical(document).decode(),))

    def limits(self) -> Limits:
        """Return what one request may carry, the published numbers before the server told."""
        row = self._db.execute("SELECT limits FROM device").fetchone()
        return read_limits(wire.loads(row[0])) if row and row[0] else Limits()

    def cursor(self) -> tuple[str | None, str | None]:
        """Return the epoch of the server as last met, and how far the pull has come in it."""
        epoch, cursor = self._db.execute("SELECT epoch, cursor FROM device").fetchone()
        return epoch, cursor

    def save_cursor(self, epoch: str | None, cursor: str | None) -> None:
        """Keep how far the pull has come; None starts it over."""
        self._db.execute("UPDATE device SET epoch = ?, cursor = ?", (epoch, cursor))


def _members(text: str) -> dict[str, JSON]:
    value = wire.loads(text)
    return value if isinstance(value, dict) else {}
