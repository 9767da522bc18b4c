"""What every store promises, claim by claim (`fieldapi/storage/port.py`)."""

from __future__ import annotations

import hashlib
import io
import os
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from fieldapi.storage import (
    IntegrityError,
    KeyRefused,
    ObjectDiffers,
    ObjectMissing,
    SizeDiffers,
    Storage,
    chunks,
    put_verified,
    replace_damaged,
)
from fieldapi.storage.keys import aside_key, original_key, preview_key, thumbnail_key
from tests.contract.storage.conftest import Bytes

NAMES = [
    *("", "/", ".", "..", "originals", "originals/", "originals/ab/", "/etc/passwd"),
    *("originals/../../etc/x", "originals/ab/../ab/" + "ab" * 32, "originals//" + "ab" * 32),
    *("originals/ab/" + "AB" * 32, "originals/cd/" + "ab" * 32, "originals/ab/" + "ab" * 33),
    *("originals/ab/" + "ab" * 32 + "\n", "originals/ab/" + "ab" * 32 + "\0"),
    *("originals\\ab\\" + "ab" * 32, "%2e%2e/%2e%2e/x", "originals/ab/CON", "file:///etc/passwd"),
    *("s3://other/ab", "derivatives/ab/" + "ab" * 32, "derivatives/ab/" + "ab" * 32 + ".svg"),
    *("photos/ab/" + "ab" * 32, "originals/ab/" + "ab" * 32 + "/", "पशु"),
]


def put(storage: Storage, item: Bytes) -> None:
    storage.put(item.key, io.BytesIO(item.data), len(item.data))


def test_what_was_put_comes_back(storage: Storage) -> None:
    item = Bytes(1)
    put(storage, item)
    with storage.open(item.key) as stream:
        assert stream.read() == item.data


def test_a_file_is_as_good_as_a_stream(storage: Storage, tmp_path: Path) -> None:
    item = Bytes(2)
    storage.put(item.key, item.file(tmp_path), len(item.data))
    assert b"".join(chunks(storage.open(item.key), 100)) == item.data


def test_a_file_that_is_final_may_go_once_it_is_kept(storage: Storage, tmp_path: Path) -> None:
    item = Bytes(2)
    for _ in range(2):
        source = item.file(tmp_path)
        storage.put(item.key, source, len(item.data), is_final=True)
        source.unlink()
    assert b"".join(chunks(storage.open(item.key), 100)) == item.data
    with pytest.raises(ObjectDiffers):
        storage.put(item.key, Bytes(3).file(tmp_path), 1000, is_final=True)


def test_an_empty_object_is_an_object(storage: Storage) -> None:
    item = Bytes(3, size=0)
    put(storage, item)
    found = storage.stat(item.key)
    assert found is not None
    assert found.size == 0
    assert storage.open(item.key).read() == b""
    assert storage.open(item.key, start=0, end=10).read() == b""


@pytest.mark.parametrize(
    "start, end",
    [(0, None), (0, 1), (0, 1000), (0, 5000), (999, None), (10, 20), (500, 5000), (7, 7)],
)
def test_a_range_is_that_part(storage: Storage, start: int, end: int | None) -> None:
    item = Bytes(4)
    put(storage, item)
    assert storage.open(item.key, start=start, end=end).read() == item.data[start:end]


@pytest.mark.parametrize("start, end", [(1000, None), (1000, 1001), (99999, None), (0, 0)])
def test_a_range_past_the_end_is_empty(storage: Storage, start: int, end: int | None) -> None:
    item = Bytes(4)
    put(storage, item)
    assert storage.open(item.key, start=start, end=end).read() == b""


@pytest.mark.parametrize("start, end", [(-1, None), (5, 4), (0, -1)])
def test_a_senseless_range_is_an_error(storage: Storage, start: int, end: int | None) -> None:
    item = Bytes(4)
    put(storage, item)
    with pytest.raises(ValueError, match="range"):
        storage.open(item.key, start=start, end=end)


@pytest.mark.parametrize("start", [0, 5])
def test_a_missing_object_says_so(storage: Storage, start: int) -> None:
    key = original_key("12" * 32)
    assert storage.stat(key) is None
    with pytest.raises(ObjectMissing):
        storage.open(key, start=start).read()


def test_stat_knows_size_and_time(storage: Storage) -> None:
    item = Bytes(5)
    put(storage, item)
    found = storage.stat(item.key)
    assert found is not None
    assert (found.key, found.size) == (item.key, 1000)
    assert abs(datetime.now(UTC) - found.modified_at) < timedelta(minutes=1)


def test_the_same_bytes_again_change_nothing(storage: Storage) -> None:
    item = Bytes(6)
    put(storage, item)
    before = storage.stat(item.key)
    put(storage, item)
    assert storage.stat(item.key) == before


@pytest.mark.parametrize("size", [999, 1000, 1001, 0])
def test_other_bytes_never_replace_an_original(storage: Storage, size: int) -> None:
    item, other = Bytes(7), Bytes(8, size)
    put(storage, item)
    with pytest.raises(ObjectDiffers):
        storage.put(item.key, io.BytesIO(other.data), size)
    assert storage.open(item.key).read() == item.data


def test_replace_is_for_derivatives_alone(storage: Storage) -> None:
    item, other = Bytes(9), Bytes(10)
    put(storage, item)
    with pytest.raises(KeyRefused):
        storage.put(item.key, io.BytesIO(other.data), 1000, replace=True)
    for data in (item.data, other.data):
        storage.put(preview_key(item.sha256), io.BytesIO(data), 1000, replace=True)
    assert storage.open(preview_key(item.sha256)).read() == other.data


@pytest.mark.parametrize("announced", [0, 999, 1001])
def test_a_wrong_size_stores_nothing(storage: Storage, announced: int) -> None:
    item = Bytes(11)
    with pytest.raises(SizeDiffers):
        storage.put(item.key, io.BytesIO(item.data), announced)
    assert storage.stat(item.key) is None
    assert list(storage.list("")) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_is_no_key_is_refused(storage: Storage, name: str) -> None:
    for attempt in (storage.open, storage.stat, storage.delete):
        with pytest.raises(KeyRefused):
            attempt(name)
    with pytest.raises(KeyRefused):
        storage.put(name, io.BytesIO(b"x"), 1)


@pytest.mark.parametrize("prefix", ["originals", "orig", "../", "/", "originals/abc/", "x/", "*"])
def test_only_folders_of_keys_are_listed(storage: Storage, prefix: str) -> None:
    with pytest.raises(KeyRefused):
        list(storage.list(prefix))


def test_list_yields_every_object_in_order_of_keys(storage: Storage) -> None:
    items = [Bytes(seed, 10) for seed in range(20, 40)]
    for item in items:
        put(storage, item)
    storage.put(thumbnail_key(items[0].sha256), io.BytesIO(b"jpeg"), 4)
    keys = [found.key for found in storage.list("originals/")]
    assert keys == sorted(item.key for item in items)
    assert {found.size for found in storage.list("originals/")} == {10}
    assert len(list(storage.list(""))) == 21
    assert [f.key for f in storage.list(items[3].key[:13])] == [items[3].key]


def test_an_empty_store_lists_nothing(storage: Storage) -> None:
    assert list(storage.list("")) == []
    assert list(storage.list("originals/ab/")) == []


def test_delete_is_repeatable(storage: Storage) -> None:
    item = Bytes(12)
    put(storage, item)
    storage.delete(item.key)
    storage.delete(item.key)
    assert storage.stat(item.key) is None
    assert list(storage.list("")) == []
    put(storage, item)
    assert storage.open(item.key).read() == item.data


def test_twenty_megabytes_stream_through(storage: Storage, tmp_path: Path) -> None:
    path = tmp_path / "large"
    piece = os.urandom(1024 * 1024)
    path.write_bytes(piece * 20 + b"tail")
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    put_verified(storage, original_key(digest), path, sha256=digest)
    with storage.open(original_key(digest), start=20 * len(piece) - 2) as stream:
        assert stream.read(100) == piece[-2:] + b"tail"


def test_a_put_is_believed_only_after_reading_back(storage: Storage, tmp_path: Path) -> None:
    item = Bytes(13)
    put_verified(storage, item.key, item.file(tmp_path), sha256=item.sha256)
    with pytest.raises(IntegrityError):
        put_verified(storage, item.key, item.file(tmp_path), sha256=Bytes(14).sha256)


def test_a_copy_is_read_back_whatever_was_read_before(storage: Storage, tmp_path: Path) -> None:
    item = Bytes(19)
    with pytest.raises(IntegrityError):
        put_verified(storage, item.key, item.file(tmp_path), sha256=Bytes(14).sha256, is_read=True)


def test_a_rotten_object_is_kept_aside_and_replaced_in_one_step(
    storage: Storage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Another phone may have mended it meanwhile: what is there must never be gone for a moment.
    monkeypatch.setattr(type(storage), "delete", None)
    good, rotten = Bytes(15), Bytes(16)
    storage.put(good.key, io.BytesIO(rotten.data), 1000)
    with pytest.raises(ObjectDiffers):
        put_verified(storage, good.key, good.file(tmp_path), sha256=good.sha256)
    aside = replace_damaged(storage, good.key, good.file(tmp_path), sha256=good.sha256)
    assert aside == aside_key(rotten.sha256)
    assert storage.open(aside).read() == rotten.data
    assert storage.open(good.key).read() == good.data


def test_a_sound_object_is_not_replaced(storage: Storage, tmp_path: Path) -> None:
    item = Bytes(17)
    put(storage, item)
    with pytest.raises(IntegrityError, match="not damaged"):
        replace_damaged(storage, item.key, item.file(tmp_path), sha256=item.sha256)
    assert storage.open(item.key).read() == item.data


def test_eight_threads_may_put_the_same_object(apart: Storage) -> None:
    item = Bytes(18, 100_000)
    threads = [threading.Thread(target=put, args=(apart, item)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert apart.open(item.key).read() == item.data
    # Not how often: rclone may tell of one object twice when several put it at the same moment.
    assert {found.key for found in apart.list("")} == {item.key}


def test_a_probe_of_a_sound_store_leaves_nothing(storage: Storage) -> None:
    storage.probe()

    assert list(storage.list("")) == []
