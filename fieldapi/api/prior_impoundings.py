"""Impoundings from before this register was kept, over REST."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fieldapi.access import needs
from fieldapi.api.blueprint import blueprint
from fieldapi.api.resends import Creation, create_once
from fieldapi.api.schemas.common import PageSchema, list_of
from fieldapi.api.schemas.register import NewPriorSchema, PriorSchema
from fieldapi.api.turns import reading, turn_of
from fieldapi.models import PriorImpounding
from fieldapi.queries import register as queries
from fieldapi.queries.pages import Page
from fieldapi.services import prior_impoundings
from fieldapi.services.prior_impoundings import NewPrior

blp = blueprint("prior-impoundings", "/api/v1/prior-impoundings", "Times counted before")


@blp.post("")
@needs("prior_impounding.add")
@blp.arguments(NewPriorSchema)
@blp.response(201, PriorSchema)
@blp.alt_response(200, schema=PriorSchema, description="An identical resend.")
def create(body: Mapping[str, Any]) -> tuple[Any, int]:
    """Enter an impounding from before this register was kept."""
    new = NewPrior(**body)
    return create_once(
        Creation(
            "prior_impounding",
            PriorSchema,
            add=lambda unit, who: prior_impoundings.add(unit, who, new),
            show=lambda session, who: queries.prior_impounding(
                session, who.authority_id, body["id"]
            ),
        )
    )


@blp.get("")
@needs("prior_impounding.read")
@blp.arguments(PageSchema, location="query")
@blp.response(200, list_of(PriorSchema))
def index(query: Mapping[str, Any]) -> Page[PriorImpounding]:
    """List them."""
    turn = turn_of(query)
    return reading(lambda session, who: queries.prior_impoundings(session, who.authority_id, turn))


@blp.get("/<prior_id>")
@needs("prior_impounding.read")
@blp.response(200, PriorSchema)
def read(prior_id: str) -> PriorImpounding:
    """Give one."""
    return reading(
        lambda session, who: queries.prior_impounding(session, who.authority_id, prior_id)
    )
