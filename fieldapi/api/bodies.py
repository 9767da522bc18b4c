"""Turns bodies away before they are read: too many bytes, or of a type or coding not asked for.

Runs after the door and before the view; the limits are what the view declared with `takes`.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from flask import request

from fieldapi.access import Access
from fieldapi.api.auth import current_access
from fieldapi.problems import BadRequest, TooLarge, UnsupportedMedia
from fieldapi.storage.pieces import Readable

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_PLAIN = frozenset({"", "identity"})


class MeteredBody(io.RawIOBase):
    """A body whose length nobody announced: raises `TooLarge` at the first byte over the limit.

    The framework's own limit cuts such a body off without a word when it is read whole.
    """

    def __init__(self, stream: Readable, max_bytes: int) -> None:
        super().__init__()
        self._stream, self._left = stream, max_bytes

    def readable(self) -> bool:
        """Say yes."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill `buffer` as far as the stream gives."""
        view = memoryview(buffer)
        piece = self._stream.read(len(view))
        self._left -= len(piece)
        if self._left < 0:
            raise TooLarge
        view[: len(piece)] = piece
        return len(piece)


def inspect() -> None:
    """Raise `BadRequest`, `TooLarge` or `UnsupportedMedia`, or set the limit that holds while
    reading.
    """
    access = current_access()
    if access is not None and access.door != "session":
        _inspect(access)


def inspect_form() -> None:
    """Do as `inspect` for a page: its door reads the form, so that this comes before it."""
    access = current_access()
    if access is not None and access.door == "session":
        _inspect(access)


def _inspect(access: Access) -> None:
    _limit(access.max_bytes)
    if has_body():
        _require_coding(is_gzip_taken=access.is_gzip_taken)
        _require_media(access.media)


def require_plain_address() -> None:
    """Raise `BadRequest` for an address with NUL in it: no database keeps one, no person types one.

    Runs before the door, so that pages are covered as well.
    """
    texts = (request.path, *(text for pair in request.args.items(multi=True) for text in pair))
    if any("\0" in text for text in texts):
        raise BadRequest("An address has no NUL in it.")


def _limit(max_bytes: int) -> None:
    if (request.content_length or 0) > max_bytes:
        raise TooLarge(f"This address takes at most {max_bytes} bytes.")
    if request.content_length is None:
        stream = request.environ["wsgi.input"]
        request.environ["wsgi.input"] = MeteredBody(stream, max_bytes)
    # One more than allowed: the framework objects to the attempt to read on at its limit.
    request.max_content_length = max_bytes + 1


def has_body() -> bool:
    """Say whether the request brings a body, with its length announced or in chunks."""
    return bool(request.content_length) or "Transfer-Encoding" in request.headers


def _require_coding(*, is_gzip_taken: bool) -> None:
    coding = request.headers.get("Content-Encoding", "").strip().lower()
    if coding in _PLAIN or (is_gzip_taken and coding == "gzip"):
        return
    raise UnsupportedMedia("This address takes the body without Content-Encoding.")


def _require_media(media: tuple[str, ...]) -> None:
    if media and request.mimetype not in media:
        raise UnsupportedMedia(f"Send the body as {' or '.join(media)}.")
