"""Cases over REST: read one as of any instant, act in it; deadlines."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from flask import Response, make_response

from fieldapi.access import needs
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.api.language import said
from fieldapi.api.schemas.cases import (
    AtSchema,
    CaseSchema,
    DeadlineListSchema,
    DeadlineQuerySchema,
    NewOfficialActSchema,
    OfficialActSchema,
)
from fieldapi.api.strict import json_body
from fieldapi.api.turns import reading
from fieldapi.queries import case_views as queries
from fieldapi.services.acts import performing
from fieldapi.services.acts.performing import Outcome, Turn
from fieldapi.unit import Unit

blp = blueprint("cases", "/api/v1/cases", "Cases: clocks, dues, custody, acts")
deadlines_blp = blueprint("deadlines", "/api/v1/deadlines", "What has to be done, and until when")


def instant_of(query: Mapping[str, Any]) -> datetime:
    """Return the instant that a query asks about: now, unless it says otherwise."""
    at: datetime | None = query["at"]
    return at or house().database.clock()


@blp.get("/<seizure_id>")
@needs("case.read")
@blp.arguments(AtSchema, location="query")
@blp.response(200, CaseSchema)
def read(query: Mapping[str, Any], seizure_id: str) -> Response:
    """Give a case as of an instant: which clocks run, what is due, which acts are allowed."""
    at, packs = instant_of(query), house().packs
    return said(reading(lambda session, who: queries.case(session, who, packs, seizure_id, at=at)))


@blp.post("/<seizure_id>/acts")
@needs("act.perform")
@blp.arguments(NewOfficialActSchema)
@blp.response(201, OfficialActSchema)
@blp.alt_response(200, schema=OfficialActSchema, description="An identical resend, or a check.")
def act(_body: Mapping[str, Any], seizure_id: str) -> Response:
    """Perform, check or record an official act.

    409 `act-not-allowed` names the rule, the reason, the source and the earliest moment; 409
    `act-needs-reason` asks for a written `reason`.
    """
    who, body = principal(), json_body().value

    def work(unit: Unit) -> Outcome:
        return performing.act(Turn(unit, who, house().packs, seizure_id), body)

    outcome = house().database.transact(work)
    return said(outcome.answer, 201 if outcome.is_new else 200)


@deadlines_blp.get("")
@needs("deadline.read")
@deadlines_blp.arguments(DeadlineQuerySchema, location="query")
@deadlines_blp.response(200, DeadlineListSchema)
def deadlines(query: Mapping[str, Any]) -> Response:
    """List what is due in open cases, the nearest first."""
    now = house().database.clock()
    found = reading(
        lambda session, who: queries.deadlines(session, who, now=now, state=query["state"])
    )
    return make_response({"items": found, "next": None})
