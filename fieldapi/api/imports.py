"""`POST /api/v1/imports`: a phone's outbox as a file, for the day it cannot send any more."""

from __future__ import annotations

from flask import Response, make_response

from fieldapi import limits
from fieldapi.access import needs, takes
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.api.schemas.imports import ImportedSchema
from fieldapi.api.streams import line
from fieldapi.clock import format_instant
from fieldapi.services import outboxes
from fieldapi.services.outboxes import PhotoOutcome
from sync.wire import JSON

MEDIA = "application/zip"

blp = blueprint("imports", "/api/v1/imports", "The outbox of a phone, carried in as a file")


@blp.post("")
@needs("sync.push")
@takes(MEDIA, max_bytes=limits.IMPORT_BYTES)
@blp.response(200, ImportedSchema)
def create() -> Response:
    """Take the zip that a phone exported; sent again it changes nothing.

    Whoever is enrolled may carry it: each op is judged by its own signature and author, each photo
    by its hash.
    """
    imported = outboxes.hand_in(house(), principal(), line())
    return make_response(
        {
            "sha256": imported.sha256,
            "device": imported.device,
            "results": imported.results,
            "photos": [_photo(one) for one in imported.photos],
            "server_now": format_instant(house().database.clock()),
        }
    )


def _photo(one: PhotoOutcome) -> dict[str, JSON]:
    return {
        "sha256": one.sha256,
        "size": one.size,
        "ids": [*one.ids],
        "state": one.state,
        "code": one.code,
    }
