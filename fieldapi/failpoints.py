"""Named places at which a test may kill this process, to see what a crash there leaves behind.

Nothing but a test does that: unless the process starts with FIELDAPI_TESTING=1 and
FIELDAPI_FAILPOINTS names a file, `failpoint` does nothing. The file holds `NAME NTH`: at the nth
time that place is reached (`*`: any place) the process kills itself and the file is gone.
Imports nothing of the project.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

NAMES = frozenset(
    {
        "answer.begun",
        "answer.ended",
        "ledger.appended",
        "ledger.head-locked",
        "ledger.head-written",
        "outbox.ops-taken",
        "photo.announced-checked",
        "photo.put",
        "photo.received",
        "photo.recorded",
        "photo.stored",
        "push.begun",
        "push.entered",
        "push.flagged",
        "push.kept",
        "push.locked",
        "push.merged",
        "push.parked",
        "push.written",
        "spool.created",
        "spool.synced",
        "spool.written",
        "storage.published",
        "storage.written",
        "sync.answered",
        "sync.arrived",
        "sync.pulled",
        "sync.read",
        "sync.taken",
        "unit.begun",
        "unit.committed",
        "unit.finished",
        "unit.flushed",
        "unit.statement",
        "upload.announced",
        "upload.finished",
        "upload.hashed",
        "upload.removed",
    }
)
ANY = "*"
_SWITCH, _FILE = "FIELDAPI_TESTING", "FIELDAPI_FAILPOINTS"


def _nothing(_name: str) -> None:
    """Go on."""


def armed(path: Path, kill: Callable[[], None]) -> Callable[[str], None]:
    """Return a `failpoint` that does what the file at `path` says. Raises KeyError for a place
    that nobody declared.
    """
    turn = threading.Lock()

    def reach(name: str) -> None:
        if name not in NAMES:
            raise KeyError(name)
        with turn:
            if _is_time(path, name):
                path.unlink()
                kill()

    return reach


def _is_time(path: Path, name: str) -> bool:
    """Count down if the file means this place; say whether its time has come."""
    try:
        wanted, _, left = path.read_text().partition(" ")
    except FileNotFoundError:
        return False
    if wanted not in {name, ANY}:
        return False
    path.write_text(f"{wanted} {int(left) - 1}")
    return int(left) <= 1


def die() -> None:
    """Kill this process as the kernel does when memory runs out: nothing is tidied up."""
    os.kill(os.getpid(), signal.SIGKILL)


def made_for(environ: Mapping[str, str]) -> Callable[[str], None]:
    """Return the `failpoint` of a process with this environment."""
    if environ.get(_SWITCH) != "1" or _FILE not in environ:
        return _nothing
    return armed(Path(environ[_FILE]), die)


failpoint = made_for(os.environ)
