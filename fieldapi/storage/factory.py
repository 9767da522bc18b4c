"""Turns a storage URL into a store. The composition root calls it once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from fieldapi.storage.filesystem import FilesystemStorage
from fieldapi.storage.guard import GuardedStorage
from fieldapi.storage.port import Storage


def open_storage(url: str, data: Path, *, environ: Mapping[str, str] = os.environ) -> Storage:
    """Return the store that `url` names; nothing is contacted before its first use.

    `""` or `file:` is the folder `photos` below `data`, `file:///srv/photos` any other,
    `s3://bucket/prefix?endpoint=http://127.0.0.1:8333&region=us-east-1` any S3 (see `s3.py`), with
    a guard around it.
    Raises `ValueError` with a hint for a URL that names no store.
    """
    scheme = urlsplit(url).scheme if url else "file"
    if scheme == "file":
        return FilesystemStorage(_folder(url, data))
    if scheme == "s3":
        from fieldapi.storage.s3 import S3Storage  # noqa: PLC0415 - boto3 is slow to load

        return GuardedStorage(S3Storage.from_url(url, environ))
    raise ValueError(f"a storage URL starts with file: or s3:, not {scheme or 'nothing'}:")


def _folder(url: str, data: Path) -> Path:
    path = unquote(urlsplit(url).path)
    return Path(path) if path else data / "photos"
