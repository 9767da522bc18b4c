"""Sends stored bytes: whole or a range, kept by readers only as far as access is asked for again.

Used by the rooms that give photos out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from flask import Response, request

from fieldapi.api import errors
from fieldapi.api.house import house
from fieldapi.problems import NotFound, RangeNotSatisfiable
from fieldapi.storage import ObjectMissing, chunks

# Kept by the reader alone, and asked for again each time: access may have ended meanwhile.
HASH_NAMED = "private, immutable"
# Made here, and made again when the decoder learns something or a person is erased: kept by nobody.
MADE_HERE = "no-store"
_NOTHING = re.compile(r"bytes=[ \t]*-0+", re.IGNORECASE)
_SANDBOX = "sandbox; default-src 'none'"


@dataclass(frozen=True, slots=True)
class StoredFile:
    """An object to send. `tag`: its entity tag. `name`: under which it is saved, None to show it.
    `size` in bytes.
    """

    key: str
    size: int
    media_type: str
    tag: str
    caching: str
    name: str | None = None


def send(file: StoredFile) -> Response:
    """Answer the request with the file, a part of it, or the word that it has not changed."""
    if request.if_none_match.contains_weak(file.tag):
        return _dressed(Response(status=304), file)
    if not _is_part(file):
        return _dressed(_body(file, 0, file.size), file)
    span = request.range.range_for_length(file.size) if request.range else None
    if span is None:
        response = errors.as_response(RangeNotSatisfiable())
        response.headers["Content-Range"] = f"bytes */{file.size}"
        return response
    start, end = span
    response = _body(file, start, end)
    response.status_code = 206
    response.headers["Content-Range"] = f"bytes {start}-{end - 1}/{file.size}"
    return _dressed(response, file)


def _is_part(file: StoredFile) -> bool:
    """Say whether a part is asked for, and one only; a reader who asks for more gets the whole."""
    asked = request.range
    is_one = asked is not None and asked.units == "bytes" and len(asked.ranges) == 1
    return (is_one or _is_of_nothing()) and not _is_outdated(file)


def _is_of_nothing() -> bool:
    """Say whether the last no bytes are asked for: no part can be that (RFC 9110, 14.1.2), but
    Werkzeug reads it as no range at all.
    """
    return _NOTHING.fullmatch(request.headers.get("Range", "").strip()) is not None


def _is_outdated(file: StoredFile) -> bool:
    """Say whether the client holds parts of something else (`If-Range`)."""
    if "If-Range" not in request.headers:
        return False
    return request.if_range.etag != file.tag


def _body(file: StoredFile, start: int, end: int) -> Response:
    if request.method == "HEAD":
        response = Response(content_type=file.media_type)
    else:
        try:
            stream = house().storage.open(file.key, start=start, end=end)
        except ObjectMissing as exc:
            raise NotFound from exc
        response = Response(chunks(stream), content_type=file.media_type)
        response.call_on_close(stream.close)
    response.content_length = end - start
    return response


def _dressed(response: Response, file: StoredFile) -> Response:
    response.set_etag(file.tag)
    response.headers["Accept-Ranges"] = "bytes"
    response.headers["Cache-Control"] = file.caching
    response.headers["Content-Security-Policy"] = _SANDBOX
    if file.name is not None:
        response.headers["Content-Disposition"] = f'attachment; filename="{file.name}"'
    return response
