"""Reads bodies too large for memory off the line, as far as they come.

Used by the rooms that take photo bytes. A broken line is the sender's trouble, never a 500.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import request
from werkzeug.exceptions import HTTPException

from fieldapi.problems import BadRequest, Problem
from fieldapi.storage.pieces import Prompt, Readable

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


class Line:
    """A body as it comes. When the line breaks, what the server had read already is given first;
    then `read` raises `BadRequest`.
    """

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._why: Exception | None = None

    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes, nothing at the end."""
        if self._why is not None:
            # Asked again, a server gives nothing, as at the end: half a body would pass for whole.
            return self._rest(size, self._why)
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
        self._why, rest = why, bytearray()
        try:
            while len(rest) < size and (byte := self._stream.read(1)):
                rest += byte
        except Exception:  # noqa: BLE001 - as above
            if not rest:
                raise BadRequest("The connection broke.") from why
        if not rest:
            raise BadRequest("The connection broke.") from why
        return bytes(rest)


class PromptLine:
    """A body that the server gives as it comes, nothing of it held back; at a cut it raises
    `BadRequest`.
    """

    def __init__(self, stream: Prompt) -> None:
        self._stream = stream

    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes, nothing at the end."""
        buffer = bytearray(size)
        return bytes(memoryview(buffer)[: self.readinto(buffer)])

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill the front of `buffer` and return how much of it; 0 at the end."""
        try:
            return self._stream.readinto(buffer)
        except HTTPException as exc:
            if exc.code != BadRequest.status:
                raise
            raise BadRequest("The connection broke.") from exc


def line() -> Readable:
    """Return the body of this request. How long its sender is waited for, `pacing` says."""
    stream, server = request.stream, request.environ["wsgi.input"]
    if getattr(server, "is_prompt", False) and isinstance(stream, Prompt):
        return PromptLine(stream)
    return Line(stream)
