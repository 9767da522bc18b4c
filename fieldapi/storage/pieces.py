"""Cuts a request body into pieces that lose little at a cut and cost little on a good line.
Used by the spool alone.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Protocol

PIECE = 512 * 1024
_SMALL = 4 * 1024
_QUICK_S = 0.005
_PATIENCE_S = 1.0


class Readable(Protocol):
    """A request body: `read(n)` gives up to n bytes, nothing at its end, and raises at a cut.

    One that has `is_prompt`, and it is true, gives what is there and waits for the first byte only.
    """

    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes; nothing means the end."""
        ...


def pieces(stream: Readable) -> Iterator[bytes]:
    """Yield the body in order, no piece empty; what `read` raises comes after all it gave before.

    Pieces are gathered to `PIECE` bytes, but not for longer than a second: others may be watching
    the offset.
    """
    held = bytearray()
    since = time.monotonic()
    try:
        for got in _reads(stream):
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


def _reads(stream: Readable) -> Iterator[bytes]:
    """Yield what comes.

    A `read(n)` that is not prompt waits for n bytes and drops what it has when the line breaks. So
    we ask for little while bytes trickle in, and for more as they come at once.
    """
    is_prompt = getattr(stream, "is_prompt", False)
    size = PIECE if is_prompt else _SMALL
    while True:
        began = time.monotonic()
        got = stream.read(size)
        if not got:
            return
        yield got
        if not is_prompt:
            size = min(2 * size, PIECE) if time.monotonic() - began < _QUICK_S else _SMALL
