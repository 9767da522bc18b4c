"""Keeps a store that hangs or refuses from taking the server with it: few calls at once, and none
at all for a while after it failed. Put around any S3 by `open_storage`.
"""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import structlog

from fieldapi.storage.failures import StorageDenied, StorageError, StorageUnavailable
from fieldapi.storage.port import CHUNK, Stat, Storage

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

AT_ONCE = 6  # of the 16 threads of a process: the others answer what needs no store
_WAIT_S = 2.0
_PATIENT = 3  # failures in a row before it is left alone
_FIRST_REST_S, _LONGEST_REST_S, _DENIED_REST_S = 2.0, 30.0, 60.0
_TRIAL_S = 2.0

log = structlog.get_logger(__name__)


class GuardedStorage:
    """A store with at most `at_once` calls under way; see `Storage` for what it promises.

    After three failures in a row every call fails at once for some seconds; then one is let
    through to see. One refusal of our credentials is enough, and is told in the log as an error:
    a person has to look.
    """

    def __init__(
        self,
        inner: Storage,
        *,
        at_once: int = AT_ONCE,
        wait_s: float = _WAIT_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._inner = inner
        self._slots = threading.BoundedSemaphore(at_once)
        self._wait_s = wait_s
        self._clock = clock
        self._lock = threading.Lock()
        self._failed = 0
        self._rests_until = 0.0
        self._why: StorageError | None = None

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
        with self._turn():
            return self._inner.put(key, source, size, replace=replace, is_final=is_final)

    def mend(self, key: str, source: Path | BinaryIO, size: int) -> None:
        """Put good bytes where an object has rotted; see `Storage.mend`."""
        with self._turn():
            self._inner.mend(key, source, size)

    def open(self, key: str, *, start: int = 0, end: int | None = None) -> BinaryIO:
        """Return a stream over a range of the object; see `Storage.open`."""
        self._enter()
        try:
            with self._watched():
                stream = self._inner.open(key, start=start, end=end)
        except BaseException:
            self._slots.release()
            raise
        return io.BufferedReader(_Lent(stream, self._slots.release), CHUNK)

    def stat(self, key: str) -> Stat | None:
        """Return size and time of the object; see `Storage.stat`."""
        with self._turn():
            return self._inner.stat(key)

    def list(self, prefix: str) -> Iterator[Stat]:
        """Yield the objects under `prefix`, sorted by key; see `Storage.list`."""
        self._require_awake()
        with self._watched():
            yield from self._inner.list(prefix)

    def delete(self, key: str) -> None:
        """Remove the object; see `Storage.delete`."""
        with self._turn():
            self._inner.delete(key)

    def probe(self) -> None:
        """Return if the store answers; see `Storage.probe`."""
        with self._turn():
            self._inner.probe()

    @contextmanager
    def _turn(self) -> Iterator[None]:
        self._enter()
        try:
            with self._watched():
                yield
        finally:
            self._slots.release()

    def _enter(self) -> None:
        """Take a slot. Raises `StorageUnavailable`, `StorageDenied` at once while it rests."""
        self._require_awake()
        if not self._slots.acquire(timeout=self._wait_s):
            raise StorageUnavailable("too many others wait for the store")

    def _require_awake(self) -> None:
        with self._lock:
            now = self._clock()
            if self._why is None:
                return
            if now < self._rests_until:
                raise type(self._why)(*self._why.args) from self._why
            self._rests_until = now + _TRIAL_S  # this call tries; the others wait for what it finds

    @contextmanager
    def _watched(self) -> Iterator[None]:
        try:
            yield
        except (StorageUnavailable, StorageDenied) as exc:
            self._note_failure(exc)
            raise
        except StorageError:
            self._note_answer()
            raise
        self._note_answer()

    def _note_failure(self, why: StorageError) -> None:
        with self._lock:
            self._failed += 1
            is_denied = isinstance(why, StorageDenied)
            if self._failed < _PATIENT and not is_denied:
                return
            rest = _DENIED_REST_S if is_denied else self._rest_s()
            is_news = self._why is None or type(why) is not type(self._why)
            self._why, self._rests_until = why, self._clock() + rest
        if is_news:
            speak = log.error if is_denied else log.warning
            speak("storage_denied" if is_denied else "storage_down", rest_s=rest)

    def _rest_s(self) -> float:
        doublings = min(self._failed - _PATIENT, 10)
        return float(min(_FIRST_REST_S * 2**doublings, _LONGEST_REST_S))

    def _note_answer(self) -> None:
        with self._lock:
            was_down = self._why is not None
            self._failed, self._why = 0, None
        if was_down:
            log.info("storage_back")


class _Lent(io.RawIOBase):
    """A stream that keeps its slot until it is closed: a body may hang, too."""

    def __init__(self, stream: BinaryIO, give_back: Callable[[], None]) -> None:
        super().__init__()
        self._stream = stream
        self._give_back = give_back

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer).cast("B")
        got = self._stream.read(len(view))
        view[: len(got)] = got
        return len(got)

    def close(self) -> None:
        if not self.closed:
            try:
                self._stream.close()
            finally:
                self._give_back()
        super().close()
