"""The mobile network of the demo: a relay on loopback between the phone and the server that can be
switched off, and that breaks once after a number of bytes. Carries TCP and understands none of it.
"""

from __future__ import annotations

import socket
import struct
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self

LOOPBACK = "127.0.0.1"
_BLOCK = 1 << 14
_AT_ONCE = struct.pack("ii", 1, 0)  # SO_LINGER of 0 seconds: closing resets the connection

Line = tuple[socket.socket, socket.socket]  # the phone's end, the server's end


class Link:
    """Carries while the block lasts. `breaks`: how many lines were broken as ordered."""

    def __init__(self, server_port: int) -> None:
        self._server_port = server_port
        self._listener = socket.create_server((LOOPBACK, 0))
        self._turn = threading.Lock()
        self._lines: set[Line] = set()
        self._is_on = True
        self._break_in: int | None = None
        self.breaks = 0

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, name="link", daemon=True).start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _exc: object, _trace: TracebackType | None
    ) -> None:
        self.switch_off()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    @property
    def url(self) -> str:
        """Where the phone finds the server."""
        return f"http://{LOOPBACK}:{self._listener.getsockname()[1]}"

    def switch_off(self) -> None:
        """Break every line and refuse new ones."""
        with self._turn:
            self._is_on = False
            lines = list(self._lines)
        for line in lines:
            _break(*line)

    def switch_on(self) -> None:
        """Carry again."""
        with self._turn:
            self._is_on = True

    def break_after(self, carried: int) -> None:
        """Break the line, once, when the phone has sent this many bytes more."""
        with self._turn:
            self._break_in = carried

    def _accept(self) -> None:
        with suppress(OSError):  # the listener was closed: the end
            while True:
                phone, _ = self._listener.accept()
                threading.Thread(target=self._carry, args=(phone,), daemon=True).start()

    def _carry(self, phone: socket.socket) -> None:
        with phone, suppress(OSError), self._dial() as server:
            line = (phone, server)
            with self._turn:
                is_on = self._is_on
                self._lines.add(line)
            if not is_on:
                _break(*line)
            answers = threading.Thread(target=_answers, args=line, daemon=True)
            answers.start()
            self._ask(*line)
            answers.join()
            with self._turn:
                self._lines.discard(line)

    def _dial(self) -> socket.socket:
        return socket.create_connection((LOOPBACK, self._server_port))

    def _ask(self, phone: socket.socket, server: socket.socket) -> None:
        """Carry what the phone sends; where the line is to break, hand over what came, then end."""
        with suppress(OSError):
            while block := phone.recv(_BLOCK):
                part, is_last = self._take(block)
                server.sendall(part)
                if is_last:
                    _break(phone, server)
                    return
            server.shutdown(socket.SHUT_WR)

    def _take(self, block: bytes) -> tuple[bytes, bool]:
        """Return what of a block still passes, and whether the line breaks after it."""
        with self._turn:
            part = block[: self._break_in]
            if self._break_in is None:
                return part, False
            self._break_in -= len(part)
            if self._break_in > 0:
                return part, False
            self._break_in, self.breaks = None, self.breaks + 1
            return part, True


def _answers(phone: socket.socket, server: socket.socket) -> None:
    with suppress(OSError):
        while block := server.recv(_BLOCK):
            phone.sendall(block)
        phone.shutdown(socket.SHUT_RDWR)


def _break(phone: socket.socket, server: socket.socket) -> None:
    """Reset the phone's end; the server reads what was carried, and then the end."""
    with suppress(OSError):
        server.shutdown(socket.SHUT_RDWR)
    with suppress(OSError):
        phone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
        phone.shutdown(socket.SHUT_RD)
    phone.close()
