"""HTTP as a phone needs it: short patience, honest faults, one connection kept open.

Used by `enrolment`, `device` and `uploader`. Knows nothing of ops: a request either gets an answer
of our server or raises one of `faults`. Redirects are never followed: a captive portal sends them.
"""

from __future__ import annotations

import gzip
import http.client
import random
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import urlsplit

from sync.client import faults
from sync.client.response import BLOCK, Response, fault_of, read_response

GZIP_FROM = 1024  # bytes; below it the header costs what the coding saves
SEND_BUFFER = 1 << 16  # short: what waits in it must leave within the silence we allow the line
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True)
class Timeouts:
    """Seconds: to connect, of silence on the line, and for one request in all."""

    connect_s: float = 15.0
    idle_s: float = 30.0
    total_s: float = 300.0


@dataclass(frozen=True)
class Backoff:
    """How long to wait between tries: doubling from `first_s` up to `cap_s`, with full jitter.

    A server that asks for more than `patience_s` is taken at its word: the try ends, and the app
    comes back later.
    """

    tries: int = 5
    first_s: float = 0.5
    cap_s: float = 30.0
    patience_s: float = 60.0

    def wait_s(self, failed: int, asked_s: float | None, *, dice: float) -> float:
        """Return the seconds to wait after the `failed`-th failure. `dice`: 0 up to 1.

        >>> Backoff().wait_s(3, None, dice=0.5), Backoff().wait_s(1, 7.0, dice=0.0)
        (1.0, 7.0)
        """
        jitter = dice * min(self.first_s * float(1 << (failed - 1)), self.cap_s)
        return jitter if asked_s is None else asked_s + jitter


@dataclass(frozen=True)
class Request:
    """One request. `path`: below the server's address, from `/api`."""

    method: str
    path: str
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


def json_request(path: str, document: bytes) -> Request:
    """Return the POST of a JSON document, compressed if that pays."""
    headers = {"Content-Type": "application/json"}
    if len(document) > GZIP_FROM:
        document = gzip.compress(document, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return Request("POST", path, document, headers)


@dataclass
class Transport:
    """A line to one server, for one thread. Raises InsecureAddress for plain HTTP to another
    machine.
    """

    base_url: str
    token: str | None = field(default=None, repr=False)
    timeouts: Timeouts = field(default_factory=Timeouts)
    backoff: Backoff = field(default_factory=Backoff)
    sleep: Callable[[float], None] = time.sleep
    dice: Callable[[], float] = random.random
    _line: http.client.HTTPConnection | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        """Check the address before a token can leave by it."""
        url = urlsplit(self.base_url)
        if url.scheme != "https" and url.hostname not in LOOPBACK:
            raise faults.InsecureAddress("only https leaves this machine")

    def call(self, request: Request) -> Response:
        """Send until an answer comes, waiting longer each time. Raises a Fault."""
        failed = 0
        while True:
            try:
                return self.send(request)
            except (faults.LinkDown, faults.Busy) as fault:
                failed += 1
                self.pause(failed, fault)

    def pause(self, failed: int, fault: faults.Fault) -> None:
        """Wait before the next try, or raise the fault if this was the last one."""
        asked_s = fault.wait_s if isinstance(fault, faults.Busy) else None
        if failed >= self.backoff.tries or (asked_s or 0.0) > self.backoff.patience_s:
            raise fault
        self.sleep(self.backoff.wait_s(failed, asked_s, dice=self.dice()))

    def send(self, request: Request) -> Response:
        """Send once. Raises LinkDown, Busy, or what the server's refusal means (`faults`)."""
        try:
            response = self._exchange(request)
        except (OSError, http.client.HTTPException) as exc:
            self.close()
            raise faults.LinkDown(f"{type(exc).__name__}: {exc}") from exc
        except faults.NotOurServer:
            self.close()
            raise
        if not HTTPStatus.OK <= response.status < HTTPStatus.MULTIPLE_CHOICES:
            raise fault_of(response)
        return response

    def close(self) -> None:
        """Close the line; the next request opens a new one."""
        if self._line is not None:
            self._line.close()
            self._line = None

    def path_of(self, location: str) -> str:
        """Return the path in a `Location`, below this server. Raises NotOurServer for another's."""
        there, here = urlsplit(location), urlsplit(self.base_url)
        if there.netloc and (there.scheme, there.netloc) != (here.scheme, here.netloc):
            raise faults.NotOurServer("the upload would leave this server")
        return there.path.removeprefix(here.path.rstrip("/"))

    def _exchange(self, request: Request) -> Response:
        deadline = time.monotonic() + self.timeouts.total_s
        line = self._line or self._connect()
        path = urlsplit(self.base_url).path.rstrip("/") + request.path
        body = _blocks(request.body) if request.body else None
        line.request(request.method, path, body, self._headers(request))
        answer = line.getresponse()
        response = read_response(answer, has_body=request.method != "HEAD", deadline=deadline)
        if answer.will_close:
            self.close()
        return response

    def _headers(self, request: Request) -> dict[str, str]:
        headers = {"Accept": "application/json", "Accept-Encoding": "gzip", **request.headers}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if request.body or request.method in {"POST", "PUT", "PATCH"}:
            headers["Content-Length"] = str(len(request.body))
        return headers

    def _connect(self) -> http.client.HTTPConnection:
        url, wait_s = urlsplit(self.base_url), self.timeouts.connect_s
        host = url.hostname or ""
        if url.scheme == "https":
            context = ssl.create_default_context()
            line: http.client.HTTPConnection = http.client.HTTPSConnection(
                host, url.port, timeout=wait_s, context=context
            )
        else:
            line = http.client.HTTPConnection(host, url.port, timeout=wait_s)
        line.connect()
        line.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        line.sock.settimeout(self.timeouts.idle_s)
        self._line = line
        return line


def _blocks(body: bytes) -> Iterator[bytes]:
    """Yield the body in pieces: the line's patience is per piece, not for all of it."""
    for start in range(0, len(body), BLOCK):
        yield body[start : start + BLOCK]
