"""What arrived at a pound, over REST."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, make_response

from fieldapi.access import needs
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.api.schemas.intakes import IntakeSchema, NewIntakeSchema
from fieldapi.api.strict import json_body
from fieldapi.queries import records as queries
from fieldapi.services import records
from fieldapi.services.ops.scene import scene_of
from fieldapi.services.records import Created
from fieldapi.unit import Unit

blp = blueprint("intakes", "/api/v1/intakes", "What arrived at a pound")


@blp.post("")
@needs("intake.report")
@blp.arguments(NewIntakeSchema)
@blp.response(201, IntakeSchema)
def create(_body: Mapping[str, Any]) -> Response:
    """Report an intake with the photos that will follow.

    An identical resend is answered 200. 202: kept, but held for a person to look at.
    """
    who, body = principal(), json_body().value

    def work(unit: Unit) -> Created:
        scene = scene_of(unit, house().packs, who.authority_id)
        return records.create(unit, who, scene, "intake", body=body, prepare=lambda it: it)

    created = house().database.transact(work)
    if created.is_held:
        return make_response({"id": created.record_id, "state": "held"}, 202)
    response = _one(created.record_id)
    response.status_code = 201 if created.is_new else 200
    response.headers["Location"] = f"/api/v1/intakes/{created.record_id}"
    return response


@blp.get("/<intake_id>")
@needs("intake.read")
@blp.response(200, IntakeSchema)
def read(intake_id: str) -> Response:
    """Give an intake with its photos."""
    return _one(intake_id)


def _one(intake_id: str) -> Response:
    with house().database.read() as session:
        return make_response(queries.one(session, principal(), "intake", intake_id))
