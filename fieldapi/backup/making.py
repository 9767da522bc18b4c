"""Makes a backup beside a server that goes on serving. Called by the command line."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from sqlalchemy import select
from sqlalchemy.orm import Session

import fieldapi
from fieldapi import ledger, migrate
from fieldapi.backup import files
from fieldapi.backup.carrying import carry_out
from fieldapi.backup.files import LIST, BackupError, Progress
from fieldapi.backup.manifest import (
    DATABASE,
    INVENTORY,
    KEYS,
    NAME,
    Manifest,
    fingerprint,
    heads_json,
)
from fieldapi.backup.photos import Brought, absent_photos, copy_photos, list_photos
from fieldapi.backup.proving import prove_database, prove_ledgers, reading, say_nothing
from fieldapi.clock import format_instant
from fieldapi.house import House
from fieldapi.models import Authority
from fieldapi.settings import Settings
from fieldapi.storage.filesystem import FilesystemStorage


@dataclass(frozen=True, slots=True)
class Made:
    """A backup that was made: where, what it says of itself, and the hash of its manifest."""

    folder: Path
    manifest: Manifest
    sha256: str

    @property
    def is_whole(self) -> bool:
        """Say whether all photos were in the store, as they should be."""
        return not self.manifest.missing and not self.manifest.damaged


def make_backup(
    house: House,
    target: Path,
    *,
    with_keys: bool = True,
    copies_photos: bool | None = None,
    progress: Progress = say_nothing,
) -> Made:
    """Write a backup into `target`, proven before it has that name.

    `copies_photos`: else they are listed only, as is the custom where they are in S3. Photos that
    the store has lost do not stop it: they are named in the manifest. Raises `BackupError`, and
    then nothing is left behind.
    """
    is_folder = isinstance(house.storage, FilesystemStorage)
    is_copied = is_folder if copies_photos is None else copies_photos
    _require_this_schema(house.settings)
    with files.appearing(target) as folder:
        _copy_database(house, folder / DATABASE, progress=progress)
        prove_database(folder / DATABASE)
        with (folder / LIST).open("w", encoding="utf-8") as listing:
            files.write_line(listing, files.sha256_of(folder / DATABASE), DATABASE)
            found = (copy_photos if is_copied else list_photos)(
                house.storage, folder, listing, progress
            )
            if with_keys:
                _bring_keys(house.settings, folder, listing)
            listing.flush()
            os.fsync(listing.fileno())
        with reading(folder) as session:
            manifest = _manifest(house, session, folder, found, has_keys=with_keys)
            prove_ledgers(session, house.keys, manifest, progress=progress)
        manifest.write(folder)
        return Made(target, manifest, files.sha256_of(folder / NAME))


def _require_this_schema(settings: Settings) -> None:
    found = migrate.current(settings.database_url)
    if found != migrate.newest():
        raise BackupError(
            f"the database is at revision {found}, this program makes {migrate.newest()}",
            "back up with the program that served it last, before you install another",
        )


def _copy_database(house: House, target: Path, *, progress: Progress) -> None:
    """Copy one snapshot of the database into a SQLite file; writers go on meanwhile.

    The copy is one plain file: no journal beside it that could be forgotten.
    """
    with house.database.read() as session:
        if house.settings.is_sqlite:
            _copy_file(session, target)
        else:
            carry_out(session.connection(), target, progress=progress)


def _copy_file(session: Session, target: Path) -> None:
    with closing(sqlite3.connect(target)) as copy:
        session.execute(select(Authority.id).limit(1))
        source = session.connection().connection.driver_connection
        if not isinstance(source, sqlite3.Connection):
            raise BackupError("this database is not the file that its address names")
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
    target.chmod(0o600)
    files.sync_file(target)


def _bring_keys(settings: Settings, folder: Path, listing: IO[str]) -> None:
    """Copy the key files; a secret from the environment has none."""
    (folder / KEYS).mkdir(mode=0o700)
    for source in sorted(settings.keys.iterdir()):
        if source.is_file() and not source.name.startswith("."):
            files.copy(source, folder / KEYS / source.name)
            files.write_line(listing, files.sha256_of(source), f"{KEYS}/{source.name}")


def _manifest(
    house: House, session: Session, folder: Path, photos: Brought, *, has_keys: bool
) -> Manifest:
    authorities = session.execute(select(Authority.code, Authority.id)).all()
    return Manifest(
        made_at=format_instant(house.database.clock()),
        program=fieldapi.__version__,
        schema=migrate.newest(),
        heads=heads_json({code: ledger.head(session, one) for code, one in authorities}),
        public_key=house.keys.public_key.hex(),
        secret=fingerprint(house.keys),
        has_keys=has_keys,
        photos=photos.count,
        bytes=photos.bytes,
        missing=list(absent_photos(session, folder)),
        damaged=photos.damaged,
        files=files.sha256_of(folder / LIST),
        is_inventory=(folder / INVENTORY).exists(),
    )
