"""The storage port: what a store of immutable objects promises. Stores implement it, services use
it, `tests/contract/storage` holds every store to it. Its failures are named in `failures.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Protocol

CHUNK = 256 * 1024


@dataclass(frozen=True, slots=True)
class Stat:
    """One stored object. `size` in bytes; `modified_at` aware, by the store's clock."""

    key: str
    size: int
    modified_at: datetime


class Storage(Protocol):
    """A store of objects named by hash: written once, read whole or in part, listed.

    The caller guarantees that bytes match the hash in the key (`put_verified` proves it
    afterwards). The store guarantees the rest, as each method says. Every method may raise
    `StorageUnavailable` or `StorageDenied`, and `KeyRefused` before the store is asked.
    Instances are safe to share between threads, and survive a fork.
    """

    def put(
        self,
        key: str,
        source: Path | BinaryIO,
        size: int,
        *,
        replace: bool = False,
        is_final: bool = False,
    ) -> bool:
        """Store exactly `size` bytes of `source` under `key`, whole or not at all.

        The caller hands a file path, or a seekable stream that is read from its start.
        The store guarantees: no reader ever sees a part; when this returns, the object survives
        a power cut; the same bytes again are a success that changes nothing.
        `replace` is for derivatives alone, whose bytes may change with the decoder. `is_final`:
        nobody will ever write to the file at this path again, so a store on the same disk may keep
        the file itself, by a second name, rather than a copy. Returns whether the object is that
        very file: then to read it back is to read the same bytes of the same file once more.
        Raises `ObjectDiffers` if other bytes are there, `SizeDiffers` if the source is not
        `size` long, `KeyRefused` for `replace` of anything but a derivative.
        """
        ...

    def mend(self, key: str, source: Path | BinaryIO, size: int) -> None:
        """Store `size` bytes of `source` in the place of an object that has rotted, in one step.

        As `put` otherwise; at no moment is there no object. The caller knows that the bytes there
        do not fit the key, and keeps them under another first (`replace_damaged`).
        """
        ...

    def open(self, key: str, *, start: int = 0, end: int | None = None) -> BinaryIO:
        """Return a stream over bytes `start` up to, not including, `end` (None: to the last).

        The caller closes it; `chunks()` does. `end` past the object is cut to its size, `start`
        at or past it gives an empty stream. The stream is not seekable; a read may raise
        `StorageUnavailable`, and never returns fewer bytes in all without raising.
        Raises `ObjectMissing`, and `ValueError` for a negative or reversed range.
        """
        ...

    def stat(self, key: str) -> Stat | None:
        """Return size and time of the object, or None if there is none."""
        ...

    def list(self, prefix: str) -> Iterator[Stat]:
        """Yield every object under a folder of keys, sorted by key, e.g. `originals/ab/`.

        `prefix` is empty, or ends in a slash. Files in the store that are not ours are left out.
        An object put or deleted meanwhile may or may not be seen; every other is, once.
        """
        ...

    def delete(self, key: str) -> None:
        """Remove the object; no object is a success too."""
        ...

    def probe(self) -> None:
        """Return if the store answers and lets us in; made for readiness checks."""
        ...


def chunks(stream: BinaryIO, size: int = CHUNK) -> Iterator[bytes]:
    """Yield what `stream` holds in pieces of at most `size` bytes, then close it."""
    with stream:
        while piece := stream.read(size):
            yield piece
