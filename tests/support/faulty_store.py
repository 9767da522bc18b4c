"""An S3 that fails as it is told: a proxy on the loopback in front of a real one.

with faulty_store(server.endpoint) as store:
    store.fault = "500"
"""

from __future__ import annotations

import http.client
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast
from urllib.parse import urlsplit

FAULTS = ("hang", "500", "503", "reset", "lost", "flipped")
_CODES = {"403": "AccessDenied", "500": "InternalError", "503": "SlowDown"}
_AT_ONCE = struct.pack("ii", 1, 0)  # SO_LINGER of 0 seconds: close sends a reset
_NOT_CARRIED = frozenset({"connection", "transfer-encoding"})


class FaultyStore:
    """`fault`: what befalls every request from now on, None for nothing. `asked`: how many came;
    `named`: the ids under which they came.

    `hang`: no answer; `500`, `503`, `403`: that answer; `reset`: the line breaks within a body;
    `lost`: a PUT is answered well and comes to nothing; `flipped`: a GET comes with one bit
    changed.
    """

    def __init__(self, target: str) -> None:
        self.fault: str | None = None
        self.asked = 0
        self.named: list[str | None] = []
        self.target = urlsplit(target)
        self._server = _Server(self)

    @property
    def endpoint(self) -> str:
        """Return where clients connect to."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def serve(self) -> None:
        """Answer until closed."""
        self._server.serve_forever(poll_interval=0.05)

    def close(self) -> None:
        """Answer nobody any more."""
        self.fault = None
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, store: FaultyStore) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.store = store

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of clients that were killed."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body are two writes: the second one would wait 40 ms for word of the first.
    disable_nagle_algorithm = True

    @property
    def _store(self) -> FaultyStore:
        return cast("_Server", self.server).store

    def _carry(self) -> None:
        self._store.asked += 1
        self._store.named.append(self.headers.get("X-Request-Id"))
        fault = self._store.fault
        if fault == "hang":
            self._hang()
        elif fault in _CODES:
            self._refuse(int(fault), _CODES[fault])
        elif fault == "lost" and self.command == "PUT":
            self._body()
            self._answer(200, {"ETag": '"0"'}, b"")
        elif fault == "reset" and self.command == "PUT":
            self.rfile.read(int(self.headers.get("Content-Length", "0")) // 2)
            self._reset()
        else:
            self._pass_on(fault)

    do_GET = do_PUT = do_HEAD = do_DELETE = do_POST = _carry  # noqa: N815 - http.server's names

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", "0")))

    def _pass_on(self, fault: str | None) -> None:
        there = http.client.HTTPConnection(self._store.target.netloc, timeout=30)
        try:
            there.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                if name.lower() not in {"connection", "expect"}:
                    there.putheader(name, value)
            there.endheaders(self._body())
            answer = there.getresponse()
            body = answer.read()
        finally:
            there.close()
        is_object = self.command == "GET" and "?" not in self.path and answer.status < 300
        if is_object and fault == "flipped" and body:
            body = bytes([body[0] ^ 1]) + body[1:]
        headers = {n: v for n, v in answer.getheaders() if n.lower() not in _NOT_CARRIED}
        self._answer(answer.status, headers, body, cut=is_object and fault == "reset")

    def _answer(
        self, status: int, headers: dict[str, str], body: bytes, *, cut: bool = False
    ) -> None:
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if not any(name.lower() == "content-length" for name in headers):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if cut else body)
        if cut:
            self._reset()

    def _refuse(self, status: int, code: str) -> None:
        self._body()
        text = f"<Error><Code>{code}</Code><Message>told to</Message></Error>"
        body = b"" if self.command == "HEAD" else text.encode()
        self._answer(status, {"Content-Type": "application/xml"}, body)

    def _hang(self) -> None:
        while self._store.fault == "hang":
            time.sleep(0.05)
        self._reset()

    def _reset(self) -> None:
        self.close_connection = True
        with suppress(OSError):
            self.wfile.flush()
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)

    def log_message(self, *_: object) -> None:
        """Say nothing: tests read what the store's client says."""


@contextmanager
def faulty_store(target: str) -> Iterator[FaultyStore]:
    """Run a proxy in front of the S3 at `target` for as long as the block lasts."""
    store = FaultyStore(target)
    thread = threading.Thread(target=store.serve, daemon=True)
    thread.start()
    try:
        yield store
    finally:
        store.close()
        thread.join()
