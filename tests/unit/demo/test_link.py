"""The demo's network: what it carried before it broke has arrived, and off means off."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

import pytest

from fieldapi.demo.link import Link


class Listener:
    """A server that reads each line to its end and answers how much it got."""

    def __init__(self) -> None:
        self.got: list[int] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        try:
            while True:
                line, _ = self._listener.accept()
                with line:
                    self._answer(line)
        except OSError:
            return

    def _answer(self, line: socket.socket) -> None:
        self.got.append(sum(map(len, iter(lambda: line.recv(65536), b""))))
        try:
            line.sendall(b"%d" % self.got[-1])
        except OSError:
            return

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.thread.join(10)


@pytest.fixture
def listener() -> Iterator[Listener]:
    listening = Listener()
    yield listening
    listening.close()


@pytest.fixture
def link(listener: Listener) -> Iterator[Link]:
    with Link(listener.port) as opened:
        yield opened


def send(link: Link, size: int) -> bytes:
    """Send bytes, then the end, and return the answer."""
    with socket.create_connection(("127.0.0.1", urlsplit(link.url).port), timeout=10) as line:
        line.sendall(b"x" * size)
        line.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: line.recv(65536), b""))


def test_a_link_carries_both_ways(link: Link) -> None:
    assert send(link, 1_000_000) == b"1000000"
    assert link.breaks == 0


def test_a_link_breaks_once_at_the_byte(link: Link, listener: Listener) -> None:
    link.break_after(300_001)
    # A line that breaks is told as a reset, as an end, or by the socket being none any more.
    with suppress(OSError):
        assert send(link, 1_000_000) == b""

    assert send(link, 1_000_000) == b"1000000"
    assert (link.breaks, listener.got) == (1, [300_001, 1_000_000])


def test_a_link_that_is_off_reaches_nobody(link: Link, listener: Listener) -> None:
    link.switch_off()
    with pytest.raises(ConnectionError):
        send(link, 100)
    link.switch_on()

    assert send(link, 100) == b"100"
    assert listener.got[-1] == 100


def test_switching_off_breaks_the_line_that_is_open(link: Link) -> None:
    with socket.create_connection(("127.0.0.1", urlsplit(link.url).port), timeout=10) as line:
        line.sendall(b"begun")
        link.switch_off()
        with pytest.raises(ConnectionError):
            line.recv(1)
