"""Confirmations of a statute's values over REST: one person compares, a second one confirms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fieldapi.access import needs
from fieldapi.api.blueprint import blueprint
from fieldapi.api.changes import Changing, change_once
from fieldapi.api.house import house
from fieldapi.api.resends import Creation, create_once
from fieldapi.api.schemas.common import PageSchema, list_of
from fieldapi.api.schemas.register import ConfirmationSchema, NewConfirmationSchema, SecondSchema
from fieldapi.api.turns import reading, turn_of
from fieldapi.models import StatuteConfirmation
from fieldapi.queries import register as queries
from fieldapi.queries.pages import Page
from fieldapi.services import confirmations
from fieldapi.services.confirmations import NewConfirmation

blp = blueprint(
    "statute-confirmations", "/api/v1/statute-confirmations", "Values compared with the Gazette"
)


@blp.post("")
@needs("statute.confirm")
@blp.arguments(NewConfirmationSchema)
@blp.response(201, ConfirmationSchema)
@blp.alt_response(200, schema=ConfirmationSchema, description="An identical resend.")
def create(body: Mapping[str, Any]) -> tuple[Any, int]:
    """Say that you compared an unverified value with a print, and which."""
    new = NewConfirmation(**body)
    return create_once(
        Creation(
            "statute_confirmation",
            ConfirmationSchema,
            add=lambda unit, who: confirmations.first(unit, who, house().packs, new),
            show=lambda session, who: queries.confirmation(session, who.authority_id, body["id"]),
        )
    )


@blp.get("")
@needs("statute.read")
@blp.arguments(PageSchema, location="query")
@blp.response(200, list_of(ConfirmationSchema))
def index(query: Mapping[str, Any]) -> Page[StatuteConfirmation]:
    """List what was confirmed, once or twice."""
    turn = turn_of(query)
    return reading(lambda session, who: queries.confirmations(session, who.authority_id, turn))


@blp.get("/<confirmation_id>")
@needs("statute.read")
@blp.response(200, ConfirmationSchema)
def read(confirmation_id: str) -> StatuteConfirmation:
    """Give one."""
    return reading(
        lambda session, who: queries.confirmation(session, who.authority_id, confirmation_id)
    )


@blp.post("/<confirmation_id>/second")
@needs("statute.confirm")
@blp.arguments(SecondSchema)
@blp.response(200, ConfirmationSchema)
def second(_body: Mapping[str, Any], confirmation_id: str) -> StatuteConfirmation:
    """Confirm as the second person: the value may block from now on."""
    return change_once(
        Changing(
            "statute_confirmation.second",
            confirmation_id,
            change=lambda unit, who: confirmations.second(unit, who, confirmation_id),
            show=lambda session, who: queries.confirmation(
                session, who.authority_id, confirmation_id
            ),
        )
    )
