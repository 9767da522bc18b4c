"""Notifications, approvals and appointments over REST: enter, list, end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fieldapi.access import needs
from fieldapi.api.blueprint import blueprint
from fieldapi.api.changes import Changing, change_once
from fieldapi.api.resends import Creation, create_once
from fieldapi.api.schemas.register import (
    EndOnSchema,
    NewNotificationSchema,
    NotificationListSchema,
    NotificationQuerySchema,
    NotificationSchema,
)
from fieldapi.api.turns import reading, turn_of
from fieldapi.queries import register as queries
from fieldapi.queries.pages import Page
from fieldapi.queries.register import NotificationView
from fieldapi.services import fees, notifications
from fieldapi.services.authorise import Principal
from fieldapi.services.notifications import SCHEDULES, NewNotification
from fieldapi.unit import Unit

Add = Callable[[Unit, Principal, NewNotification], object]

blp = blueprint("notifications", "/api/v1/notifications", "The dated register that switches rules")


@blp.post("")
@needs("notification.add")
@blp.arguments(NewNotificationSchema)
@blp.response(201, NotificationSchema)
@blp.alt_response(200, schema=NotificationSchema, description="An identical resend.")
def create(body: Mapping[str, Any]) -> tuple[Any, int]:
    """Enter a notification, approval or appointment."""
    new = NewNotification(**body)
    return entered(new, add=fees.add if new.kind in SCHEDULES else notifications.add)


def entered(new: NewNotification, *, add: Add) -> tuple[Any, int]:
    """Answer for an entry of the register that `add` makes; `fee_schedules` enters by it, too."""
    return create_once(
        Creation(
            "notification",
            NotificationSchema,
            add=lambda unit, who: add(unit, who, new),
            show=lambda session, who: queries.notification(session, who.authority_id, new.id),
        )
    )


@blp.get("")
@needs("notification.read")
@blp.arguments(NotificationQuerySchema, location="query")
@blp.response(200, NotificationListSchema)
def index(query: Mapping[str, Any]) -> Page[NotificationView]:
    """List the register, of one kind or in force on a day."""
    turn = turn_of(query)
    kinds = [query["kind"]] if query["kind"] else []
    return reading(
        lambda session, who: queries.notifications(
            session, who.authority_id, turn, kinds=kinds, on=query["on"]
        )
    )


@blp.get("/<notification_id>")
@needs("notification.read")
@blp.response(200, NotificationSchema)
def read(notification_id: str) -> NotificationView:
    """Give one entry."""
    return reading(
        lambda session, who: queries.notification(session, who.authority_id, notification_id)
    )


@blp.post("/<notification_id>/end")
@needs("notification.add")
@blp.arguments(EndOnSchema)
@blp.response(200, NotificationSchema)
def end(body: Mapping[str, Any], notification_id: str) -> NotificationView:
    """Name the last day of an entry: today or later."""
    return change_once(
        Changing(
            "notification.end",
            notification_id,
            change=lambda unit, who: notifications.end(unit, who, notification_id, on=body["on"]),
            show=lambda session, who: queries.notification(
                session, who.authority_id, notification_id
            ),
        )
    )
