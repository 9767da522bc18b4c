"""Enrolment codes over REST: issue one, see what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fieldapi.access import needs
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.api.resends import Creation, create_once
from fieldapi.api.schemas.common import PageSchema, list_of
from fieldapi.api.schemas.enrolments import EnrolmentSchema, IssuedSchema, NewEnrolmentSchema
from fieldapi.api.turns import reading, turn_of
from fieldapi.queries import devices as queries
from fieldapi.queries.devices import EnrolmentView
from fieldapi.queries.pages import Page
from fieldapi.services import enrolments

blp = blueprint("enrolments", "/api/v1/enrolments", "One-time codes that let a phone in")


@blp.post("")
@needs("enrolment.issue")
@blp.arguments(NewEnrolmentSchema)
@blp.response(201, IssuedSchema)
@blp.alt_response(200, schema=IssuedSchema, description="An identical resend.")
def create(body: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """Issue a code for a person. It is told in this answer only, and is good for 24 hours."""
    shown, status = create_once(
        Creation(
            "enrolment",
            EnrolmentSchema,
            add=lambda unit, who: enrolments.issue(
                unit,
                who,
                body["person_id"],
                enrolment_id=body["id"],
                is_confirmed=body["confirmed"],
            ),
            show=lambda session, who: queries.enrolment(
                session, who.authority_id, body["id"], now=house().database.clock()
            ),
        )
    )
    return _issued(shown, principal().authority_id), status


@blp.get("")
@needs("enrolment.read")
@blp.arguments(PageSchema, location="query")
@blp.response(200, list_of(EnrolmentSchema))
def index(query: Mapping[str, Any]) -> Page[EnrolmentView]:
    """List the codes that were issued, without the codes."""
    turn, now = turn_of(query), house().database.clock()
    return reading(
        lambda session, who: queries.enrolments(session, who.authority_id, turn, now=now)
    )


@blp.get("/<enrolment_id>")
@needs("enrolment.read")
@blp.response(200, EnrolmentSchema)
def read(enrolment_id: str) -> EnrolmentView:
    """Say what became of one code."""
    now = house().database.clock()
    return reading(
        lambda session, who: queries.enrolment(session, who.authority_id, enrolment_id, now=now)
    )


def _issued(shown: EnrolmentView, authority_id: str) -> dict[str, Any]:
    parts = house()
    code = enrolments.code_of(parts.keys, authority_id, shown.id)
    return {
        "id": shown.id,
        "person_id": shown.person_id,
        "code": code,
        "url": enrolments.url_of(parts.settings.public_url, code),
        "confirmed": shown.confirmed,
        "expires_at": shown.expires_at,
    }
