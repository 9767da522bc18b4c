"""What the guard around a store promises: few at once, a rest after failures, a trial after it."""

from __future__ import annotations

import io
import threading
from pathlib import Path

import pytest

from fieldapi.storage import ObjectMissing, StorageDenied, StorageUnavailable, open_storage
from fieldapi.storage.guard import GuardedStorage
from tests.contract.storage.conftest import Bytes
from tests.integration.photos.conftest import MoodyStorage

ITEM = Bytes(1)


class Watch:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Broken(MoodyStorage):
    """A store that fails as it is told, and counts how often it was asked."""

    failure: Exception | None = None
    asked = 0

    def _up(self) -> object:  # type: ignore[override]
        self.asked += 1
        if self.failure is not None:
            raise self.failure
        return self.inner


@pytest.fixture
def broken(tmp_path: Path) -> Broken:
    return Broken(open_storage("", tmp_path))


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def guard(broken: Broken, watch: Watch) -> GuardedStorage:
    return GuardedStorage(broken, at_once=2, wait_s=0.05, clock=watch)


def test_store_that_failed_three_times_is_left_alone(
    guard: GuardedStorage, broken: Broken, watch: Watch
) -> None:
    broken.failure = StorageUnavailable("down")
    for _ in range(10):
        with pytest.raises(StorageUnavailable):
            guard.probe()
    assert broken.asked == 3
    watch.now += 3
    with pytest.raises(StorageUnavailable):
        guard.probe()
    with pytest.raises(StorageUnavailable):
        guard.probe()
    assert broken.asked == 4


def test_one_answer_ends_the_rest(guard: GuardedStorage, broken: Broken, watch: Watch) -> None:
    broken.failure = StorageDenied("403")
    with pytest.raises(StorageDenied):
        guard.stat(ITEM.key)
    with pytest.raises(StorageDenied):
        guard.stat(ITEM.key)
    assert broken.asked == 1
    broken.failure = None
    watch.now += 61
    assert guard.stat(ITEM.key) is None
    guard.put(ITEM.key, io.BytesIO(ITEM.data), 1000)
    assert [one.key for one in guard.list("")] == [ITEM.key]


def test_what_is_not_there_is_no_failure(guard: GuardedStorage) -> None:
    for _ in range(5):
        with pytest.raises(ObjectMissing):
            guard.open(ITEM.key)
    guard.probe()


def test_streams_keep_their_place_until_they_are_closed(guard: GuardedStorage) -> None:
    guard.put(ITEM.key, io.BytesIO(ITEM.data), 1000)
    one, two = guard.open(ITEM.key), guard.open(ITEM.key)
    with pytest.raises(StorageUnavailable):
        guard.probe()
    one.close()
    guard.probe()
    assert two.read() == ITEM.data
    two.close()


def test_a_waiting_call_gets_the_next_place(broken: Broken) -> None:
    guard = GuardedStorage(broken, at_once=1, wait_s=10)
    guard.put(ITEM.key, io.BytesIO(ITEM.data), 1000)
    stream = guard.open(ITEM.key)
    asked = threading.Thread(target=guard.probe)
    asked.start()
    stream.close()
    asked.join(5)
    assert not asked.is_alive()
