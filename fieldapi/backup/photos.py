"""The photos of a backup: copied into it, or only listed where the store keeps copies of its own.

Both are read after the database was, so that all that the database names is there by then. Called
by `making` and `restoring`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.backup import files
from fieldapi.backup.files import BackupError, Progress
from fieldapi.backup.manifest import INVENTORY, PHOTOS, Manifest
from fieldapi.models import AsideBytes, Original
from fieldapi.storage import ObjectMissing, Storage
from fieldapi.storage.disk import make_folder
from fieldapi.storage.filesystem import FilesystemStorage
from fieldapi.storage.keys import aside_key, hash_of, is_key, is_replaceable, original_key
from fieldapi.storage.port import chunks


@dataclass(slots=True)
class Brought:
    """What was brought from the store. `damaged`: keys whose bytes do not fit their hash."""

    count: int = 0
    bytes: int = 0
    damaged: list[str] = field(default_factory=list)


def copy_photos(store: Storage, folder: Path, listing: IO[str], progress: Progress) -> Brought:
    """Bring every object of the store into a backup, hashed."""
    found = Brought()
    total = sum(1 for _ in store.list(""))
    for stat in store.list(""):
        target = folder / PHOTOS / stat.key
        try:
            _bring(store, stat.key, target)
        except (FileNotFoundError, ObjectMissing):
            continue
        sha256 = files.sha256_of(target)
        if not is_replaceable(stat.key) and sha256 != hash_of(stat.key):
            found.damaged.append(stat.key)
        files.write_line(listing, sha256, f"{PHOTOS}/{stat.key}")
        found.count, found.bytes = found.count + 1, found.bytes + stat.size
        progress(PHOTOS, found.count, max(total, found.count))
    return found


def list_photos(store: Storage, folder: Path, listing: IO[str], progress: Progress) -> Brought:
    """Write down name and size of every object: the name of an original is its hash."""
    found = Brought()
    with (folder / INVENTORY).open("w", encoding="utf-8") as inventory:
        for stat in store.list(""):
            inventory.write(f"{stat.size}  {stat.key}\n")
            found.count, found.bytes = found.count + 1, found.bytes + stat.size
            progress(PHOTOS, found.count, found.count)
        inventory.flush()
        os.fsync(inventory.fileno())
    files.write_line(listing, files.sha256_of(folder / INVENTORY), INVENTORY)
    return found


def absent_photos(session: Session, folder: Path) -> Iterator[str]:
    """Yield the keys of photos that rows name and the backup neither has nor lists."""
    listed = {key for key, _ in inventory(folder)} if (folder / INVENTORY).exists() else None
    for key in named_photos(session):
        is_there = (folder / PHOTOS / key).is_file() if listed is None else key in listed
        if not is_there:
            yield key


def named_photos(session: Session) -> Iterator[str]:
    """Yield the keys of all evidence that rows name."""
    originals = select(Original.sha256).distinct().order_by(Original.sha256)
    asides = select(AsideBytes.sha256).distinct().order_by(AsideBytes.sha256)
    for query, key_of in ((originals, original_key), (asides, aside_key)):
        for sha256 in session.scalars(query.execution_options(yield_per=1000)):
            yield key_of(sha256)


def inventory(folder: Path) -> Iterator[tuple[str, int]]:
    """Yield name and size of each listed object. Raises `BackupError`."""
    with (folder / INVENTORY).open(encoding="utf-8") as lines:
        for line in lines:
            size, gap, key = line.rstrip("\n").partition("  ")
            if not gap or not size.isdecimal() or not is_key(key):
                raise BackupError(f"{INVENTORY} has a line that was not written here")
            yield key, int(size)


def put_back(folder: Path, manifest: Manifest, store: Storage, progress: Progress) -> list[str]:
    """Put copied photos into the store; of listed ones return those that it does not have.

    An object of another size counts as one that it does not have.
    """
    if manifest.is_inventory:
        return [key for key, size in inventory(folder) if not _has(store, key, size)]
    for done, (_, name) in enumerate(files.read_lines(folder), 1):
        if name.startswith(f"{PHOTOS}/"):
            _put(store, name.removeprefix(f"{PHOTOS}/"), folder / name)
            progress(PHOTOS, done, done)
    return []


def _has(store: Storage, key: str, size: int) -> bool:
    found = store.stat(key)
    return found is not None and found.size == size


def _put(store: Storage, key: str, path: Path) -> None:
    if isinstance(store, FilesystemStorage):
        files.bring(path, store.locate(key))
    else:
        store.put(key, path, path.stat().st_size, replace=is_replaceable(key))


def _bring(store: Storage, key: str, target: Path) -> None:
    if isinstance(store, FilesystemStorage):
        files.bring(store.locate(key), target)
        return
    make_folder(target.parent)
    with target.open("wb") as file:
        for piece in chunks(store.open(key)):
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())
