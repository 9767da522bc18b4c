"""Reads what stands beside the cases: parties, notifications, earlier impoundings, confirmations,
closed days. Shared by api, console and the documents of acts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from fieldapi.models import (
    ClosedDay,
    Notification,
    Party,
    PriorImpounding,
    StatuteConfirmation,
)
from fieldapi.problems import NotFound
from fieldapi.queries.pages import Page, Turn, page
from sync.wire import JSON

_SHOWN_DIGITS = 4


@dataclass(frozen=True, slots=True)
class PartyView:
    """Somebody of the register. `merged_into`: who stands for them. `mobile`: masked in lists."""

    id: str
    name: str
    parent: str | None
    residence: str | None
    mobile: str | None
    is_resident: bool | None
    person_id: str | None
    merged_into: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class NotificationView:
    """An entry of the dated register. `used_at`: since an act relied on it."""

    id: str
    kind: str
    number: str
    dated: date | None
    effective_from: date
    effective_to: date | None
    pound_id: str | None
    area: str | None
    approved_by: str | None
    approved_on: date | None
    is_sample: bool
    data: dict[str, JSON]
    created_at: datetime
    used_at: datetime | None


def parties(
    session: Session, authority_id: str, turn: Turn, *, name: str | None
) -> Page[PartyView]:
    """Return a page of parties, mobile numbers masked; `name`: those whose name begins so."""
    query = select(Party).where(Party.authority_id == authority_id)
    if name:
        query = query.where(Party.name.startswith(name, autoescape=True))
    return page(session, query, turn, by=Party.id).map(lambda row: view_party(row, is_masked=True))


def party(session: Session, authority_id: str, party_id: str) -> PartyView:
    """Return one party. Raises `NotFound`."""
    row = session.get(Party, (authority_id, party_id))
    if row is None:
        raise NotFound("There is no such party.")
    return view_party(row, is_masked=False)


def notifications(
    session: Session,
    authority_id: str,
    turn: Turn,
    *,
    kinds: Sequence[str] = (),
    on: date | None = None,
) -> Page[NotificationView]:
    """Return a page of the register, of some kinds, in force on a day."""
    query = select(Notification).where(Notification.authority_id == authority_id)
    if kinds:
        query = query.where(Notification.kind.in_(kinds))
    if on is not None:
        query = query.where(
            Notification.effective_from <= on,
            or_(Notification.effective_to.is_(None), Notification.effective_to >= on),
        )
    return page(session, query, turn, by=Notification.id).map(view_notification)


def all_notifications(session: Session, authority_id: str) -> list[NotificationView]:
    """Return the whole dated register, the newest first."""
    query = select(Notification).where(Notification.authority_id == authority_id)
    rows = session.scalars(query.order_by(Notification.effective_from.desc(), Notification.id))
    return [view_notification(row) for row in rows]


def notification(session: Session, authority_id: str, notification_id: str) -> NotificationView:
    """Return one entry. Raises `NotFound`."""
    row = session.get(Notification, (authority_id, notification_id))
    if row is None:
        raise NotFound("There is no such notification.")
    return view_notification(row)


def prior_impoundings(session: Session, authority_id: str, turn: Turn) -> Page[PriorImpounding]:
    """Return a page of the impoundings from before this register."""
    query = select(PriorImpounding).where(PriorImpounding.authority_id == authority_id)
    return page(session, query, turn, by=PriorImpounding.id)


def prior_impounding(session: Session, authority_id: str, prior_id: str) -> PriorImpounding:
    """Return one of them. Raises `NotFound`."""
    row = session.get(PriorImpounding, (authority_id, prior_id))
    if row is None:
        raise NotFound("There is no such entry.")
    return row


def confirmations(session: Session, authority_id: str, turn: Turn) -> Page[StatuteConfirmation]:
    """Return a page of the values that were confirmed, once or twice."""
    query = select(StatuteConfirmation).where(StatuteConfirmation.authority_id == authority_id)
    return page(session, query, turn, by=StatuteConfirmation.id)


def confirmations_of(
    session: Session, authority_id: str, version: str
) -> list[StatuteConfirmation]:
    """Return what was confirmed of a version, once or twice, by key."""
    query = select(StatuteConfirmation).where(
        StatuteConfirmation.authority_id == authority_id, StatuteConfirmation.version == version
    )
    return list(session.scalars(query.order_by(StatuteConfirmation.key, StatuteConfirmation.id)))


def confirmation(session: Session, authority_id: str, confirmation_id: str) -> StatuteConfirmation:
    """Return one of them. Raises `NotFound`."""
    row = session.get(StatuteConfirmation, (authority_id, confirmation_id))
    if row is None:
        raise NotFound("There is no such confirmation.")
    return row


def closed_days(session: Session, authority_id: str) -> list[ClosedDay]:
    """Return every closed day of both calendars, by calendar and day."""
    query = select(ClosedDay).where(ClosedDay.authority_id == authority_id)
    return list(session.scalars(query.order_by(ClosedDay.calendar, ClosedDay.day)))


def view_party(row: Party, *, is_masked: bool) -> PartyView:
    """Return a party as it is read."""
    mobile = row.mobile
    if mobile and is_masked:
        mobile = "•" * (len(mobile) - _SHOWN_DIGITS) + mobile[-_SHOWN_DIGITS:]
    return PartyView(
        id=row.id,
        name=row.name,
        parent=row.parent,
        residence=row.residence,
        mobile=mobile,
        is_resident=row.is_resident,
        person_id=row.person_id,
        merged_into=row.merged_into,
        created_at=row.created_at,
    )


def view_notification(row: Notification) -> NotificationView:
    """Return an entry of the register as it is read."""
    return NotificationView(
        id=row.id,
        kind=row.kind,
        number=row.number,
        dated=row.dated,
        effective_from=row.effective_from,
        effective_to=row.effective_to,
        pound_id=row.pound_id,
        area=row.area,
        approved_by=row.approved_by,
        approved_on=row.approved_on,
        is_sample=row.is_sample,
        data=json.loads(row.data),
        created_at=row.created_at,
        used_at=row.used_at,
    )
