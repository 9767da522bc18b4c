"""The log outside the database: what a restore must not undo, as lines of JSON that name ids alone.

A backup holds what was erased or ended after it was made. Whoever restores one gives this file to
the restore. Written, and forced to the disk, before the transaction commits: a line too many is
harmless, one too few is not.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from sync.wire import JSON, WireError, loads


def append(path: Path, line: Mapping[str, JSON]) -> None:
    """Add one line and wait until the disk has it."""
    text = json.dumps({**line}, sort_keys=True, ensure_ascii=False, separators=(",", ":")) + "\n"
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(handle, text.encode())
        os.fsync(handle)
    finally:
        os.close(handle)


def read(path: Path) -> Iterator[dict[str, JSON]]:
    """Yield the lines; one that a crash cut short says nothing."""
    if not path.exists():
        return
    for text in path.read_bytes().splitlines():
        try:
            line = loads(text)
        except WireError:
            continue
        if isinstance(line, dict):
            yield line
