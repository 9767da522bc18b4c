"""The two routes of a captured record that is reported whole and read whole: an aid, an intake.

A seizure has more to it and a file of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import marshmallow as ma
from flask import Response, make_response

from fieldapi.access import needs
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import Blueprint, blueprint
from fieldapi.api.house import house
from fieldapi.api.strict import json_body
from fieldapi.queries import records as queries
from fieldapi.services import records
from fieldapi.services.acts import arrivals
from fieldapi.services.ops.scene import scene_of
from fieldapi.services.records import Created
from fieldapi.unit import Unit


@dataclass(frozen=True, slots=True)
class Noun:
    """A kind of record with its address, `/api/v1/{plural}`, and what the address is for."""

    kind: str
    plural: str
    description: str


def routes_of(noun: Noun, body: type[ma.Schema], answer: type[ma.Schema]) -> Blueprint:
    """Return the blueprint of a noun: POST reports one, GET gives one."""
    blp = blueprint(noun.plural, f"/api/v1/{noun.plural}", noun.description)

    @blp.post("")
    @needs(f"{noun.kind}.report")
    @blp.arguments(body)
    @blp.response(201, answer)
    def create(_body: Mapping[str, Any]) -> Response:
        """Report one with the photos that will follow.

        An identical resend is answered 200. 202: kept, but held for a person to look at.
        """
        created = _create(noun.kind)
        if created.is_held:
            return make_response({"id": created.record_id, "state": "held"}, 202)
        response = _one(noun.kind, created.record_id)
        response.status_code = 201 if created.is_new else 200
        response.headers["Location"] = f"/api/v1/{noun.plural}/{created.record_id}"
        return response

    @blp.get(f"/<{noun.kind}_id>")
    @needs(f"{noun.kind}.read")
    @blp.response(200, answer)
    def read(**path: str) -> Response:
        """Give one with its photos."""
        return _one(noun.kind, path[f"{noun.kind}_id"])

    return blp


def _create(kind: str) -> Created:
    who, body = principal(), json_body().value

    def work(unit: Unit) -> Created:
        scene = scene_of(unit, house().packs, who.authority_id)
        created = records.create(unit, who, scene, kind, body=body, prepare=lambda change: change)
        if kind == "intake" and not created.is_held:
            unit.session.flush()
            arrivals.take_in(unit, house().packs, who.authority_id, created.record_id)
        return created

    return house().database.transact(work)


def _one(kind: str, record_id: str) -> Response:
    with house().database.read() as session:
        return make_response(queries.one(session, principal(), kind, record_id))
