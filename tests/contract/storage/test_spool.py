"""What the spool promises: no byte lost at a cut, none taken twice, whoever else is at it."""

from __future__ import annotations

import hashlib
import io
import multiprocessing
import os
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from fieldapi.storage import (
    CHECKED_LIMIT,
    ChecksumDiffers,
    LimitReached,
    Locked,
    OffsetMismatch,
    PieceTooLarge,
    Spool,
    SpoolFull,
    UploadIdRefused,
    UploadMissing,
)
from tests.contract.storage.conftest import Bytes

UPLOAD = "0123456789abcdef" * 2
PHOTO = Bytes(1, 300_000)


class Line:
    """A body that arrives in bits of `bit` bytes and breaks after `cut`."""

    def __init__(self, data: bytes, *, cut: int, bit: int = 700) -> None:
        self._left = io.BytesIO(data[:cut])
        self._bit = bit

    def read(self, size: int, /) -> bytes:
        got = self._left.read(min(size, self._bit))
        if not got:
            raise ConnectionResetError("the line broke")
        return got


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    made = Spool(tmp_path / "spool", reserve=0, lock_wait_s=0.05)
    made.create(UPLOAD)
    return made


def test_an_upload_in_two_parts_is_whole(spool: Spool) -> None:
    at = spool.append(UPLOAD, 0, io.BytesIO(PHOTO.data[:1234]), limit=300_000)
    at = spool.append(UPLOAD, at, io.BytesIO(PHOTO.data[1234:]), limit=300_000)
    with spool.hold(UPLOAD) as held:
        assert (at, held.size, held.sha256()) == (300_000, 300_000, PHOTO.sha256)


@pytest.mark.parametrize("cut", [0, 1, 4095, 4096, 65_536, 65_537, 299_999])
def test_every_byte_before_a_cut_is_kept(spool: Spool, cut: int) -> None:
    with pytest.raises(ConnectionResetError):
        spool.append(UPLOAD, 0, Line(PHOTO.data, cut=cut), limit=300_000)
    assert spool.offset(UPLOAD) == cut
    spool.append(UPLOAD, cut, io.BytesIO(PHOTO.data[cut:]), limit=300_000)
    with spool.hold(UPLOAD) as held:
        assert held.sha256() == PHOTO.sha256


def test_a_prompt_line_is_never_asked_for_little(spool: Spool) -> None:
    class Prompt(Line):
        def readinto(self, buffer: memoryview) -> int:
            got = self.read(len(buffer))
            assert len(buffer) > 200_000
            buffer[: len(got)] = got
            return len(got)

    with pytest.raises(ConnectionResetError):
        spool.append(UPLOAD, 0, Prompt(PHOTO.data, cut=299_000), limit=300_000)
    assert spool.offset(UPLOAD) == 299_000


def test_a_second_create_keeps_the_bytes(spool: Spool) -> None:
    spool.append(UPLOAD, 0, io.BytesIO(b"abc"), limit=10)
    assert spool.create(UPLOAD) == 3


@pytest.mark.parametrize("offset", [0, 2, 4])
def test_a_wrong_offset_names_the_right_one(spool: Spool, offset: int) -> None:
    spool.append(UPLOAD, 0, io.BytesIO(b"abc"), limit=10)
    with pytest.raises(OffsetMismatch) as caught:
        spool.append(UPLOAD, offset, io.BytesIO(b"def"), limit=10)
    assert caught.value.actual == 3
    assert spool.offset(UPLOAD) == 3


def test_bytes_past_the_announced_size_are_not_kept(spool: Spool) -> None:
    with pytest.raises(LimitReached) as caught:
        spool.append(UPLOAD, 0, io.BytesIO(b"abcdef"), limit=4)
    assert caught.value.offset == spool.offset(UPLOAD) == 4
    with pytest.raises(LimitReached):
        spool.append(UPLOAD, 4, io.BytesIO(b"x"), limit=4)


def test_a_checked_piece_is_kept_if_it_fits(spool: Spool) -> None:
    piece = PHOTO.data[:5000]
    digest = hashlib.sha256(piece).digest()
    assert spool.append_checked(UPLOAD, 0, io.BytesIO(piece), limit=9000, sha256=digest) == 5000


def test_a_piece_that_fails_its_checksum_leaves_nothing(spool: Spool) -> None:
    with pytest.raises(ChecksumDiffers):
        spool.append_checked(UPLOAD, 0, io.BytesIO(b"abc"), limit=9000, sha256=b"\0" * 32)
    assert spool.offset(UPLOAD) == 0


def test_a_checked_piece_that_is_cut_leaves_nothing(spool: Spool) -> None:
    digest = hashlib.sha256(PHOTO.data).digest()
    line = Line(PHOTO.data, cut=200_000)
    with pytest.raises(ConnectionResetError):
        spool.append_checked(UPLOAD, 0, line, limit=300_000, sha256=digest)
    assert spool.offset(UPLOAD) == 0


def test_a_checked_piece_has_a_largest_size(spool: Spool) -> None:
    piece = b"x" * (CHECKED_LIMIT + 1)
    digest = hashlib.sha256(piece).digest()
    with pytest.raises(PieceTooLarge):
        spool.append_checked(UPLOAD, 0, io.BytesIO(piece), limit=2**30, sha256=digest)
    with pytest.raises(LimitReached):
        spool.append_checked(
            UPLOAD, 0, io.BytesIO(b"abc"), limit=2, sha256=hashlib.sha256(b"abc").digest()
        )
    assert spool.offset(UPLOAD) == 0


def test_a_checked_piece_checks_its_offset_first(spool: Spool) -> None:
    with pytest.raises(OffsetMismatch):
        spool.append_checked(UPLOAD, 7, io.BytesIO(b"abc"), limit=10, sha256=b"\0" * 32)


def test_a_new_connection_overtakes_a_dead_one(spool: Spool) -> None:
    """The old request still waits for its line; the phone is back and goes on."""
    waiting, go_on = threading.Event(), threading.Event()

    class Dead:
        def __init__(self) -> None:
            self.bits = [b"ghi", b"def"]

        def read(self, size: int, /) -> bytes:
            waiting.set()
            go_on.wait(10)
            return self.bits.pop()

    failures: list[BaseException] = []

    def old() -> None:
        try:
            spool.append(UPLOAD, 3, Dead(), limit=9)
        except (OffsetMismatch, IndexError) as exc:
            failures.append(exc)

    spool.append(UPLOAD, 0, io.BytesIO(b"abc"), limit=9)
    thread = threading.Thread(target=old)
    thread.start()
    waiting.wait(10)
    assert spool.append(UPLOAD, 3, io.BytesIO(b"defghi"), limit=9) == 9
    go_on.set()
    thread.join()
    assert isinstance(failures[0], OffsetMismatch)
    with spool.hold(UPLOAD) as held:
        assert held.path.read_bytes() == b"abcdefghi"


def test_a_held_upload_is_locked_for_others(spool: Spool) -> None:
    with spool.hold(UPLOAD):
        for attempt in (
            lambda: spool.append(UPLOAD, 0, io.BytesIO(b"abc"), limit=10),
            lambda: spool.remove(UPLOAD),
        ):
            with pytest.raises(Locked):
                attempt()
        assert spool.offset(UPLOAD) == 0
    assert spool.append(UPLOAD, 0, io.BytesIO(b"abc"), limit=10) == 3


def _append_all(root: Path, results: multiprocessing.SimpleQueue[str]) -> None:
    spool = Spool(root, reserve=0)
    at = 0
    while at < len(PHOTO.data):
        piece = PHOTO.data[at : at + 1000]
        try:
            at = spool.append(UPLOAD, at, io.BytesIO(piece), limit=len(PHOTO.data))
        except OffsetMismatch as exc:
            at = exc.actual
    results.put("done")


def test_four_processes_at_one_upload_write_each_byte_once(spool: Spool, tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    results: multiprocessing.SimpleQueue[str] = context.SimpleQueue()
    workers = [
        context.Process(target=_append_all, args=(tmp_path / "spool", results)) for _ in range(4)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [results.get() for _ in workers] == ["done"] * 4
    with spool.hold(UPLOAD) as held:
        assert held.sha256() == PHOTO.sha256


def test_a_killed_process_leaves_a_usable_upload(spool: Spool, tmp_path: Path) -> None:
    child = os.fork()
    if child == 0:
        with Spool(tmp_path / "spool", reserve=0).hold(UPLOAD) as held:
            os.write(held.descriptor, b"abc")
            os._exit(9)
    os.waitpid(child, 0)
    assert spool.append(UPLOAD, 3, io.BytesIO(b"def"), limit=6) == 6


def test_restart_forgets_the_bytes_and_remove_the_upload(spool: Spool) -> None:
    spool.append(UPLOAD, 0, io.BytesIO(b"abc"), limit=10)
    with spool.hold(UPLOAD) as held:
        held.restart()
        assert (held.size, spool.offset(UPLOAD)) == (0, 0)
        held.remove()
    for attempt in (lambda: spool.offset(UPLOAD), lambda: spool.remove(UPLOAD)):
        with pytest.raises(UploadMissing):
            attempt()
    with pytest.raises(UploadMissing):
        spool.append(UPLOAD, 0, io.BytesIO(b"abc"), limit=10)


def test_a_file_that_the_store_keeps_is_never_written_again(spool: Spool, tmp_path: Path) -> None:
    spool.append(UPLOAD, 0, io.BytesIO(b"abc"), limit=3)
    evidence = tmp_path / "evidence"
    with spool.hold(UPLOAD) as held:
        evidence.hardlink_to(held.path)
    with pytest.raises(LimitReached):
        spool.append(UPLOAD, 3, io.BytesIO(b"def"), limit=6)
    with spool.hold(UPLOAD) as held:
        held.restart()
    assert spool.append(UPLOAD, 0, io.BytesIO(b"other"), limit=6) == 5
    assert (evidence.read_bytes(), held.path.read_bytes()) == (b"abc", b"other")


@pytest.mark.parametrize("is_begun_anew", [True, False])
def test_who_waited_gets_the_upload_as_it_is_then(
    spool: Spool, tmp_path: Path, *, is_begun_anew: bool
) -> None:
    patient = Spool(tmp_path / "spool", reserve=0, lock_wait_s=10)
    found: list[int | None] = []

    def wait() -> None:
        try:
            with patient.hold(UPLOAD) as held:
                found.append(held.size)
        except UploadMissing:
            found.append(None)

    spool.append(UPLOAD, 0, io.BytesIO(b"abc"), limit=9)
    with spool.hold(UPLOAD) as held:
        waiter = threading.Thread(target=wait)
        waiter.start()
        waiter.join(0.05)
        (held.restart if is_begun_anew else held.remove)()
        if is_begun_anew:
            with pytest.raises(Locked):
                spool.remove(UPLOAD)
    waiter.join()
    assert found == [0 if is_begun_anew else None]


def test_the_reserve_of_the_disk_is_left_alone(tmp_path: Path) -> None:
    Spool(tmp_path, reserve=0).create(UPLOAD)
    full = Spool(tmp_path, reserve=2**62)
    with pytest.raises(SpoolFull):
        full.append(UPLOAD, 0, io.BytesIO(b"abc"), limit=3)
    with pytest.raises(SpoolFull):
        full.create("ab" * 16)
    assert full.offset(UPLOAD) == 0


@pytest.mark.parametrize("name", ["", "..", "../x", "AB" * 16, "a/b" * 8, "x" * 32, "ab" * 33])
def test_an_upload_id_is_hex(spool: Spool, name: str) -> None:
    for attempt in (spool.create, spool.offset, spool.remove):
        with pytest.raises(UploadIdRefused):
            attempt(name)


def test_expired_lists_the_quiet_uploads(spool: Spool, tmp_path: Path) -> None:
    quiet = "ab" * 16
    spool.create(quiet)
    week_ago = (datetime.now(UTC) - timedelta(days=7)).timestamp()
    os.utime(tmp_path / "spool" / "uploads" / quiet, (week_ago, week_ago))
    day_ago = datetime.now(UTC) - timedelta(days=1)
    assert [file.upload_id for file in spool.expired(day_ago)] == [quiet]
    assert {file.upload_id for file in spool.files()} == {quiet, UPLOAD}


def test_a_whole_body_lives_as_long_as_its_context(spool: Spool) -> None:
    with spool.take(io.BytesIO(PHOTO.data), limit=300_000) as received:
        assert (received.size, received.sha256) == (300_000, PHOTO.sha256)
        assert received.path.read_bytes() == PHOTO.data
    assert not received.path.exists()


def test_a_whole_body_has_a_limit_and_a_cut_keeps_nothing(spool: Spool, tmp_path: Path) -> None:
    with pytest.raises(LimitReached), spool.take(io.BytesIO(b"abcd"), limit=3):
        pass
    with pytest.raises(ConnectionResetError), spool.take(Line(b"abcd", cut=2), limit=9):
        pass
    assert list((tmp_path / "spool" / "received").iterdir()) == []


def test_bodies_left_by_a_crash_are_cleared(spool: Spool, tmp_path: Path) -> None:
    (tmp_path / "spool" / "received" / "tmpleft").write_bytes(b"abc")
    now = datetime.now(UTC)
    assert spool.clear_received(now - timedelta(hours=1)) == 0
    assert spool.clear_received(now + timedelta(hours=1)) == 1
