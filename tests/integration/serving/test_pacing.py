"""Slow and silent connections: they wait, others do not."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from gunicorn.http.body import LengthReader
from gunicorn.http.unreader import SocketUnreader

from fieldapi import pacing
from fieldapi.pacing import PacedSocket, PromptBody
from fieldapi.problems import Unavailable
from tests.support.server import Server

HEAD = b"POST /api/v1/devices HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
BODY = HEAD + b"Content-Length: 5000\r\n\r\n"
SECONDS = 8


@contextmanager
def _many(server: Server, count: int, said: bytes) -> Iterator[list[socket.socket]]:
    with ExitStack() as stack:
        yield [stack.enter_context(_line(server, said)) for _ in range(count)]


def _line(server: Server, said: bytes) -> socket.socket:
    wire = socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS)
    wire.sendall(said)
    return wire


@pytest.mark.parametrize(
    "said", [BODY + b'{"code": ', HEAD[:40], b""], ids=["body", "head", "none"]
)
def test_others_are_answered_while_many_say_nothing_more(server: Server, said: bytes) -> None:
    with _many(server, 40, said):
        time.sleep(0.3)
        began = time.monotonic()
        status, _, _ = server.ask("GET", "/healthz")

    assert (status, time.monotonic() - began < SECONDS) == (200, True)


def test_body_too_many_are_waited_for_gets_503(server: Server) -> None:
    with _many(server, 12, BODY + b"{"):
        time.sleep(0.3)
        with _line(server, BODY + b"{") as late:
            answer = late.recv(65536)

    assert answer.startswith(b"HTTP/1.1 503 ")
    assert b"Retry-After: 10\r\n" in answer


@pytest.fixture
def ends() -> Iterator[tuple[PacedSocket, socket.socket]]:
    """Both ends of a connection: the server's, and the other."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        other = socket.create_connection(listener.getsockname())
        plain, _ = listener.accept()
        with other, PacedSocket.of(plain, threading.Semaphore(1)) as paced:
            paced.start_clock()
            yield paced, other


def test_silence_is_hung_up_on(
    ends: tuple[PacedSocket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pacing, "SILENCE_S", 0.05)

    with pytest.raises(ConnectionResetError):
        ends[0].recv(10)
    assert ends[0].waiting.acquire(blocking=False)


def test_byte_at_a_time_ends_with_the_grace(
    ends: tuple[PacedSocket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pacing, "GRACE_S", 0.2)
    paced, other = ends
    paced.start_clock()

    drip = threading.Thread(target=_drip, args=(other,))
    drip.start()
    with pytest.raises(ConnectionResetError):
        b"".join(iter(lambda: paced.recv(1), b""))
    drip.join()


def _drip(other: socket.socket) -> None:
    """Send a byte now and then, for longer than the grace."""
    for _ in range(20):
        other.sendall(b".")
        time.sleep(0.03)


def test_what_was_sent_is_read_before_anybody_waits(
    ends: tuple[PacedSocket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pacing, "_TURN_S", 0.05)
    paced, other = ends
    assert paced.waiting.acquire(blocking=False)
    other.sendall(b"ready")
    time.sleep(0.05)

    assert paced.recv(10) == b"ready"
    with pytest.raises(Unavailable):
        paced.recv(10)


def test_how_long_a_request_waited_for_its_thread_is_known(
    ends: tuple[PacedSocket, socket.socket],
) -> None:
    paced, _ = ends
    paced.queued_at = time.monotonic() - 11

    paced.start_clock()

    assert 11 <= paced.waited_s < 12


def _body(paced: PacedSocket, *, with_head: bytes, length: int) -> PromptBody:
    unreader = SocketUnreader(paced)
    unreader.unread(with_head)
    return PromptBody(LengthReader(unreader, length))


def _given(body: PromptBody, size: int = 100) -> bytes:
    buffer = bytearray(size)
    return bytes(buffer[: body.readinto(buffer)])


def test_body_gives_what_is_there_and_not_a_byte_of_the_next_request(
    ends: tuple[PacedSocket, socket.socket],
) -> None:
    paced, other = ends
    body = _body(paced, with_head=b"abc", length=9)
    other.sendall(b"defg")

    came = [_given(body, 2), _given(body), _given(body, 1)]
    other.sendall(b"hiGET /")
    came += [_given(body), _given(body)]

    assert came == [b"ab", b"c", b"d", b"efghi", b""]
    assert (paced.recv(100), body.failed) == (b"GET /", False)


def test_body_that_came_with_its_head_leaves_the_next_request_as_well(
    ends: tuple[PacedSocket, socket.socket],
) -> None:
    body = _body(ends[0], with_head=b"abcGET /", length=3)

    assert [body.read(1), _given(body), _given(body), body.read(5)] == [b"a", b"bc", b"", b""]
    assert body.reader.unreader.take_buffered() == b"GET /"


def test_connection_whose_body_broke_is_not_used_again(
    ends: tuple[PacedSocket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pacing, "SILENCE_S", 0.05)
    body = _body(ends[0], with_head=b"", length=9)

    with pytest.raises(ConnectionResetError):
        _given(body)
    assert body.failed
