"""Files of a backup: put aside, linked or copied, hashed, listed as `sha256sum -c` reads it."""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from fieldapi.storage.disk import make_folder, sync_folder

LIST = "FILES.sha256"
Progress = Callable[[str, int, int], None]  # part, done, of
_CHUNK = 1024 * 1024
_NO_LINK = frozenset({errno.EXDEV, errno.EPERM, errno.EMLINK, errno.EOPNOTSUPP, errno.ENOSYS})


class BackupError(Exception):
    """A backup that cannot be made or used. `hint`: what to do about it."""

    def __init__(self, message: str, hint: str = "") -> None:
        """Keep both for the command line."""
        super().__init__(message)
        self.hint = hint


@contextmanager
def appearing(target: Path) -> Iterator[Path]:
    """Give a folder that gets the name `target` when the block ends, and is gone if it raises.

    Raises `BackupError` if something is there already.
    """
    require_empty(target)
    make_folder(target.parent)
    aside = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    aside.mkdir(mode=0o700)
    try:
        yield aside
        sync_tree(aside)
        aside.rename(target)
        sync_folder(target.parent)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise


def require_empty(folder: Path) -> None:
    """Raise `BackupError` if anything is in the folder, or it is a file."""
    if folder.is_dir() and not any(folder.iterdir()):
        return
    if folder.exists() or folder.is_symlink():
        raise BackupError(
            f"{folder} is not empty", "name a folder that does not exist yet, or is empty"
        )


def bring(source: Path, target: Path) -> None:
    """Make the file appear under `target`: as a second name on the same disk, else as a copy."""
    make_folder(target.parent)
    try:
        target.hardlink_to(source)
    except OSError as exc:
        if exc.errno not in _NO_LINK:
            raise
        copy(source, target)


def copy(source: Path, target: Path, *, mode: int = 0o600) -> None:
    """Copy a file, readable by us alone."""
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with source.open("rb") as read, os.fdopen(descriptor, "wb") as written:
        shutil.copyfileobj(read, written, _CHUNK)
        written.flush()
        os.fsync(descriptor)


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hex."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_CHUNK):
            digest.update(piece)
    return digest.hexdigest()


def write_line(listing: IO[str], sha256: str, name: str) -> None:
    """Add a file to a listing."""
    listing.write(f"{sha256}  {name}\n")


def read_lines(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield hash and name of every file that a backup lists. Raises `BackupError`."""
    with (folder / LIST).open(encoding="utf-8") as listing:
        for line in listing:
            sha256, gap, name = line.rstrip("\n").partition("  ")
            if not gap or not is_inside(name):
                raise BackupError(f"{LIST} has a line that was not written here")
            yield sha256, name


def is_inside(name: str) -> bool:
    """Say whether a name stays within the backup."""
    path = Path(name)
    return bool(name) and not path.is_absolute() and ".." not in path.parts


def sync_file(path: Path) -> None:
    """Make the bytes of a file survive a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(folder: Path) -> None:
    """Make the names below a folder survive a power cut."""
    for where, _, _ in os.walk(folder):
        sync_folder(Path(where))
