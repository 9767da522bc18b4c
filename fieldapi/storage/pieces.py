"""Cuts a request body into pieces that lose little at a cut and cost little on a good line.
Used by the spool alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from fieldapi.storage import buffers

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

PIECE = buffers.SIZE
_SMALL = 4 * 1024
_QUICK_S = 0.005
_PATIENCE_S = 1.0
Piece = bytes | memoryview


class Readable(Protocol):
    """A request body: `read(n)` gives up to n bytes, nothing at its end, and raises at a cut."""

    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes; nothing means the end."""
        ...


@runtime_checkable
class Prompt(Protocol):
    """A body that gives what is there: it waits for a byte only, and drops none at a cut."""

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill the front of `buffer` and return how much of it; 0 means the end."""
        ...


def pieces(body: Readable) -> Iterator[Piece]:
    """Yield the body in order, no piece empty; what it raises comes after all it gave before.

    Pieces are gathered to `PIECE` bytes, but not for longer than a second: others may be watching
    the offset. Each is gone when the next one is asked for.
    """
    return _prompt(body) if isinstance(body, Prompt) else _patient(body.read)


def unkept(body: Readable) -> Iterator[Piece]:
    """Yield the body as `pieces` does, where a cut keeps nothing of it."""
    return _prompt(body) if isinstance(body, Prompt) else iter(lambda: body.read(PIECE), b"")


def _prompt(body: Prompt) -> Iterator[memoryview]:
    """Gather into one buffer, which every piece is a part of."""
    with buffers.lent() as view:
        at, since = 0, time.monotonic()
        try:
            while got := body.readinto(view[at:]):
                at += got
                if at == PIECE or time.monotonic() - since > _PATIENCE_S:
                    whole, at, since = view[:at], 0, time.monotonic()
                    yield whole
        except GeneratorExit:
            raise
        except BaseException:
            if at:
                yield view[:at]
            raise
        if at:
            yield view[:at]


def _patient(read: Callable[[int], bytes]) -> Iterator[bytes]:
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
    """Yield what comes.

    Such a `read(n)` waits for n bytes and drops what it has when the line breaks. So we ask for
    little while bytes trickle in, and for more as they come at once.
    """
    size = _SMALL
    while True:
        began = time.monotonic()
        got = read(size)
        if not got:
            return
        yield got
        size = min(2 * size, PIECE) if time.monotonic() - began < _QUICK_S else _SMALL
