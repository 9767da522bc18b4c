"""The few things a disk must be told twice: fsync of folders, free space, locks across processes.
Used by the spool and the filesystem store.
"""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

_POLL_S = 0.01


def sync_folder(folder: Path) -> None:
    """Make names just added to or removed from `folder` survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Make `folder` and its parents, readable by us alone, each name durable."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    sync_folder(folder.parent)


def free_bytes(folder: Path) -> int:
    """Return how many bytes an ordinary process may still write below `folder`."""
    state = os.statvfs(folder)
    return state.f_bavail * state.f_frsize


def lock(descriptor: int, *, wait_s: float) -> bool:
    """Take the exclusive lock of an open file within `wait_s` seconds; False if another holds it.

    The lock is `flock(2)`: it belongs to this opening of the file, so it works between threads as
    between processes, and ends with `close` or the death of its holder.
    """
    deadline = time.monotonic() + wait_s
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_POLL_S)
