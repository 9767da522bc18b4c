"""Seizures over REST: report one, list, read, correct, and see what happened to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, make_response

from fieldapi.access import needs
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.api.narrowing import filters_of
from fieldapi.api.preconditions import if_match
from fieldapi.api.schemas.seizures import (
    NewSeizureSchema,
    SeizureChangeSchema,
    SeizureListSchema,
    SeizureQuerySchema,
    SeizureSchema,
)
from fieldapi.api.strict import json_body
from fieldapi.queries import seizures as queries
from fieldapi.queries.seizures import Document
from fieldapi.services import record_views, seizures
from fieldapi.services.ops.scene import scene_of
from fieldapi.services.records import Created
from fieldapi.services.seizures import Reported
from fieldapi.unit import Unit

blp = blueprint("seizures", "/api/v1/seizures", "Seizures reported from the field")


@blp.post("")
@needs("seizure.report")
@blp.arguments(NewSeizureSchema)
@blp.response(201, SeizureSchema)
def create(_body: Mapping[str, Any]) -> Response:
    """Report a seizure with its animals and the photos that will follow.

    An identical resend is answered 200. 202: kept, but held until the device is confirmed.
    """
    who, body = principal(), json_body().value

    def work(unit: Unit) -> Reported:
        scene = scene_of(unit, house().packs, who.authority_id)
        return seizures.report(unit, who, scene, body)

    reported = house().database.transact(work)
    created = reported.created
    if created.is_held:
        return _held(created)
    first = reported.answer()
    response = _one(created.record_id) if first is None else _answer(first)
    response.status_code = 201 if created.is_new else 200
    response.headers["Location"] = f"/api/v1/seizures/{created.record_id}"
    return response


@blp.get("")
@needs("seizure.read")
@blp.arguments(SeizureQuerySchema, location="query")
@blp.response(200, SeizureListSchema)
def index(query: Mapping[str, Any]) -> dict[str, object]:
    """List the reports that you see, narrowed and sorted."""
    with house().database.read() as session:
        page = queries.search(
            session,
            house().keys,
            principal(),
            filters_of(query),
            limit=query["limit"],
            after=query["after"],
        )
    return {"items": page.items, "next": page.next}


@blp.get("/<seizure_id>")
@needs("seizure.read")
@blp.response(200, SeizureSchema)
def read(seizure_id: str) -> Response:
    """Give one report with its animals, photos, flags and open conflicts."""
    response = _one(seizure_id)
    record_views.note_seizure(house().database, principal(), seizure_id)
    return response


@blp.get("/<seizure_id>/history")
@needs("seizure.read")
@blp.response(200)
def history(seizure_id: str) -> dict[str, object]:
    """Give every ledger entry about a report and what belongs to it, oldest first."""
    with house().database.read() as session:
        entries = queries.history(session, principal(), seizure_id)
    return {"items": entries, "next": None}


@blp.patch("/<seizure_id>")
@needs("seizure.correct")
@blp.arguments(SeizureChangeSchema)
@blp.response(200, SeizureSchema)
def correct(_body: Mapping[str, Any], seizure_id: str) -> Response:
    """Change fields of a report that you saw at the revision named by `If-Match`.

    A reviewer's change is a decision and needs `reason`.
    """
    who, body = principal(), json_body().value

    def work(unit: Unit) -> bool:
        scene = scene_of(unit, house().packs, who.authority_id)
        return seizures.correct(unit, who, scene, seizure_id, body=body, seen=if_match())

    house().database.transact(work)
    return _one(seizure_id)


def _one(seizure_id: str) -> Response:
    with house().database.read() as session:
        return _answer(queries.one(session, principal(), seizure_id))


def _answer(document: Document) -> Response:
    response = make_response(document)
    if "rev" in document:  # what is seen in short is not corrected
        response.set_etag(str(document["rev"]))
    return response


def _held(reported: Created) -> Response:
    return make_response({"id": reported.record_id, "state": "held"}, 202)
