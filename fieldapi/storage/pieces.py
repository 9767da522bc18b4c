"""Cuts a request body into pieces that lose little at a cut and cost little on a good line.
Used by the spool alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

PIECE = 256 * 1024
_SMALL = 4 * 1024
_QUICK_S = 0.005
_PATIENCE_S = 1.0


def pieces(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """Yield the body in order, no piece empty; what `read` raises comes after all it gave before.

    A server's `read(n)` waits for n bytes and drops what it has when the line breaks. So we ask
    for little while bytes trickle in, and for more as they come at once. Pieces are gathered to
    `PIECE` bytes, but not for longer than a second: others may be watching the offset.
    """
    held = bytearray()
    since = time.monotonic()
    try:
        for got in _reads(read):
            held += got
            if len(held) >= PIECE or time.monotonic() - since > _PATIENCE_S:
                full, held, since = bytes(held), bytearray(), time.monotonic()
                yield full
    except GeneratorExit:
        raise
    except BaseException:
        if held:
            yield bytes(held)
        raise
    if held:
        yield bytes(held)


def _reads(read: Callable[[int], bytes]) -> Iterator[bytes]:
    size = _SMALL
    while True:
        began = time.monotonic()
        got = read(size)
        if not got:
            return
        yield got
        size = min(2 * size, PIECE) if time.monotonic() - began < _QUICK_S else _SMALL
