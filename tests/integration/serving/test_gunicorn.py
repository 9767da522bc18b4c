"""What only a real server shows: real sockets, signals, chunks, processes."""

from __future__ import annotations

import json
import socket
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fieldapi import limits
from fieldapi.serving import Listen, require_private, workers_of
from fieldapi.settings import Settings, SettingsError
from tests.support.server import Server, serving

WORLD = "0.0.0.0"  # noqa: S104 - never listened on here
DEVICES = "/api/v1/devices"


@pytest.mark.database
def test_server_becomes_ready_counts_over_processes_and_ends_when_told(settings: Settings) -> None:
    with serving(settings, workers=2) as server:
        ready, headers, _ = server.ask("GET", "/readyz")
        for _ in range(20):
            server.ask("GET", "/healthz")
        _, _, numbers = server.ask("GET", "/metrics")
        beside = _beside_the_database(settings)
        code = server.stop()

    assert (ready, headers["Content-Type"], code) == (200, "application/json", 0)
    assert b'fieldapi_requests_total{method="GET",route="/healthz",status="200"} 20.0' in numbers
    assert all(line.keys() >= {"event", "level", "at", "at_ist"} for line in server.lines)
    assert set(beside.values()) <= {0o600}
    assert not _beside_the_database(settings).keys() & {"-wal", "-shm"}


def _beside_the_database(settings: Settings) -> dict[str, int]:
    """Return the embedded database's file ("") and those beside it by their ends, with modes."""
    path = Path(settings.database_url.removeprefix("sqlite:///"))
    files = path.parent.glob(f"{path.name}*") if settings.is_sqlite else ()
    return {one.name.removeprefix(path.name): stat.S_IMODE(one.stat().st_mode) for one in files}


def _raw(server: Server, *pieces: bytes, pause_s: float = 0.0) -> bytes:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as wire:
        for piece in pieces:
            wire.sendall(piece)
            time.sleep(pause_s)
        wire.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: wire.recv(65536), b""))


_HEAD = b"POST /api/v1/devices HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def test_body_in_chunks_over_the_limit_is_413(server: Server) -> None:
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    many = chunk * (limits.JSON_BYTES // 0x10000 + 1)
    head = _HEAD + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    answer = _raw(server, head, many, b"0\r\n\r\n")

    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"urn:fieldapi:problem:too-large" in answer


def test_request_that_cannot_be_read_is_told_of_nobody_in_the_log(server: Server) -> None:
    for _ in range(3):
        server.ask("GET", "/api/v1/limits")
    answer = _raw(server, b"GET /enrol/ABCD-2345 HTTP/1.1\r\nAuthorization : csd1_x\r\n\r\n")
    told = _unreadable(server, "Invalid request: Invalid HTTP header name")
    everything = json.dumps(server.lines)

    assert answer.startswith(b"HTTP/1.1 400 ")
    assert told
    assert not any({"route", "request_id", "person_id"} & line.keys() for line in told)
    assert not any(secret in everything for secret in ("ABCD-2345", "csd1_x"))


def _unreadable(server: Server, event: str) -> list[dict[str, Any]]:
    """Return the lines of the log that say so; they come when they come."""
    until = time.monotonic() + 10
    while not (told := [line for line in server.lines if line["event"] == event]):
        if time.monotonic() > until:
            break
        time.sleep(0.02)
    return told


@pytest.mark.parametrize(
    "chunks", [b"ZZ\r\nfoo\r\n", b"-5\r\nfoo", b"3\r\nfooXX0\r\n\r\n", b"5\r\nab"]
)
def test_chunks_that_are_none_are_400(server: Server, chunks: bytes) -> None:
    head = _HEAD + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"

    answer = _raw(server, head, chunks)

    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"urn:fieldapi:problem:" in answer


FRAMINGS = (
    b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
    b"Content-Length: 2\r\nContent-Length: 3\r\n",
    b"Transfer-Encoding: xchunked\r\n",
    b"Content-Length: +2\r\n",
)


def test_body_that_two_programs_could_frame_differently_is_refused(server: Server) -> None:
    answers = [_raw(server, _HEAD + framing + b"\r\n{}") for framing in FRAMINGS]

    assert {answer.split(b" ", 2)[1] for answer in answers} <= {b"400", b"501"}


def test_request_under_way_is_answered_before_the_server_ends(settings: Settings) -> None:
    head = _HEAD + b"Content-Length: 4\r\nConnection: close\r\n\r\n"
    with serving(settings) as server, ThreadPoolExecutor(1) as pool:
        slow = pool.submit(_raw, server, head + b"{", b"", b" } ", pause_s=0.5)
        time.sleep(0.3)
        code = server.stop()

    assert code == 0
    assert slow.result().startswith(b"HTTP/1.1 422 ")


def test_log_of_a_server_holds_no_path_and_no_code(settings: Settings) -> None:
    with serving(settings) as server:
        server.ask("GET", "/enrol/ABCD-2345")
        server.ask("POST", DEVICES, body='{"code": "ABCD-2345"}', **{"Content-Type": "text/plain"})
        server.stop()
    requests = [line for line in server.lines if line["event"] == "request"]

    assert [line["status"] for line in requests[-2:]] == [200, 415]
    assert "ABCD-2345" not in json.dumps(server.lines)


def test_plain_http_to_the_world_is_refused(settings: Settings) -> None:
    plain = replace(settings, is_testing=False)

    with pytest.raises(SettingsError, match="TLS"):
        require_private(plain, WORLD)
    require_private(plain, "127.0.0.1")
    require_private(replace(plain, public_url="https://cattle.example"), WORLD)


def test_embedded_database_has_two_processes_where_there_are_cores(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for cores, wanted in ((1, 1), (2, 2), (16, 2)):
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        assert workers_of(settings, Listen()) == wanted
    assert workers_of(settings, Listen(workers=1)) == 1
