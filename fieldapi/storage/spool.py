"""Partial uploads on local disk: one file per upload, and the file's size is the offset, so nothing
has to agree with anything after a crash. Upload services call it; it knows no HTTP and no database.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from fieldapi.failpoints import failpoint
from fieldapi.storage import disk
from fieldapi.storage.failures import (
    ChecksumDiffers,
    LimitReached,
    Locked,
    OffsetMismatch,
    PieceTooLarge,
    SpoolFull,
    UploadIdRefused,
    UploadMissing,
)
from fieldapi.storage.held import Held, hold
from fieldapi.storage.pieces import Piece, Readable, pieces, unkept

CHECKED_LIMIT = 4 * 1024 * 1024
RESERVE = 512 * 1024 * 1024
_LOCK_WAIT_S = 2.0
_UPLOAD_ID = re.compile(r"[0-9a-f][0-9a-f-]{15,63}")
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})


@dataclass(frozen=True, slots=True)
class SpoolFile:
    """An upload on disk. `size` in bytes is its offset; `modified_at` aware UTC."""

    upload_id: str
    size: int
    modified_at: datetime


@dataclass(frozen=True, slots=True)
class Received:
    """A whole body on disk, hashed as it came in; gone when its context ends."""

    path: Path
    size: int
    sha256: str


class Spool:
    """A folder of partial uploads, safe between threads, processes and crashes.

    `reserve` bytes of the disk are never filled by uploads. `lock_wait_s`: how long a call waits
    for another one on the same upload before `Locked`.
    """

    def __init__(
        self, root: Path, *, reserve: int = RESERVE, lock_wait_s: float = _LOCK_WAIT_S
    ) -> None:
        self._uploads = root / "uploads"
        self._received = root / "received"
        self._reserve = reserve
        self._lock_wait_s = lock_wait_s
        disk.make_folder(self._uploads)
        disk.make_folder(self._received)

    def create(self, upload_id: str) -> int:
        """Make sure the upload exists and return its offset; an existing one keeps its bytes.

        Raises `SpoolFull`, `UploadIdRefused`.
        """
        self._require_room(0)
        try:
            os.close(os.open(self._path(upload_id), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            return self.offset(upload_id)
        return 0  # a name without bytes need not outlive a power cut

    def offset(self, upload_id: str) -> int:
        """Return how many bytes of the upload are kept. Raises `UploadMissing`."""
        try:
            return self._path(upload_id).stat().st_size
        except FileNotFoundError:
            raise UploadMissing(upload_id) from None

    def append(self, upload_id: str, offset: int, stream: Readable, *, limit: int) -> int:
        """Add what `stream` gives from `offset` on, and return the new offset.

        What is less than the whole upload is on disk then. The whole is not yet: its last byte is
        acknowledged only once the store has it, and whoever fails at that calls `keep`.
        Every byte received before a cut is kept: whatever `read` raises is raised again after
        they are on disk. No lock is held while waiting for the network, so a phone that comes
        back on a new connection goes on at once, and the old one ends with `OffsetMismatch`.
        `limit`: the size of the whole upload in bytes; kept up to it, then `LimitReached`.
        Raises `OffsetMismatch`, `UploadMissing`, `Locked`, `SpoolFull`.
        """
        self._require_at(upload_id, offset)
        self._require_room(limit - offset)
        at, is_whole = offset, False
        try:
            for piece in pieces(stream):
                kept = piece[: limit - at]
                at = self._write(upload_id, at, kept)
                if len(kept) < len(piece):
                    raise LimitReached(at)
            is_whole = at == limit
        finally:
            if not is_whole:
                self.keep(upload_id)
        return at

    def append_checked(
        self, upload_id: str, offset: int, stream: Readable, *, limit: int, sha256: bytes
    ) -> int:
        """Add a piece of at most `CHECKED_LIMIT` bytes if its SHA-256 fits, else none of it.

        `sha256`: 32 bytes. Returns the new offset, as `append` does. A cut keeps nothing of it.
        Raises `ChecksumDiffers`, `PieceTooLarge`, `LimitReached` and what `append` raises.
        """
        self._require_at(upload_id, offset)
        self._require_room(limit - offset)
        body = _read_piece(stream)
        if hashlib.sha256(body).digest() != sha256:
            raise ChecksumDiffers(upload_id)
        if offset + len(body) > limit:
            raise LimitReached(offset)
        at = self._write(upload_id, offset, body)
        if at < limit:
            self.keep(upload_id)
        return at

    def fill(self, upload_id: str, stream: Readable, *, size: int) -> None:
        """Make a whole body an upload that is whole; what was there of it before is forgotten.

        Raises `Locked`, `SpoolFull`, `UploadIdRefused`.
        """
        self.create(upload_id)
        with self.hold(upload_id) as held:
            if held.size == size:
                return
            held.restart()
        self.append(upload_id, 0, stream, limit=size)
        self.keep(upload_id)

    def keep(self, upload_id: str) -> None:
        """Make what is here of an upload outlive a power cut; nothing to do if it is gone."""
        try:
            descriptor = os.open(self._path(upload_id), os.O_RDWR)
        except FileNotFoundError:
            return
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        disk.sync_folder(self._uploads)
        failpoint("spool.synced")

    @contextmanager
    def hold(self, upload_id: str) -> Iterator[Held]:
        """Lock the upload, to finish, restart or remove it. Raises `Locked`, `UploadMissing`."""
        with hold(self._path(upload_id), spare=self._received, wait_s=self._lock_wait_s) as held:
            yield held

    def is_in_hand(self, upload_id: str) -> bool:
        """Say whether somebody holds the upload at this moment, or it is gone already."""
        try:
            with hold(self._path(upload_id), spare=self._received, wait_s=0):
                return False
        except (Locked, UploadMissing):
            return True

    def remove(self, upload_id: str) -> None:
        """End the upload and forget its bytes. Raises `Locked`, `UploadMissing`."""
        with self.hold(upload_id) as held:
            held.remove()

    def files(self) -> Iterator[SpoolFile]:
        """Yield every upload on disk, in no order."""
        with os.scandir(self._uploads) as entries:
            for entry in entries:
                if found := _spool_file(entry):
                    yield found

    def expired(self, before: datetime) -> Iterator[SpoolFile]:
        """Yield the uploads that got no byte since `before` (aware)."""
        return (file for file in self.files() if file.modified_at < before)

    @contextmanager
    def take(self, stream: Readable, *, limit: int) -> Iterator[Received]:
        """Receive a whole body, hashed on the way, as a file that lives as long as the context.

        A cut keeps nothing, nor does a crash: the store makes durable what it is given.
        Raises `LimitReached` past `limit` bytes, `SpoolFull`.
        """
        self._require_room(0)
        with tempfile.NamedTemporaryFile(dir=self._received) as file:
            digest = hashlib.sha256()
            size = 0
            for piece in unkept(stream):
                size += len(piece)
                if size > limit:
                    raise LimitReached(0)
                digest.update(piece)
                _write_all(file.fileno(), piece)
            yield Received(Path(file.name), size, digest.hexdigest())

    def clear_received(self, before: datetime) -> int:
        """Remove whole bodies that a crash left since `before`; return how many."""
        gone = 0
        for path in self._received.iterdir():
            if _modified_at(path.stat()) < before:
                path.unlink(missing_ok=True)
                gone += 1
        return gone

    def _path(self, upload_id: str) -> Path:
        if _UPLOAD_ID.fullmatch(upload_id) is None:
            raise UploadIdRefused(upload_id[:64])
        return self._uploads / upload_id

    def _require_at(self, upload_id: str, offset: int) -> None:
        actual = self.offset(upload_id)
        if actual != offset:
            raise OffsetMismatch(actual)

    def _require_room(self, needed: int) -> None:
        if disk.free_bytes(self._uploads) - self._reserve < needed:
            raise SpoolFull("the disk has no room for this upload")

    def _write(self, upload_id: str, at: int, piece: Piece) -> int:
        with self.hold(upload_id) as held:
            state = held.state
            if state.st_size != at:
                raise OffsetMismatch(state.st_size)
            if state.st_nlink > 1:
                # The store keeps this very file: its bytes are what they have to be.
                raise LimitReached(at)
            _write_all(held.descriptor, piece)
        failpoint("spool.written")
        return at + len(piece)


def _read_piece(stream: Readable) -> bytes:
    body = bytearray()
    for piece in unkept(stream):
        body += piece
        if len(body) > CHECKED_LIMIT:
            raise PieceTooLarge(f"at most {CHECKED_LIMIT} bytes")
    return bytes(body)


def _write_all(descriptor: int, data: Piece) -> None:
    view = memoryview(data)
    try:
        while view:
            view = view[os.write(descriptor, view) :]
    except OSError as exc:
        if exc.errno in _NO_ROOM:
            raise SpoolFull("the disk is full") from exc
        raise


def _spool_file(entry: os.DirEntry[str]) -> SpoolFile | None:
    try:
        state = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None
    if _UPLOAD_ID.fullmatch(entry.name) is None:
        return None
    return SpoolFile(entry.name, state.st_size, _modified_at(state))


def _modified_at(state: os.stat_result) -> datetime:
    return datetime.fromtimestamp(state.st_mtime, UTC)
