"""An upload under its lock. Only the spool takes it; services finish, restart or remove the upload.

The store may keep the very file of an upload (`Storage.put`): such a file is never written again.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fieldapi.storage import buffers, disk
from fieldapi.storage.failures import Locked, UploadMissing


@dataclass(frozen=True, slots=True)
class Held:
    """An upload under its lock: nobody appends, restarts or removes it meanwhile.

    `spare`: a folder of the same disk, for a file that is not an upload yet.
    """

    path: Path
    descriptor: int
    spare: Path

    @property
    def state(self) -> os.stat_result:
        """Return what the system says of the file now: its size is the offset, in bytes."""
        return os.fstat(self.descriptor)

    @property
    def size(self) -> int:
        """Return the offset, in bytes."""
        return self.state.st_size

    def sha256(self) -> str:
        """Return the SHA-256 of every byte received, in hex."""
        digest, at = hashlib.sha256(), 0
        with buffers.lent() as view:
            while got := os.preadv(self.descriptor, [view], at):
                digest.update(view[:got])
                at += got
        return digest.hexdigest()

    def restart(self) -> None:
        """Forget the bytes: the offset is 0 again, in a new file under the same lock."""
        descriptor, name = tempfile.mkstemp(dir=self.spare)
        try:
            disk.lock(descriptor, wait_s=0)
            Path(name).rename(self.path)
            disk.sync_folder(self.path.parent)
            os.dup2(descriptor, self.descriptor, inheritable=False)
        finally:
            os.close(descriptor)

    def remove(self) -> None:
        """End the upload; its id is unknown from here on.

        A power cut may bring the file back; nobody asks for it then, and the sweep removes it.
        """
        self.path.unlink()


@contextmanager
def hold(path: Path, *, spare: Path, wait_s: float) -> Iterator[Held]:
    """Lock the upload at `path` within so many seconds. Raises `Locked`, `UploadMissing`."""
    descriptor = _locked(path, wait_s)
    try:
        yield Held(path, descriptor, spare)
    finally:
        os.close(descriptor)


def _locked(path: Path, wait_s: float) -> int:
    """Return the open and locked file of this name, not one that had it until the lock was free:
    whoever held that one may have removed it, or begun anew.
    """
    while True:
        descriptor = _opened(path)
        if not disk.lock(descriptor, wait_s=wait_s):
            os.close(descriptor)
            raise Locked(path.name)
        if _is_named(descriptor, path):
            return descriptor
        os.close(descriptor)


def _opened(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_APPEND)
    except FileNotFoundError:
        raise UploadMissing(path.name) from None


def _is_named(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
