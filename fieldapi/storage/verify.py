"""Puts that are believed only after what the store holds was read and hashed. Services that store
evidence call these, never `Storage.put` alone.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, cast

from fieldapi.storage.failures import IntegrityError, ObjectMissing
from fieldapi.storage.keys import aside_key
from fieldapi.storage.port import Storage, chunks

if TYPE_CHECKING:
    from io import BufferedReader


def sha256_of(storage: Storage, key: str) -> str:
    """Return the SHA-256, in hex, of what the store gives back for `key`.

    Raises `ObjectMissing`, `StorageUnavailable`, `StorageDenied`.
    """
    with cast("BufferedReader", storage.open(key)) as stream:  # which reads into one buffer
        return hashlib.file_digest(stream, "sha256").hexdigest()


def put_verified(  # noqa: PLR0913 - what is put, and how
    storage: Storage,
    key: str,
    path: Path,
    *,
    sha256: str,
    replace: bool = False,
    is_final: bool = False,
    is_read: bool = False,
) -> None:
    """Store the file under `key` and prove it: what comes back has this SHA-256 (hex).

    `is_read`: the hash was taken of this very file, read after its last byte was written, and
    nobody could write to it since. A store that keeps the file itself is then not read again:
    the same page of the same file would be hashed twice. A copy, here or far away, always is.
    Raises `IntegrityError` if it has not, or if the store took the object and does not have it,
    `ObjectDiffers` if other bytes were there before, and what `Storage.put` raises. The file is
    left alone in every case; `is_final` as for `Storage.put`.
    """
    size = path.stat().st_size
    is_itself = storage.put(key, path, size, replace=replace, is_final=is_final)
    if not (is_itself and is_read):
        _prove(storage, key, sha256)


def _prove(storage: Storage, key: str, sha256: str) -> None:
    try:
        digest = sha256_of(storage, key)
    except ObjectMissing as exc:
        raise IntegrityError(f"{key} was taken and is not there") from exc
    if digest != sha256:
        raise IntegrityError(f"{key} came back with other bytes")


def replace_damaged(storage: Storage, key: str, path: Path, *, sha256: str) -> str:
    """Put good bytes where an object has rotted, and return the key its remains are kept under.

    Call it after `ObjectDiffers` for a key that names its own hash: what is there is then damaged,
    and the file whose hash fits is the original. Raises `IntegrityError` if it is not damaged.
    """
    with TemporaryDirectory(prefix="fieldapi-remains-") as folder:
        remains = Path(folder, "remains")
        digest = _copy_out(storage, key, remains)
        if digest == sha256:
            raise IntegrityError(f"{key} is not damaged")
        aside = aside_key(digest)
        put_verified(storage, aside, remains, sha256=digest)
    storage.mend(key, path, path.stat().st_size)
    _prove(storage, key, sha256)
    return aside


def _copy_out(storage: Storage, key: str, target: Path) -> str:
    digest = hashlib.sha256()
    with target.open("wb") as file:
        for piece in chunks(storage.open(key)):
            digest.update(piece)
            file.write(piece)
    return digest.hexdigest()
