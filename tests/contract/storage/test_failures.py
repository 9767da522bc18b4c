"""How stores fail: by name, in bounded time, and never by half an object."""

from __future__ import annotations

import errno
import io
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from fieldapi.storage import (
    ObjectMissing,
    Storage,
    StorageDenied,
    StorageUnavailable,
    chunks,
    disk,
    open_storage,
)
from tests.contract.storage.conftest import Bytes
from tests.support.s3 import S3Server

ITEM = Bytes(1)


@contextmanager
def answering(data: bytes) -> Iterator[str]:
    """Serve the same bytes to every connection, then hang up."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=_answer, args=(server, data), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
        thread.join(timeout=5)


def _answer(server: socket.socket, data: bytes) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        with connection:
            connection.recv(65536)
            connection.sendall(data)


def s3(endpoint: str, folder: Path) -> Storage:
    environ = {"AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s"}
    return open_storage(f"s3://bucket/?endpoint={endpoint}", folder, environ=environ)


def test_wrong_credentials_are_denied(s3_server: S3Server, tmp_path: Path) -> None:
    wrong = replace(s3_server, secret="not-the-secret")
    store = open_storage(wrong.url("b", create=False), tmp_path, environ=wrong.environ)
    for attempt in (store.probe, lambda: store.stat(ITEM.key), lambda: list(store.list(""))):
        with pytest.raises(StorageDenied):
            attempt()


def test_a_bucket_is_made_only_where_the_url_says_so(s3_server: S3Server, tmp_path: Path) -> None:
    url = s3_server.url("absent", create=False)
    store = open_storage(url, tmp_path, environ=s3_server.environ)
    with pytest.raises(StorageUnavailable):
        store.probe()
    with pytest.raises(StorageUnavailable):
        store.put(ITEM.key, io.BytesIO(ITEM.data), 1000)


def test_a_store_that_is_gone_is_unavailable(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        endpoint = f"http://127.0.0.1:{server.getsockname()[1]}"
    with pytest.raises(StorageUnavailable):
        s3(endpoint, tmp_path).probe()


@pytest.mark.parametrize("status", ["500 Oops", "503 Slow Down", "507 Full"])
def test_a_failing_store_is_unavailable(tmp_path: Path, status: str) -> None:
    answer = f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()
    with answering(answer) as endpoint, pytest.raises(StorageUnavailable):
        s3(endpoint, tmp_path).probe()


def test_a_body_that_ends_early_is_not_taken_for_whole(tmp_path: Path) -> None:
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n" + b"x" * 600
    with (
        answering(answer) as endpoint,
        s3(endpoint, tmp_path).open(ITEM.key) as stream,
        pytest.raises(StorageUnavailable),
    ):
        stream.read()


def test_a_child_process_gets_its_own_connections(s3_server: S3Server, tmp_path: Path) -> None:
    store = open_storage(s3_server.url("forked"), tmp_path, environ=s3_server.environ)
    store.put(ITEM.key, io.BytesIO(ITEM.data), 1000)
    child = os.fork()
    if child == 0:
        found = store.stat(ITEM.key)
        os._exit(0 if found is not None and found.size == 1000 else 1)
    assert store.stat(ITEM.key) is not None
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_folder_that_cannot_be_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "photos").write_text("a file where the folder should be")
    store = open_storage("", tmp_path)
    with pytest.raises(StorageUnavailable):
        store.probe()
    with pytest.raises(StorageUnavailable):
        store.put(ITEM.key, io.BytesIO(ITEM.data), 1000)


def test_a_file_that_shrinks_is_not_taken_for_whole(tmp_path: Path) -> None:
    store = open_storage("", tmp_path)
    store.put(ITEM.key, io.BytesIO(ITEM.data), 1000)
    with store.open(ITEM.key) as stream:
        os.truncate(tmp_path / "photos" / ITEM.key, 600)
        with pytest.raises(StorageUnavailable):
            stream.read()


@pytest.mark.parametrize("is_final", [False, True])
def test_a_crash_amid_a_put_leaves_no_object(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_final: bool
) -> None:
    store = open_storage("", tmp_path)
    monkeypatch.setattr(os, "fsync", _crash)
    with pytest.raises(StorageUnavailable):
        store.put(ITEM.key, ITEM.file(tmp_path), 1000, is_final=is_final)
    monkeypatch.undo()
    with pytest.raises(ObjectMissing):
        store.open(ITEM.key)
    assert list(store.list("")) == []


def _crash(_: int) -> None:
    raise OSError(5, "Input/output error")


@pytest.mark.parametrize(
    "url",
    [
        *("ftp://x/y", "photos", "s3:", "s3:///p", "s3://key:secret@bucket/p", "s3://host:80/p"),
        *("s3://bucket/?endpont=http://x", "s3://bucket/?secret=x"),
    ],
)
def test_a_url_that_names_no_store_is_refused(tmp_path: Path, url: str) -> None:
    environ = {"AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s"}
    with pytest.raises(ValueError, match=r"URL"):
        open_storage(url, tmp_path, environ=environ)


def test_missing_credentials_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="AWS_SECRET_ACCESS_KEY"):
        open_storage("s3://bucket/", tmp_path, environ={"AWS_ACCESS_KEY_ID": "k"})


def test_a_final_file_on_the_same_disk_is_not_copied(tmp_path: Path) -> None:
    store, source = open_storage("", tmp_path), ITEM.file(tmp_path)
    assert store.put(ITEM.key, source, 1000, is_final=True)
    assert (tmp_path / "photos" / ITEM.key).samefile(source)


def test_a_copy_is_not_taken_for_the_file_itself(tmp_path: Path) -> None:
    store, source = open_storage("", tmp_path), ITEM.file(tmp_path)
    assert not store.put(ITEM.key, source, 1000)
    assert not store.put(ITEM.key, source, 1000, is_final=True)


def test_who_finds_the_object_there_does_not_trust_that_its_name_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, source = open_storage("", tmp_path), ITEM.file(tmp_path)
    store.put(ITEM.key, source, 1000, is_final=True)
    kept: list[Path] = []
    monkeypatch.setattr(disk, "sync_folder", kept.append)
    assert store.put(ITEM.key, source, 1000, is_final=True)
    assert kept == [(tmp_path / "photos" / ITEM.key).parent]


@pytest.mark.parametrize("fault", [errno.EXDEV, errno.EPERM])
def test_a_disk_that_cannot_link_gets_a_copy_and_leaves_the_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: int
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(fault, "no links here")

    store, source = open_storage("", tmp_path), ITEM.file(tmp_path)
    monkeypatch.setattr(Path, "hardlink_to", refuse)
    assert not store.put(ITEM.key, source, 1000, is_final=True)
    assert b"".join(chunks(store.open(ITEM.key))) == source.read_bytes() == ITEM.data
