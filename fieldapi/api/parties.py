"""People of the register over REST: add, find, merge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, make_response

from fieldapi.access import needs
from fieldapi.api.blueprint import blueprint
from fieldapi.api.changes import Changing, change_once
from fieldapi.api.house import house
from fieldapi.api.resends import Creation, create_once
from fieldapi.api.schemas.cases import QuoteQuerySchema, QuoteSchema
from fieldapi.api.schemas.common import list_of
from fieldapi.api.schemas.register import (
    MergeSchema,
    NewPartySchema,
    PartyQuerySchema,
    PartySchema,
)
from fieldapi.api.turns import reading, turn_of
from fieldapi.queries import case_views as case_queries
from fieldapi.queries import register as queries
from fieldapi.queries.pages import Page
from fieldapi.queries.register import PartyView
from fieldapi.services import parties
from fieldapi.services.parties import NewParty

blp = blueprint("parties", "/api/v1/parties", "Owners, keepers of cattle, agents, buyers")


@blp.post("")
@needs("party.add")
@blp.arguments(NewPartySchema)
@blp.response(201, PartySchema)
@blp.alt_response(200, schema=PartySchema, description="An identical resend.")
def create(body: Mapping[str, Any]) -> tuple[Any, int]:
    """Add somebody to the register."""
    new = NewParty(**body)
    return create_once(
        Creation(
            "party",
            PartySchema,
            add=lambda unit, who: parties.add(unit, who, new),
            show=lambda session, who: queries.party(session, who.authority_id, body["id"]),
        )
    )


@blp.get("")
@needs("party.read")
@blp.arguments(PartyQuerySchema, location="query")
@blp.response(200, list_of(PartySchema))
def index(query: Mapping[str, Any]) -> Page[PartyView]:
    """List the parties; `name` finds those whose name begins so."""
    turn = turn_of(query)
    return reading(
        lambda session, who: queries.parties(session, who.authority_id, turn, name=query["name"])
    )


@blp.get("/<party_id>")
@needs("party.read")
@blp.response(200, PartySchema)
def read(party_id: str) -> PartyView:
    """Give one party."""
    return reading(lambda session, who: queries.party(session, who.authority_id, party_id))


@blp.post("/<party_id>/merge")
@needs("party.merge")
@blp.arguments(MergeSchema)
@blp.response(200, PartySchema)
def merge(body: Mapping[str, Any], party_id: str) -> PartyView:
    """Let another party stand for this one: both were found to be the same."""
    return change_once(
        Changing(
            "party.merge",
            party_id,
            change=lambda unit, who: parties.merge(unit, who, party_id, into=body["into"]),
            show=lambda session, who: queries.party(session, who.authority_id, party_id),
        )
    )


@blp.get("/<party_id>/quote")
@needs("party.read")
@blp.arguments(QuoteQuerySchema, location="query")
@blp.response(200, QuoteSchema)
def quote(query: Mapping[str, Any], party_id: str) -> Response:
    """Say what a person owes in the open cases of a pound, as of an instant."""
    at, packs = query["at"] or house().database.clock(), house().packs
    return make_response(
        reading(
            lambda session, who: case_queries.quote(
                session, who, packs, party_id, pound_id=query["pound"], at=at
            )
        )
    )
