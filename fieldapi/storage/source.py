"""What a store is handed: a path or a stream, of a size that must be true. Used by the stores."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from fieldapi.storage.failures import SizeDiffers
from fieldapi.storage.port import CHUNK


@contextmanager
def opened(source: Path | BinaryIO, size: int) -> Iterator[BinaryIO]:
    """Give the source as a stream at the start of exactly `size` bytes; a stream is left open.

    Raises `SizeDiffers`.
    """
    if isinstance(source, Path):
        with source.open("rb") as stream:
            yield _of_size(stream, size)
    else:
        yield _of_size(source, size)


def check_range(start: int, end: int | None) -> None:
    """Raises `ValueError` for a range that starts before 0 or ends before it starts."""
    if start < 0 or (end is not None and end < start):
        raise ValueError("a range starts at 0 or later and does not end before it starts")


def same_bytes(one: BinaryIO, other: BinaryIO) -> bool:
    """Say whether both streams hold the same from where they stand to their ends."""
    while True:
        piece = one.read(CHUNK)
        if piece != other.read(CHUNK):
            return False
        if not piece:
            return True


def _of_size(stream: BinaryIO, size: int) -> BinaryIO:
    actual = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    if actual != size:
        raise SizeDiffers(f"{size} bytes were announced, the source holds {actual}")
    return stream
