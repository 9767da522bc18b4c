"""Pounds over REST: add one, list, read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fieldapi.access import needs
from fieldapi.api.blueprint import blueprint
from fieldapi.api.resends import Creation, create_once
from fieldapi.api.schemas.authorities import NewPoundSchema, PoundSchema
from fieldapi.api.schemas.common import PageSchema, list_of
from fieldapi.api.turns import reading, turn_of
from fieldapi.queries import authorities as queries
from fieldapi.queries.authorities import PoundView
from fieldapi.queries.pages import Page
from fieldapi.services import pounds
from fieldapi.services.pounds import NewPound

blp = blueprint("pounds", "/api/v1/pounds", "Pounds and where they stand")


@blp.post("")
@needs("pound.add")
@blp.arguments(NewPoundSchema)
@blp.response(201, PoundSchema)
@blp.alt_response(200, schema=PoundSchema, description="An identical resend.")
def create(body: Mapping[str, Any]) -> tuple[Any, int]:
    """Add a pound."""
    new = NewPound(**body)
    return create_once(
        Creation(
            "pound",
            PoundSchema,
            add=lambda unit, who: pounds.add(unit, who, new),
            show=lambda session, who: queries.pound(session, who.authority_id, body["id"]),
        )
    )


@blp.get("")
@needs("pound.read")
@blp.arguments(PageSchema, location="query")
@blp.response(200, list_of(PoundSchema))
def index(query: Mapping[str, Any]) -> Page[PoundView]:
    """List the pounds of your authority."""
    turn = turn_of(query)
    return reading(lambda session, who: queries.pounds(session, who.authority_id, turn))


@blp.get("/<pound_id>")
@needs("pound.read")
@blp.response(200, PoundSchema)
def read(pound_id: str) -> PoundView:
    """Give one pound."""
    return reading(lambda session, who: queries.pound(session, who.authority_id, pound_id))
