"""The one file a phone keeps everything in: sqlite3 in WAL mode, every commit on disk.

Opened by `device`; its tables are read and written by `outbox`, `inbox` and `album` only.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sync.client.faults import AlreadySyncing

VERSION = 1

TABLES = """
CREATE TABLE device (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    base_url TEXT NOT NULL, id TEXT NOT NULL, number INTEGER NOT NULL, actor TEXT NOT NULL,
    token TEXT NOT NULL, person TEXT NOT NULL, authority TEXT NOT NULL,
    is_confirmed INTEGER NOT NULL, last_stamp TEXT, n INTEGER NOT NULL DEFAULT 0,
    schema TEXT, limits TEXT, epoch TEXT, cursor TEXT
) STRICT;
CREATE TABLE enrolment (               -- code: SHA-256 of one whose answer may be lost
    code TEXT PRIMARY KEY, id TEXT NOT NULL
) STRICT;
CREATE TABLE op (                      -- own ops, also answered ones: the server may ask again
    stamp TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, record TEXT NOT NULL,
    raw BLOB,                          -- the bytes that are sent; null once erased
    status TEXT NOT NULL DEFAULT 'waiting', code TEXT, parked TEXT NOT NULL DEFAULT '[]',
    seq INTEGER, is_past INTEGER NOT NULL DEFAULT 0, answered_ms INTEGER, reason TEXT
) STRICT;
CREATE INDEX op_record ON op (kind, record, stamp);
CREATE INDEX op_status ON op (status, stamp);
CREATE TABLE pulled (                  -- change: the last `put` as sent; null after a `leave`
    kind TEXT NOT NULL, id TEXT NOT NULL, seq INTEGER NOT NULL, rev INTEGER NOT NULL,
    what TEXT NOT NULL, change TEXT,
    PRIMARY KEY (kind, id)
) STRICT;
CREATE TABLE looked (                  -- heads seen under an own newer value, and when
    kind TEXT NOT NULL, id TEXT NOT NULL, field TEXT NOT NULL, stamp TEXT NOT NULL,
    heads TEXT NOT NULL, PRIMARY KEY (kind, id, field)
) STRICT;
CREATE TABLE photo (
    id TEXT PRIMARY KEY, path TEXT NOT NULL, sha256 TEXT NOT NULL, size INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting', code TEXT, offset INTEGER NOT NULL DEFAULT 0,
    receipt TEXT
) STRICT;
CREATE TABLE tree_head (               -- is_witness: of an older epoch, to be handed in once
    authority TEXT NOT NULL, epoch TEXT NOT NULL, size INTEGER NOT NULL, root TEXT NOT NULL,
    is_witness INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (authority, epoch)
) STRICT;
CREATE TABLE alarm (detail TEXT PRIMARY KEY, at_ms INTEGER NOT NULL) STRICT;
CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
"""


def open_database(path: Path) -> sqlite3.Connection:
    """Open the phone's file, made on first use and readable by its owner only."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    db = sqlite3.connect(path, timeout=30, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA secure_delete = ON")  # an erased mobile number leaves no trace in free pages
    with transaction(db):
        if db.execute("PRAGMA user_version").fetchone() == (0,):
            for statement in TABLES.split(";\n"):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {VERSION}")
    return db


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Keep all that is written inside, or nothing of it. Joins a transaction that is open."""
    if db.in_transaction:
        yield
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        _roll_back(db)
        raise


def _roll_back(db: sqlite3.Connection) -> None:
    if db.in_transaction:  # a full disk may have ended it already
        db.execute("ROLLBACK")


@contextmanager
def only_one(path: Path) -> Iterator[None]:
    """Hold a lock file; Raises AlreadySyncing at once if another process or phone object does.

    The lock dies with its process, so a killed sync leaves nothing to clean up.
    """
    with path.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as exc:
            raise AlreadySyncing(f"{path.name} is held") from exc
        yield
