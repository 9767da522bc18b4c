"""`GET …/{kind}/pull` and `POST …/{kind}/push`: the door of apps that keep records in RxDB."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Response, request

from fieldapi import limits
from fieldapi.access import signed_in, takes
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.api.schemas.rxdb import PullQuerySchema, PullSchema, RowSchema
from fieldapi.problems import InvalidJson, TooLarge
from fieldapi.queries import rxdb as queries
from fieldapi.queries.documents import require_kind
from fieldapi.services import rxdb
from sync.wire import Slice, WireError, read_envelope

blp = blueprint("rxdb", "/api/v1/sync/rxdb", "Records as documents, for apps that use RxDB")


@blp.get("/<kind>/pull")
@signed_in
@blp.arguments(PullQuerySchema, location="query")
@blp.response(200, PullSchema)
def pull(query: Mapping[str, Any], kind: str) -> dict[str, object]:
    """Give the next documents of a kind after a checkpoint.

    Exactly `limit` of them unless there are no more. An empty page moves no checkpoint.
    """
    require_kind(kind)
    with house().database.read() as session:
        page = queries.pull(
            session,
            house().keys,
            principal(),
            kind,
            checkpoint=query["cp"],
            limit=query["limit"],
        )
    return {"documents": page.documents, "checkpoint": {"c": page.checkpoint}}


@blp.post("/<kind>/push")
@signed_in
@takes("application/json", max_bytes=limits.SYNC_INFLATED_BYTES)
@blp.doc(
    requestBody={
        "required": True,
        "content": {"application/json": {"schema": {"type": "array", "items": RowSchema}}},
    }
)
@blp.response(200)
def push(kind: str) -> Response:
    """Take what an app changed; give the documents that the merge made different.

    Each row is answered by itself: one that cannot be merged is kept and comes back marked.
    """
    require_kind(kind)
    changed = rxdb.push(house(), principal(), kind, _rows())
    # Escaped, for a document goes back as it came, half of a surrogate pair included.
    return Response(json.dumps(changed, allow_nan=False), content_type="application/json")


def _rows() -> Sequence[Slice]:
    """Return the rows of the body, cut out as they came. Raises `InvalidJson`, `TooLarge`."""
    body = request.get_data(cache=False)
    try:
        # An array is read as the ops of an envelope are: what is bad inside a row stays inside.
        envelope = read_envelope(b'{"ops":' + body + b"}", max_ops=limits.SYNC_OPS)
    except WireError as exc:
        if exc.code == "too-many-ops":
            raise TooLarge(f"At most {limits.SYNC_OPS} rows at once.") from exc
        raise InvalidJson("The body has to be a list of rows.", code=exc.code) from exc
    if envelope.members:
        raise InvalidJson("The body has to be a list of rows.", code="not-json")
    return envelope.ops
