"""Pairs of reports that may be one seizure, over REST: list them, look at both, say which."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, make_response

from fieldapi.access import needs
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.api.schemas.common import list_of
from fieldapi.api.schemas.duplicates import (
    DuplicateDecisionSchema,
    DuplicateInShortSchema,
    DuplicateQuerySchema,
    DuplicateSchema,
)
from fieldapi.api.strict import json_body
from fieldapi.api.turns import reading, turn_of
from fieldapi.queries import duplicates as queries
from fieldapi.queries.duplicates import View
from fieldapi.queries.pages import Page
from fieldapi.services import duplicates, record_views
from fieldapi.services.duplicates import Judgement

blp = blueprint("duplicates", "/api/v1/duplicates", "Pairs of reports that may be one seizure")


@blp.get("")
@needs("review.read")
@blp.arguments(DuplicateQuerySchema, location="query")
@blp.response(200, list_of(DuplicateInShortSchema))
def index(query: Mapping[str, Any]) -> Page[View]:
    """List pairs, with what the two reports share."""
    turn, state, seizure = turn_of(query), query["state"], query["seizure"]
    return reading(
        lambda session, who: queries.page_of(
            session, who.authority_id, turn, state=state, seizure_id=seizure
        )
    )


@blp.get("/<duplicate_id>")
@needs("review.read")
@blp.response(200, DuplicateSchema)
def read(duplicate_id: str) -> View:
    """Give a pair with both reports side by side."""
    found = reading(lambda session, who: queries.one(session, who, duplicate_id))
    for seizure_id in found["seizures"]:
        record_views.note_seizure(house().database, principal(), seizure_id)
    return found


@blp.post("/<duplicate_id>/decision")
@needs("duplicate.judge")
@blp.arguments(DuplicateDecisionSchema)
@blp.response(201, DuplicateInShortSchema)
@blp.alt_response(200, schema=DuplicateInShortSchema, description="An identical resend.")
def decide(body: Mapping[str, Any], duplicate_id: str) -> Response:
    """Say that a pair is one seizure, or that it is not. Neither report is changed."""
    who = principal()
    made = Judgement(body["id"], duplicate_id, body["outcome"], body["reason"], json_body().value)
    found, is_new = house().database.transact(lambda unit: duplicates.decide(unit, who, made))
    return make_response(found, 201 if is_new else 200)
