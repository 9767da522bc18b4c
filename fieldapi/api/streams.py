"""Reads bodies too large for memory off the line, as far as they come.

Used by the rooms that take photo bytes. A broken line is the sender's trouble, never a 500.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from flask import request
from werkzeug.exceptions import HTTPException

from fieldapi.problems import BadRequest, Problem
from fieldapi.storage.spool import Readable

PATIENCE_S = 45.0
_SOCKET = "gunicorn.socket"


class Line:
    """A body as it comes. When the line breaks, what the server had read already is given first;
    then `read` raises `BadRequest`.
    """

    def __init__(self, stream: Readable) -> None:
        self._stream = stream

    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes, nothing at the end."""
        try:
            return self._stream.read(size)
        except Problem:
            raise
        except HTTPException as exc:
            # The server's word for a line that broke; anything else it says stands.
            if exc.code != BadRequest.status:
                raise
            return self._rest(size, exc)
        except Exception as exc:  # noqa: BLE001 - servers name a broken line each in their own way
            return self._rest(size, exc)

    def _rest(self, size: int, why: Exception) -> bytes:
        """Return what lies in the server's buffer: asked for many bytes it gave none of them."""
        rest = bytearray()
        try:
            while len(rest) < size and (byte := self._stream.read(1)):
                rest += byte
        except Exception:  # noqa: BLE001 - as above
            if not rest:
                raise BadRequest("The connection broke.") from why
        if not rest:
            raise BadRequest("The connection broke.") from why
        return bytes(rest)


@contextmanager
def line() -> Iterator[Line]:
    """Give the body of this request. Nobody is waited for longer than `PATIENCE_S`: a phone that
    walked out of its network says no goodbye.
    """
    wire = request.environ.get(_SOCKET)
    if not isinstance(wire, socket.socket):
        yield Line(request.stream)
        return
    before = wire.gettimeout()
    wire.settimeout(PATIENCE_S)
    try:
        yield Line(request.stream)
    finally:
        wire.settimeout(before)
