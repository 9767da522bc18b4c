"""Any S3 as a store. It leans on nothing beyond PUT, GET with Range, HEAD, LIST and DELETE, so that
SeaweedFS, Ceph and rclone serve as well as the original. Made by `open_storage` for `s3:` URLs.
"""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from botocore.exceptions import BotoCoreError, ClientError

from fieldapi.storage.failures import (
    KeyRefused,
    ObjectDiffers,
    ObjectMissing,
    StorageDenied,
    StorageError,
    StorageUnavailable,
)
from fieldapi.storage.keys import check_key, check_prefix, is_key, is_replaceable
from fieldapi.storage.port import CHUNK, Stat
from fieldapi.storage.s3_client import Credentials, Place, connect
from fieldapi.storage.source import check_range, opened, same_bytes

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_MISSING = frozenset({"404", "NoSuchKey", "NotFound"})
_PAST_THE_END = frozenset({"416", "InvalidRange"})
_REFUSED = frozenset({401, 403})


class S3Storage:
    """Objects in a bucket below a prefix; see `Storage` for what it promises.

    Looking whether a key is free and writing it are two requests: most S3-compatibles ignore
    `If-None-Match`. Keys carry the hash of their bytes, so a race writes the same bytes twice.
    """

    def __init__(self, place: Place, credentials: Credentials) -> None:
        self._place = place
        self._credentials = credentials
        self._lock = threading.Lock()
        self._connected: tuple[int, Any] | None = None

    @classmethod
    def from_url(cls, url: str, environ: Mapping[str, str]) -> S3Storage:
        """Return the store of an `s3:` URL. Raises `ValueError` with a hint."""
        return cls(Place.from_url(url), Credentials.from_environ(environ))

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
        at = self._at(key)
        if replace and not is_replaceable(key):
            raise KeyRefused("only derivatives may be replaced")
        with opened(source, size) as stream:
            if not replace and (stored := self.stat(key)) is not None:
                self._require_same(stored, stream, size)
                return False
            self._upload(at, stream, size)
        return False

    def mend(self, key: str, source: Path | BinaryIO, size: int) -> None:
        """Put good bytes where an object has rotted; see `Storage.mend`."""
        with opened(source, size) as stream:
            self._upload(self._at(key), stream, size)

    def open(self, key: str, *, start: int = 0, end: int | None = None) -> BinaryIO:
        """Return a stream over a range of the object; see `Storage.open`."""
        at = self._at(key)
        check_range(start, end)
        if start == end or start:
            stored = self.stat(key)
            if stored is None:
                raise ObjectMissing("no object under this key")
            if start >= stored.size or start == end:
                return io.BytesIO()
        if start or end is not None:
            at["Range"] = f"bytes={start}-{'' if end is None else end - 1}"
        try:
            with _translated():
                return io.BufferedReader(_Body(self._client().get_object(**at)["Body"]), CHUNK)
        except _PastTheEndError:
            return io.BytesIO()

    def stat(self, key: str) -> Stat | None:
        """Return size and time of the object; see `Storage.stat`."""
        at = self._at(key)
        try:
            with _translated():
                head = self._client().head_object(**at)
        except ObjectMissing:
            return None
        return Stat(key, head["ContentLength"], head["LastModified"].astimezone(UTC))

    def list(self, prefix: str) -> Iterator[Stat]:
        """Yield the objects under `prefix`, sorted by key; see `Storage.list`."""
        below = self._place.prefix + check_prefix(prefix)
        with _translated():
            pages = self._client().get_paginator("list_objects_v2")
            for page in pages.paginate(Bucket=self._place.bucket, Prefix=below):
                for found in page.get("Contents", []):
                    key = found["Key"].removeprefix(self._place.prefix)
                    if is_key(key):
                        yield Stat(key, found["Size"], found["LastModified"].astimezone(UTC))

    def delete(self, key: str) -> None:
        """Remove the object; see `Storage.delete`."""
        at = self._at(key)
        try:
            with _translated():
                self._client().delete_object(**at)
        except ObjectMissing:
            return

    def probe(self) -> None:
        """Return if the bucket answers; see `Storage.probe`."""
        with _translated():
            self._client().list_objects_v2(Bucket=self._place.bucket, MaxKeys=1)

    def _upload(self, at: dict[str, str], stream: BinaryIO, size: int) -> None:
        with _translated():
            self._client().put_object(**at, Body=stream, ContentLength=size)

    def _at(self, key: str) -> dict[str, str]:
        return {"Bucket": self._place.bucket, "Key": self._place.prefix + check_key(key)}

    def _client(self) -> Any:  # noqa: ANN401 - boto3 makes its classes at run time
        """Return this process's client: connections must not be shared across a fork."""
        with self._lock:
            if self._connected is None or self._connected[0] != os.getpid():
                self._connected = (os.getpid(), connect(self._place, self._credentials))
            return self._connected[1]

    def _require_same(self, stored: Stat, stream: BinaryIO, size: int) -> None:
        if stored.size == size:
            with self.open(stored.key) as there:
                if same_bytes(there, stream):
                    return
        raise ObjectDiffers("other bytes are stored under this key")


class _PastTheEndError(StorageError):
    """The range starts where the object has ended."""


class _Body(io.RawIOBase):
    """The body of a GET; the client itself notices one that ends early."""

    def __init__(self, body: Any) -> None:  # noqa: ANN401 - botocore's StreamingBody
        super().__init__()
        self._body = body

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer).cast("B")
        with _translated():
            got = self._body.read(len(view))
        view[: len(got)] = got
        return len(got)

    def close(self) -> None:
        self._body.close()
        super().close()


@contextmanager
def _translated() -> Iterator[None]:
    """Speak of the store's failures in the port's words."""
    try:
        yield
    except ClientError as exc:
        raise _failure(exc) from exc
    except BotoCoreError as exc:
        raise StorageUnavailable(f"the store did not answer: {type(exc).__name__}") from exc


def _failure(exc: ClientError) -> StorageError:
    code = str(exc.response.get("Error", {}).get("Code", ""))
    status = exc.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    if code in _MISSING:
        return ObjectMissing("no object under this key")
    if code in _PAST_THE_END:
        return _PastTheEndError("no bytes there")
    if status in _REFUSED:
        return StorageDenied(f"the store refuses these credentials: {code}")
    return StorageUnavailable(f"the store cannot do this now: {code or status}")
