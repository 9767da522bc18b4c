"""`POST /api/v1/sync` and `GET /api/v1/sync/schema`: the door of phones."""

from __future__ import annotations

import gzip
import zlib

from flask import Response, current_app, request

from fieldapi import limits
from fieldapi.access import signed_in, takes
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.api.schemas.sync import SyncAnswerSchema
from fieldapi.api.strict import invalid_json
from fieldapi.api.watch import MEASURES, Measures
from fieldapi.domain.records import schema_document
from fieldapi.failpoints import failpoint
from fieldapi.problems import InvalidJson, TooLarge
from fieldapi.services import sync
from sync.wire import JSON, Envelope, WireError, read_envelope

blp = blueprint("sync", "/api/v1/sync", "One round trip for a phone that was offline")

_GZIP_FROM = 1024
_WINDOW_GZIP = 31
_MEMBERS = 16


@blp.post("")
@signed_in
@takes("application/json", max_bytes=limits.SYNC_WIRE_BYTES, is_gzip_taken=True)
@blp.response(200, SyncAnswerSchema)
def exchange() -> Response:
    """Take ops and give what moved since the cursor.

    Each op is answered by itself: a bad one never stops its neighbours. Body and answer may be
    gzipped.
    """
    failpoint("sync.arrived")
    ask = sync.read_ask(_envelope())
    failpoint("sync.read")
    measures: Measures = current_app.extensions[MEASURES]
    return _respond(sync.exchange(house(), principal(), ask, tell=measures.count_results))


@blp.get("/schema")
@signed_in
@blp.response(200)
def schema() -> dict[str, JSON]:
    """Give the table of kinds, fields, merge classes and rights."""
    return schema_document()


def _envelope() -> Envelope:
    try:
        return read_envelope(_inflated(), max_ops=limits.SYNC_OPS)
    except WireError as exc:
        if exc.code == "too-many-ops":
            raise TooLarge(f"At most {limits.SYNC_OPS} ops at once.") from exc
        raise invalid_json(exc) from exc


def _inflated() -> bytes:
    """Return the body, inflated no further than the limit."""
    raw = request.get_data(cache=False)
    if request.headers.get("Content-Encoding", "").strip().lower() != "gzip":
        return raw
    body = b""
    # A gzip stream may have several members, one after the other (RFC 1952, 2.2).
    for _ in range(_MEMBERS):
        member, raw = _inflated_member(raw, limits.SYNC_INFLATED_BYTES - len(body))
        body += member
        if not raw:
            return body
    raise InvalidJson(f"A gzip stream has at most {_MEMBERS} members.", code="bad-gzip")


def _inflated_member(raw: bytes, room: int) -> tuple[bytes, bytes]:
    """Return the first gzip member inflated to `room` bytes at most, and what follows it."""
    inflater = zlib.decompressobj(_WINDOW_GZIP)
    try:
        # One more than fits: no room at all would mean no limit to the library.
        member = inflater.decompress(raw, room + 1)
    except zlib.error as exc:
        raise InvalidJson("The body is not what Content-Encoding says.", code="bad-gzip") from exc
    if len(member) > room or inflater.unconsumed_tail:
        raise TooLarge(f"At most {limits.SYNC_INFLATED_BYTES} bytes once inflated.")
    if not inflater.eof:
        raise InvalidJson("The body ends in the middle of its gzip stream.", code="bad-gzip")
    return member, inflater.unused_data


def _respond(body: bytes) -> Response:
    response = Response(body, content_type="application/json")
    response.headers["Vary"] = "Accept-Encoding"
    if len(body) > _GZIP_FROM and request.accept_encodings.quality("gzip") > 0:
        response.set_data(gzip.compress(body, compresslevel=5, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    failpoint("answer.begun")
    response.call_on_close(lambda: failpoint("answer.ended"))
    return response
