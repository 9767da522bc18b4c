"""The photos of the phone: where the bytes lie, how far they have come, and their receipts.

Written by `device` at capture and by `uploader`; the file goes only after its receipt.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sync.client.database import transaction

WAITING, STORED, REFUSED = "waiting", "stored", "refused"
BLOCK = 1 << 16


@dataclass(frozen=True)
class PhotoFile:
    """The bytes of one photo. `offset`: what the server is known to hold of them."""

    id: str
    path: Path
    sha256: str
    size: int
    state: str = WAITING
    code: str | None = None
    offset: int = 0


@dataclass(frozen=True)
class Receipt:
    """The server's word that it stored these bytes. `at`: RFC 3339, as told."""

    sha256: str
    at: str


class ReceiptMismatch(ValueError):
    """A receipt that names other bytes is none."""


class Album:
    """The photo rows, on one open database."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def add(self, photo: PhotoFile) -> None:
        """Keep a photo whose file is on disk already."""
        self._db.execute(
            "INSERT INTO photo (id, path, sha256, size) VALUES (?, ?, ?, ?)",
            (photo.id, str(photo.path), photo.sha256, photo.size),
        )

    def waiting(self) -> list[PhotoFile]:
        """Return the photos without a receipt, oldest first."""
        return list(self._select("state = ?", WAITING))

    def all(self) -> list[PhotoFile]:
        """Return every photo, oldest first."""
        return list(self._select("1 = 1"))

    def get(self, photo_id: str) -> PhotoFile | None:
        """Return one photo."""
        return next(self._select("id = ?", photo_id), None)

    def moved(self, photo_id: str, offset: int) -> None:
        """Remember how many bytes the server holds."""
        self._db.execute("UPDATE photo SET offset = ? WHERE id = ?", (offset, photo_id))

    def refuse(self, photo_id: str, code: str) -> None:
        """Set a photo aside: the person is told why, the file stays."""
        self._db.execute(
            "UPDATE photo SET state = ?, code = ? WHERE id = ?", (REFUSED, code, photo_id)
        )

    def want(self, photo_id: str, sha256: str) -> None:
        """Send a photo again that the server asks for, if its file is still here."""
        photo = self.get(photo_id)
        if photo and photo.state == STORED and photo.sha256 == sha256 and photo.path.exists():
            self._db.execute("UPDATE photo SET state = ? WHERE id = ?", (WAITING, photo_id))

    def store(self, photo: PhotoFile, receipt: Receipt) -> None:
        """Save a receipt, then let the file go unless another photo still needs it.

        Raises ReceiptMismatch, and keeps everything, if the receipt names other bytes.
        """
        if receipt.sha256 != photo.sha256:
            raise ReceiptMismatch(f"photo {photo.id} got a receipt for other bytes")
        with transaction(self._db):
            self._db.execute(
                "UPDATE photo SET state = ?, code = NULL, offset = size, receipt = ? WHERE id = ?",
                (STORED, receipt.at, photo.id),
            )
            needed = self._select("sha256 = ? AND state <> 'stored'", photo.sha256)
            is_needed = next(needed, None) is not None
        if not is_needed:
            photo.path.unlink(missing_ok=True)

    def _select(self, where: str, *values: str) -> Iterator[PhotoFile]:
        query = (
            "SELECT id, path, sha256, size, state, code, offset"  # noqa: S608 - own text
            f" FROM photo WHERE {where} ORDER BY rowid"
        )
        for photo_id, path, *rest in self._db.execute(query, values):
            yield PhotoFile(photo_id, Path(path), *rest)


def copy_in(source: Path, folder: Path) -> tuple[Path, str, int]:
    """Copy a photo into `folder`, untouched and safely on disk; return path, sha256 and size.

    The copy is named after its SHA-256, so the same bytes are kept once.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    digest, size, partial = hashlib.sha256(), 0, folder / f".{secrets.token_hex(8)}"
    with source.open("rb") as reader, partial.open("wb") as writer:
        while block := reader.read(BLOCK):
            digest.update(block)
            size += writer.write(block)
        writer.flush()
        os.fsync(writer.fileno())
    path = partial.rename(folder / digest.hexdigest())
    _sync_folder(folder)
    return path, digest.hexdigest(), size


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
