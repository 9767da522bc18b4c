"""Offences over REST: note one, record what was made of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, make_response

from fieldapi.access import needs
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.api.resends import Creation, create_once
from fieldapi.api.schemas.beside import NewOffenceSchema, OffenceSchema
from fieldapi.api.schemas.cases import NewOfficialActSchema, OfficialActSchema
from fieldapi.api.schemas.common import PageSchema, list_of
from fieldapi.api.strict import json_body
from fieldapi.api.turns import reading, turn_of
from fieldapi.queries import beside as queries
from fieldapi.queries.pages import Page
from fieldapi.services import offences
from fieldapi.services.offences import NewOffence

blp = blueprint("offences", "/api/v1/offences", "Offences that were seen")


@blp.post("")
@needs("offence.report")
@blp.arguments(NewOffenceSchema)
@blp.response(201, OffenceSchema)
@blp.alt_response(200, schema=OffenceSchema, description="An identical resend.")
def create(body: Mapping[str, Any]) -> tuple[Any, int]:
    """Note an offence that was seen."""
    new = NewOffence(
        id=body["id"],
        what=body["what"],
        committed_at=body["committed_at"],
        section=body["section"],
        seizure_id=body["case"],
        accused=body["accused"],
        text=body["text"],
    )
    return create_once(
        Creation(
            "offence",
            OffenceSchema,
            add=lambda unit, who: offences.add(unit, who, new),
            show=lambda session, who: queries.offence(session, who.authority_id, body["id"]),
        )
    )


@blp.get("")
@needs("offence.read")
@blp.arguments(PageSchema, location="query")
@blp.response(200, list_of(OffenceSchema))
def index(query: Mapping[str, Any]) -> Page[queries.View]:
    """List the offences."""
    turn = turn_of(query)
    return reading(lambda session, who: queries.offences(session, who.authority_id, turn))


@blp.get("/<offence_id>")
@needs("offence.read")
@blp.response(200, OffenceSchema)
def read(offence_id: str) -> queries.View:
    """Give one offence."""
    return reading(lambda session, who: queries.offence(session, who.authority_id, offence_id))


@blp.post("/<offence_id>/acts")
@needs("offence.report")
@blp.arguments(NewOfficialActSchema)
@blp.response(201, OfficialActSchema)
@blp.alt_response(200, schema=OfficialActSchema, description="An identical resend, or a check.")
def act(_body: Mapping[str, Any], offence_id: str) -> Response:
    """Record what was made of it: same body and modes as in a case."""
    who, body = principal(), json_body().value
    found = house().database.transact(
        lambda unit: offences.act(unit, who, house().packs, offence_id, body=body)
    )
    return make_response(found.answer, 201 if found.act is not None else 200)
