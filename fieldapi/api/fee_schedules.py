"""Scales of fees, feeding and security over REST: enter one, look at what it would levy, list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from fieldapi.access import needs
from fieldapi.api.blueprint import blueprint
from fieldapi.api.notifications import entered
from fieldapi.api.schemas.common import PageSchema
from fieldapi.api.schemas.register import (
    NewNotificationSchema,
    NotificationListSchema,
    NotificationSchema,
    PreviewListSchema,
    PreviewSchema,
)
from fieldapi.api.turns import reading, turn_of
from fieldapi.queries import register as queries
from fieldapi.queries.pages import Page
from fieldapi.queries.register import NotificationView
from fieldapi.services import fees
from fieldapi.services.notifications import SCHEDULES, NewNotification

blp = blueprint("fee-schedules", "/api/v1/fee-schedules", "Scales of fees, feeding and security")


@blp.post("")
@needs("notification.add")
@blp.arguments(NewNotificationSchema)
@blp.response(201, NotificationSchema)
@blp.alt_response(200, schema=NotificationSchema, description="An identical resend.")
def create(body: Mapping[str, Any]) -> tuple[Any, int]:
    """Enter a scale. 409 `act-not-allowed` for a special fine beyond the cap of the Act."""
    return entered(NewNotification(**body), add=fees.add)


@blp.post("/preview")
@needs("notification.add")
@blp.arguments(PreviewSchema)
@blp.response(200, PreviewListSchema)
def preview(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Say what a scale would levy for a head of each kind; nothing is stored."""
    told = {name: value for name, value in body.items() if name not in {"head", "times"}}
    found = fees.preview(NewNotification(**told), head=body["head"], times=body["times"])
    return {"items": [asdict(one) for one in found], "next": None}


@blp.get("")
@needs("notification.read")
@blp.arguments(PageSchema, location="query")
@blp.response(200, NotificationListSchema)
def index(query: Mapping[str, Any]) -> Page[NotificationView]:
    """List the scales."""
    turn = turn_of(query)
    return reading(
        lambda session, who: queries.notifications(session, who.authority_id, turn, kinds=SCHEDULES)
    )


@blp.get("/<notification_id>")
@needs("notification.read")
@blp.response(200, NotificationSchema)
def read(notification_id: str) -> NotificationView:
    """Give one scale."""
    return reading(
        lambda session, who: queries.notification(session, who.authority_id, notification_id)
    )
