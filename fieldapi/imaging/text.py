"""Makes text of camera tags safe to keep and show: cut at NUL, valid UTF-8, no controls, bounded.
Used by the readers of metadata; imports no decoder.
"""

from __future__ import annotations

import math
import unicodedata

from fieldapi.imaging.tags import Value

LIMIT = 1024
_HEX_LIMIT = 64


def clean(value: Value | None, limit: int = LIMIT) -> str:
    r"""Return the text of a tag; empty if there is none.

    >>> clean(b"Nokia \0\x9fgarbage"), clean(b"\x00"), clean(7)
    ('Nokia', '', '')
    """
    if not isinstance(value, bytes):
        return ""
    text = value.partition(b"\0")[0][: 4 * limit].decode("utf-8", "replace")
    return "".join(c for c in text if not _is_control(c))[:limit].strip()


def shown(value: Value) -> str:
    r"""Return any tag's value as text for the record; long blobs by their size only.

    >>> shown((1.5, float("nan"))), shown(b"0231"), shown(b"\xff" * 999)
    ('1.5 ?', '0231', '999 bytes')
    """
    if isinstance(value, tuple):
        return " ".join(map(_number, value))
    if isinstance(value, (int, float)):
        return _number(value)
    body = value.rstrip(b"\0 ")
    if body.isascii() and not any(_is_control(c) for c in body.decode("ascii")):
        return body[:LIMIT].decode("ascii")
    if text := _utf8(body):
        return text[:LIMIT]
    return body.hex() if 0 < len(body) <= _HEX_LIMIT else f"{len(value)} bytes"


def _number(value: float) -> str:
    return f"{value:.10g}" if math.isfinite(value) else "?"


def _utf8(body: bytes) -> str | None:
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if any(_is_control(c) for c in text) else text


def _is_control(character: str) -> bool:
    """Say whether a character has no business in a label: controls, surrogates, direction marks."""
    return unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
