"""A place for files that a test makes by the thousand: in memory where there is enough of it."""

from __future__ import annotations

import shutil
from pathlib import Path

_MEMORY = Path("/dev/shm")  # noqa: S108 - folders of our own are made in it
_ENOUGH_BYTES = 2**30


def in_memory() -> Path | None:
    """Return where temporary folders are made; None for the usual place."""
    has_room = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ENOUGH_BYTES
    return _MEMORY if has_room else None
