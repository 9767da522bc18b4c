"""Tables of reports to take out: CSV of reports and of lots, GeoJSON of reports, streamed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response

from fieldapi.access import needs
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.api.narrowing import filters_of
from fieldapi.api.schemas.seizures import ExportQuerySchema
from fieldapi.queries.exports import Wanted
from fieldapi.services import exports

blp = blueprint("exports", "/api/v1/exports", "Reports as tables and maps, to take out")


@blp.get("/<name>")
@needs("export.read")
@blp.arguments(ExportQuerySchema, location="query")
@blp.response(200)
def export(query: Mapping[str, Any], name: str) -> Response:
    """Take out reports (`seizures.csv`, `seizures.geojson`) or lots of animals (`animals.csv`).

    The last line has the number of rows and the SHA-256 of all lines above it. Who took out what
    is entered in the ledger, names and numbers of people come only with `personal=true`.
    """
    wanted = Wanted(filters_of(query), is_personal=query["personal"])
    pieces = exports.take_out(house().database, principal(), name, wanted)
    response = Response(pieces, content_type=exports.FORMATS[name].media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response
