"""A backup as one encrypted file: a tar of its folder, in the format of age.

Called by the command line, after a backup was made and before one is restored.
"""

from __future__ import annotations

import os
import shutil
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from fieldapi.backup.age import AgeError, Sealer, opened
from fieldapi.backup.files import BackupError, appearing, is_inside
from fieldapi.storage.disk import make_folder, sync_folder

_MODE = 0o600


def seal(folder: Path, target: Path, recipients: Sequence[str]) -> None:
    """Write the files below `folder` into the new file `target`, for the holders of these keys.

    Raises `BackupError`, and then there is no such file.
    """
    aside = target.with_name(f".{target.name}.part")
    aside.unlink(missing_ok=True)
    try:
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE)
        with os.fdopen(descriptor, "wb") as file:
            sealer = Sealer(file, recipients)
            with tarfile.open(fileobj=cast("IO[bytes]", sealer), mode="w|") as tar:
                for path in sorted(one for one in folder.rglob("*") if one.is_file()):
                    tar.add(path, arcname=str(path.relative_to(folder)), recursive=False)
            sealer.close()
            file.flush()
            os.fsync(descriptor)
        target.hardlink_to(aside)
        sync_folder(target.parent)
    except AgeError as exc:
        raise BackupError(str(exc), "`fieldapi backup-key` makes one") from exc
    except FileExistsError as exc:
        raise BackupError(f"{target} is there already", "name another file") from exc
    finally:
        aside.unlink(missing_ok=True)


@contextmanager
def unsealed(file: Path, identity: Path, beside: Path) -> Iterator[Path]:
    """Give the folder that was sealed, open for as long as the block lasts, next to `beside`.

    Raises `BackupError` for another key, and for a file that was changed or cut off.
    """
    folder = beside.with_name(f".{beside.name}.open")
    make_folder(folder.parent)
    try:
        with appearing(folder) as aside:
            _unpack(file, identity.read_text(), aside)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _unpack(file: Path, identity: str, folder: Path) -> None:
    try:
        with file.open("rb") as source:
            stream = _Stream(opened(source, identity))
            with tarfile.open(fileobj=cast("IO[bytes]", stream), mode="r|") as tar:
                for member in tar:
                    _extract(tar, member, folder)
            while stream.read(1 << 20):  # to the end: only there is it known that nothing is cut
                continue
    except (AgeError, tarfile.TarError) as exc:
        raise BackupError(f"{file}: {exc}") from exc


def _extract(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    content = tar.extractfile(member) if member.isfile() else None
    if content is None or not is_inside(member.name):
        raise BackupError(f"the archive holds {member.name!r}, which no backup has")
    target = folder / member.name
    make_folder(target.parent)
    with target.open("xb") as out:
        os.fchmod(out.fileno(), _MODE)
        shutil.copyfileobj(content, out)


class _Stream:
    """What `opened` yields, as a file that is read in order."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._held = pieces, bytearray()

    def read(self, size: int = -1) -> bytes:
        while size < 0 or len(self._held) < size:
            piece = next(self._pieces, b"")
            if not piece:
                break
            self._held += piece
        end = len(self._held) if size < 0 else size
        given = bytes(self._held[:end])
        del self._held[:end]
        return given
