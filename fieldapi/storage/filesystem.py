"""A folder as a store: every object is a file that appears whole, after fsync, under its key.
Made by `open_storage` for `file:` URLs.
"""

from __future__ import annotations

import errno
import io
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from fieldapi.failpoints import failpoint
from fieldapi.storage import disk
from fieldapi.storage.failures import (
    KeyRefused,
    ObjectDiffers,
    ObjectMissing,
    StorageDenied,
    StorageUnavailable,
)
from fieldapi.storage.keys import check_key, check_prefix, is_key, is_replaceable
from fieldapi.storage.port import CHUNK, Stat
from fieldapi.storage.source import check_range, opened, same_bytes

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_DENIED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_NO_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV})


class FilesystemStorage:
    """Objects below `root`, one file each; see `Storage` for what it promises."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._incoming = root / ".incoming"

    def put(
        self,
        key: str,
        source: Path | BinaryIO,
        size: int,
        *,
        replace: bool = False,
        is_final: bool = False,
    ) -> bool:
        """Store `size` bytes of `source`; see `Storage.put`."""
        path = self._path(key)
        if replace and not is_replaceable(key):
            raise KeyRefused("only derivatives may be replaced")
        with _translated(), opened(source, size) as stream:
            if path.exists() and not replace:
                _require_same(path, stream)
                _sync_name(path)  # whoever gave it may have died, or may not be that far
            elif not (is_final and isinstance(source, Path) and _share(source, stream, path)):
                self._store(path, stream, replace=replace)
            return is_final and isinstance(source, Path) and path.samefile(source)

    def mend(self, key: str, source: Path | BinaryIO, size: int) -> None:
        """Put good bytes where an object has rotted; see `Storage.mend`."""
        path = self._path(key)
        with _translated(), opened(source, size) as stream:
            self._store(path, stream, replace=True)

    def open(self, key: str, *, start: int = 0, end: int | None = None) -> BinaryIO:
        """Return a stream over a range of the object; see `Storage.open`."""
        path = self._path(key)
        check_range(start, end)
        with _translated():
            file = path.open("rb")
            size = os.fstat(file.fileno()).st_size
            file.seek(start)
        last = size if end is None else min(end, size)
        return io.BufferedReader(_Range(file, max(0, last - start)), CHUNK)

    def stat(self, key: str) -> Stat | None:
        """Return size and time of the object; see `Storage.stat`."""
        path = self._path(key)
        try:
            with _translated():
                return _stat(key, path)
        except ObjectMissing:
            return None

    def list(self, prefix: str) -> Iterator[Stat]:
        """Yield the objects under `prefix`, sorted by key; see `Storage.list`."""
        folder = self._root / check_prefix(prefix)
        for path in _files(folder):
            key = path.relative_to(self._root).as_posix()
            if is_key(key) and (found := self.stat(key)) is not None:
                yield found

    def delete(self, key: str) -> None:
        """Remove the object; see `Storage.delete`."""
        path = self._path(key)
        try:
            with _translated():
                path.unlink()
                disk.sync_folder(path.parent)
        except ObjectMissing:
            return

    def probe(self) -> None:
        """Return if the folder is there and takes files; see `Storage.probe`."""
        with _translated():
            disk.make_folder(self._incoming)
            with tempfile.TemporaryFile(dir=self._incoming) as file:
                file.write(b"?")

    def locate(self, key: str) -> Path:
        """Return where the object lies: for a backup, which links rather than copies."""
        return self._path(key)

    def _path(self, key: str) -> Path:
        return self._root / check_key(key)

    def _store(self, path: Path, stream: BinaryIO, *, replace: bool) -> None:
        disk.make_folder(self._incoming)
        disk.make_folder(path.parent)
        descriptor, name = tempfile.mkstemp(dir=self._incoming)
        new = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                shutil.copyfileobj(stream, file, CHUNK)
                file.flush()
                _sync(descriptor)
            _publish(new, path, replace=replace)
        finally:
            new.unlink(missing_ok=True)


class _Range(io.RawIOBase):
    """The next `left` bytes of an open file; a file that ends before them raises."""

    def __init__(self, file: io.BufferedReader, left: int) -> None:
        super().__init__()
        self._file = file
        self._left = left

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer).cast("B")[: self._left]
        with _translated():
            got = self._file.readinto(view)
        if not got and self._left:
            raise StorageUnavailable("the file ended before its size")
        self._left -= got
        return got

    def close(self) -> None:
        self._file.close()
        super().close()


def _share(source: Path, stream: BinaryIO, path: Path) -> bool:
    """Give a file that nobody writes to any more its second name; False where that cannot be."""
    disk.make_folder(path.parent)
    if os.fstat(stream.fileno()).st_dev != path.parent.stat().st_dev:
        return False
    _sync(stream.fileno())
    try:
        path.hardlink_to(source)
    except FileExistsError:
        _require_same(path, stream)
    except OSError as exc:
        if exc.errno not in _NO_LINKS:
            raise
        return False
    _sync_name(path)
    return True


def _sync(descriptor: int) -> None:
    os.fsync(descriptor)
    failpoint("storage.written")


def _sync_name(path: Path) -> None:
    disk.sync_folder(path.parent)
    failpoint("storage.published")


def _publish(new: Path, path: Path, *, replace: bool) -> None:
    """Give a finished file its name, in one step that never hides another file's bytes."""
    try:
        if replace:
            new.rename(path)
        else:
            _link(new, path)
    except FileExistsError:
        with new.open("rb") as stream:
            _require_same(path, stream)
    _sync_name(path)


def _link(new: Path, path: Path) -> None:
    try:
        path.hardlink_to(new)
    except OSError as exc:
        if exc.errno not in _NO_LINKS:
            raise
        new.rename(path)  # a disk without hard links: `put` has looked, the hash names the rest


def _require_same(path: Path, stream: BinaryIO) -> None:
    with path.open("rb") as stored:
        if not same_bytes(stored, stream):
            raise ObjectDiffers("other bytes are stored under this key")


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files below `folder` in the order of their paths; no folder means no files."""
    try:
        entries = sorted(folder.iterdir())
    except FileNotFoundError:
        return
    for path in entries:
        if path.is_dir():
            yield from _files(path)
        else:
            yield path


def _stat(key: str, path: Path) -> Stat:
    state = path.stat()
    return Stat(key, state.st_size, datetime.fromtimestamp(state.st_mtime, UTC))


@contextmanager
def _translated() -> Iterator[None]:
    """Speak of the disk's failures in the port's words."""
    try:
        yield
    except FileNotFoundError as exc:
        raise ObjectMissing("no object under this key") from exc
    except OSError as exc:
        if exc.errno in _DENIED:
            raise StorageDenied(f"the folder refuses us: {exc.strerror}") from exc
        raise StorageUnavailable(f"the folder failed: {exc.strerror}") from exc
