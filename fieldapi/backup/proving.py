"""Proves what is in a backup: the files, the database, the ledgers."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from sqlalchemy import create_engine
from sqlalchemy.orm import Session
from sqlalchemy.pool import NullPool

from fieldapi import ledger
from fieldapi.backup import files
from fieldapi.backup.files import LIST, BackupError, Progress
from fieldapi.backup.manifest import DATABASE, Manifest
from fieldapi.keyring import Keyring


def say_nothing(_part: str, _done: int, _of: int) -> None:
    """Take progress and keep it to oneself."""


@contextmanager
def reading(folder: Path) -> Iterator[Session]:
    """Give a session over the database of a backup; not a byte in the folder changes."""

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(_frozen(folder / DATABASE), uri=True, isolation_level=None)

    engine = create_engine("sqlite://", poolclass=NullPool, creator=connect)
    try:
        with Session(engine, autoflush=False) as session:
            yield session
    finally:
        engine.dispose()


def prove_files(folder: Path, manifest: Manifest, *, progress: Progress) -> None:
    """Hash every file that the backup lists. Raises `BackupError` at the first that differs."""
    if files.sha256_of(folder / LIST) != manifest.files:
        raise BackupError(f"{LIST} is not the list that this backup was made with")
    for done, (sha256, name) in enumerate(files.read_lines(folder), 1):
        path = folder / name
        if not path.is_file():
            raise BackupError(f"{name} is missing from the backup")
        if files.sha256_of(path) != sha256:
            raise BackupError(f"{name} in the backup has other bytes than it was made with")
        progress("files", done, max(done, manifest.photos))


def prove_database(path: Path) -> None:
    """Let SQLite check the file. Raises `BackupError`."""
    with closing(sqlite3.connect(_frozen(path), uri=True)) as database:
        said = [str(row[0]) for row in database.execute("PRAGMA integrity_check")]
        strays = database.execute("PRAGMA foreign_key_check").fetchall()
    if said != ["ok"]:
        raise BackupError(f"the database is damaged: {'; '.join(said[:3])}")
    if strays:
        raise BackupError(f"rows of the table {strays[0][0]} refer to rows that are not there")


def prove_ledgers(
    session: Session, keys: Keyring, manifest: Manifest, *, progress: Progress
) -> None:
    """Verify every ledger, and that it ends where the manifest says. Raises `BackupError`."""
    for kept in manifest.kept_heads():
        found = ledger.verify(
            session, kept.authority_id, keys, against=kept, progress=partial(progress, "ledger")
        )
        if found.faults:
            raise BackupError(
                f"the ledger of {kept.authority_id} does not verify: {found.faults[0].detail}",
                "`fieldapi ledger verify` tells all of it",
            )
        if found.size != kept.size:
            raise BackupError(f"the ledger of {kept.authority_id} ends elsewhere than its head")


def _frozen(path: Path) -> str:
    """Return how SQLite opens a file that nobody writes, leaving no file beside it."""
    return f"{path.absolute().as_uri()}?mode=ro&immutable=1"
