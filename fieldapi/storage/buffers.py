"""Lends large buffers and uses them again: the system gives a new one page by page and clears each.

Used by the spool, which has a buffer of its own only while bytes come in or are hashed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

SIZE = 512 * 1024
_KEPT = 4
_spare: list[bytearray] = []


@contextmanager
def lent() -> Iterator[memoryview]:
    """Lend a buffer of `SIZE` bytes, whatever is in it, to one borrower until the block ends."""
    try:
        buffer = _spare.pop()
    except IndexError:
        buffer = bytearray(SIZE)
    try:
        yield memoryview(buffer)
    finally:
        if len(_spare) < _KEPT:
            _spare.append(buffer)
