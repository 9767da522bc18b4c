"""Lets one writer of an SQLite file work at a time, over threads and processes, in the order they
came. SQLite itself has others poll: whoever sleeps longest is served last. Used by `unit` alone.
"""

from __future__ import annotations

import fcntl
import os
import threading
from pathlib import Path
from types import TracebackType


class Turn:
    """Held while a block runs. Threads of a process queue for its lock, processes for `path`, which
    the system frees when one of them dies. It is not held twice by one thread.
    """

    def __init__(self, path: Path) -> None:
        """Queue at `path`, an empty file that is made when first needed."""
        self._path = path
        self._threads = threading.Lock()
        self._descriptor: int | None = None

    def __enter__(self) -> None:
        """Wait for the turn. Raises `OSError` if the file cannot be made."""
        self._threads.acquire()
        try:
            if self._descriptor is None:
                self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        except BaseException:
            self._threads.release()
            raise

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Let the next one in."""
        try:
            if self._descriptor is not None:
                fcntl.flock(self._descriptor, fcntl.LOCK_UN)
        finally:
            self._threads.release()

    def close(self) -> None:
        """Give the file back once nobody holds the turn."""
        with self._threads:
            if self._descriptor is not None:
                os.close(self._descriptor)
                self._descriptor = None
