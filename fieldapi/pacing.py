"""Keeps slow and silent connections from taking every thread: a gthread worker with patience.

A thread is given to a connection only once it has said something; whoever then stops speaking, or
speaks a byte at a time, is hung up on; and a few threads never wait for anybody, so that short
requests are answered while long ones crawl in. It also tells how long each request had waited for a
thread: `api.crowding` turns late ones away. Used by `serving`; knows nothing of Flask.
"""

from __future__ import annotations

import errno
import select
import socket
import threading
import time
from functools import partial
from selectors import EVENT_READ
from typing import TYPE_CHECKING

import structlog
from gunicorn.http.body import Body, LengthReader
from gunicorn.http.message import Request
from gunicorn.workers.gthread import TConn, ThreadWorker

from fieldapi.problems import Unavailable

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

SILENCE_S = 45.0
GRACE_S = 60.0
SLOWEST_BYTES_S = 128
# Of 16 threads, how many may be waiting for bytes at the same moment.
WAITING_SHARE = 0.75
_TURN_S = 0.2
_RETRY_S = 10
_LEAVE_S = 1.0
_DRAIN_BYTES = 65536
_UNREAD_ANSWER_MS = 60_000
log = structlog.get_logger(__name__)


class PacedSocket(socket.socket):
    """A connection whose `recv` waits `SILENCE_S` at most, and for `GRACE_S` in all besides what
    its bytes have earned at `SLOWEST_BYTES_S`. `waiting`: the places of those who wait for
    bytes. `queued_at`, `waited_s`: since when the request at hand wanted a thread, and how long.
    """

    waiting: threading.Semaphore
    queued_at = 0.0
    waited_s = 0.0
    _until = 0.0
    _has_spoken = False
    _is_given_up = False

    @classmethod
    def of(cls, plain: socket.socket, waiting: threading.Semaphore) -> PacedSocket:
        """Return `plain`'s connection as a paced one; `plain` is closed for its owner."""
        paced = cls(plain.family, plain.type, plain.proto, fileno=plain.detach())
        paced.waiting = waiting
        # An answer that nobody takes off the line ends as well.
        paced.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNREAD_ANSWER_MS)
        return paced

    def start_clock(self) -> None:
        """Start the clock of one request, which has a thread now."""
        now = time.monotonic()
        self._until = now + GRACE_S
        self.waited_s = now - (self.queued_at or now)
        self._has_spoken = False

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        """Return what came. Raises `ConnectionResetError` for a line given up on, `Unavailable`
        while too many others are being waited for.
        """
        self._await_bytes()
        data = super().recv(size, flags)
        self._note(len(data))
        return data

    def recv_into(self, buffer: WriteableBuffer, nbytes: int = 0, flags: int = 0) -> int:
        """Put what came into `buffer` and return how much it was, as `recv` does."""
        self._await_bytes()
        size = super().recv_into(buffer, nbytes, flags)
        self._note(size)
        return size

    def take_leave(self) -> None:
        """Say that no more is said, and wait for the other side to hang up: hung up on while it
        speaks, it would not read the answer. Then whoever closes need not wait.
        """
        if not self._is_given_up and self.waiting.acquire(blocking=False):
            end = time.monotonic() + _LEAVE_S
            try:
                self.shutdown(socket.SHUT_WR)
                while self._is_readable(end - time.monotonic()) and super().recv(_DRAIN_BYTES):
                    pass
            except OSError:
                log.debug("hung up first")
            finally:
                self.waiting.release()
        self._is_given_up = True

    def _await_bytes(self) -> None:
        if self._is_given_up:
            raise ConnectionResetError(errno.ECONNRESET, "given up")
        if not self._is_readable(0):
            self._wait()

    def _note(self, size: int) -> None:
        self._until += size / SLOWEST_BYTES_S
        self._has_spoken = True

    def _wait(self) -> None:
        limit = self.gettimeout()
        if limit is not None:
            # What nobody will read any more is drained, and not for long.
            if not self._is_readable(min(limit, _LEAVE_S)):
                raise TimeoutError
        elif not self.waiting.acquire(timeout=_TURN_S):
            raise self._busy()
        else:
            self._wait_in_place()

    def _wait_in_place(self) -> None:
        try:
            if not self._is_readable(min(SILENCE_S, self._until - time.monotonic())):
                self._is_given_up = True
                raise ConnectionResetError(errno.ECONNRESET, "nothing came in time")
        finally:
            self.waiting.release()

    def _busy(self) -> Exception:
        """Return what is raised: before a whole head there is nobody who could be answered."""
        self._is_given_up = True
        if self._has_spoken:
            return Unavailable("Many slow connections are sending at once.", retry_after=_RETRY_S)
        return ConnectionResetError(errno.ECONNRESET, "too many are waited for")

    def _is_readable(self, within_s: float) -> bool:
        poll = select.poll()
        poll.register(self, select.POLLIN)
        return bool(poll.poll(max(0.0, within_s) * 1000))


class PromptBody(Body):
    """A body of known length that gives what is there, straight off the connection. The other kind
    waits for all that was asked for and copies what it read ahead with every read: photos came in
    at a twentieth of the speed of the line.
    """

    is_prompt = True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Fill the front of `buffer` with what came, and return how much: 0 at the end or a cut."""
        view = memoryview(buffer)[: self.buf.tell() + self.reader.length]
        try:
            return self._held_into(view) or self._line_into(view)
        except BaseException:
            self.failed = True
            raise

    def _held_into(self, view: memoryview) -> int:
        """Take what was read already: with the head of the request, or by `read`."""
        if held := self.buf.tell():
            data = self.read(min(held, len(view)))
        else:
            data = self.reader.read(min(self.reader.unreader.buf.tell(), len(view)))
        view[: len(data)] = data
        return len(data)

    def _line_into(self, view: memoryview) -> int:
        size = self.reader.unreader.sock.recv_into(view) if view else 0
        self.reader.length -= size
        return size


class PacedWorker(ThreadWorker):
    """Threads for those who have something to say."""

    def init_process(self) -> None:
        """Make the places, one set for each process."""
        self._waiting = threading.Semaphore(max(1, int(self.cfg.threads * WAITING_SHARE)))
        super().init_process()

    def enqueue_req(self, conn: TConn) -> None:
        """Hand a connection to a thread; a new one once its first bytes are here."""
        if isinstance(conn.sock, PacedSocket):
            conn.sock.queued_at = time.monotonic()
            super().enqueue_req(conn)
            return
        conn.sock = PacedSocket.of(conn.sock, self._waiting)
        conn.sock.setblocking(False)
        conn.set_timeout()
        self.pending_conns.append(conn)
        ready = partial(self.on_pending_socket_readable, conn)
        self.poller.register(conn.sock, EVENT_READ, ready)

    def handle(self, conn: TConn) -> object:
        """Answer one request of a connection, its clock set anew.

        What this thread's last request was about is forgotten first: a line of the log about what
        cannot be read is about nobody.
        """
        structlog.contextvars.clear_contextvars()
        conn.sock.start_clock()
        is_kept = super().handle(conn)
        if not is_kept:
            conn.sock.take_leave()
        return is_kept

    def handle_request(self, req: Request, conn: TConn) -> object:
        """Answer a request whose head is read."""
        if isinstance(req.body.reader, LengthReader):
            req.body = PromptBody(req.body.reader)
        return super().handle_request(req, conn)
