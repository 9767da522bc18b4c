"""Turns bodies away before they are read: too many bytes, or of a type or coding not asked for.

Runs after the door and before the view; the limits are what the view declared with `takes`.
"""

from __future__ import annotations

from flask import request

from fieldapi.api.auth import current_access
from fieldapi.problems import TooLarge, UnsupportedMedia

_PLAIN = frozenset({"", "identity"})


def inspect() -> None:
    """Raise `TooLarge` or `UnsupportedMedia`, or set the limit that holds while reading."""
    access = current_access()
    if access is None or access.door == "session":
        return
    request.max_content_length = access.max_bytes
    if request.content_length is not None and request.content_length > access.max_bytes:
        raise TooLarge(f"This address takes at most {access.max_bytes} bytes.")
    if has_body():
        _require_coding(is_gzip_taken=access.is_gzip_taken)
        _require_media(access.media)


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
