"""Closed days of the office and the pound over REST."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from fieldapi.access import needs
from fieldapi.api.blueprint import blueprint
from fieldapi.api.changes import Changing, change_once
from fieldapi.api.schemas.register import CalendarChangeSchema, CalendarsSchema
from fieldapi.api.turns import reading
from fieldapi.queries import register as queries
from fieldapi.services import calendars
from fieldapi.services.authorise import Principal
from fieldapi.services.calendars import Change, ClosedOn

blp = blueprint("calendars", "/api/v1/calendars", "Closed days of the office and the pound")


@blp.get("")
@needs("calendar.read")
@blp.response(200, CalendarsSchema)
def index() -> Mapping[str, Any]:
    """List every closed day of both calendars."""
    return reading(_all)


@blp.post("")
@needs("calendar.change")
@blp.arguments(CalendarChangeSchema)
@blp.response(200, CalendarsSchema)
def change(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Close and open days of one calendar."""
    closed = [ClosedOn(**one) for one in body["closed"]]
    new = Change(body["calendar"], closed, body["opened"])
    return change_once(
        Changing(
            "calendar.change",
            body["calendar"],
            change=lambda unit, who: calendars.change(unit, who, new),
            show=_all,
        )
    )


def _all(session: Session, who: Principal) -> Mapping[str, Any]:
    return {"items": queries.closed_days(session, who.authority_id), "next": None}
