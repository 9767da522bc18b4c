"""Reads removal orders and offences with what was done under them. Shared by api and console."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.clock import format_instant
from fieldapi.models import Offence, RemovalOrder
from fieldapi.problems import NotFound
from fieldapi.queries import acts
from fieldapi.queries.case_facts import acts_of
from fieldapi.queries.pages import Page, Turn, page

View = dict[str, Any]


def orders(session: Session, authority_id: str, turn: Turn) -> Page[View]:
    """Return a page of removal orders."""
    query = select(RemovalOrder).where(RemovalOrder.authority_id == authority_id)
    return page(session, query, turn, by=RemovalOrder.id).map(lambda row: _order(session, row))


def order(session: Session, authority_id: str, order_id: str) -> View:
    """Return one removal order. Raises `NotFound`."""
    row = session.get(RemovalOrder, (authority_id, order_id))
    if row is None:
        raise NotFound("There is no such order.")
    return _order(session, row)


def offences(session: Session, authority_id: str, turn: Turn) -> Page[View]:
    """Return a page of offences."""
    query = select(Offence).where(Offence.authority_id == authority_id)
    return page(session, query, turn, by=Offence.id).map(lambda row: _offence(session, row))


def offence(session: Session, authority_id: str, offence_id: str) -> View:
    """Return one offence. Raises `NotFound`."""
    row = session.get(Offence, (authority_id, offence_id))
    if row is None:
        raise NotFound("There is no such offence.")
    return _offence(session, row)


def _order(session: Session, row: RemovalOrder) -> View:
    history = acts.views(session, acts_of(session, row.authority_id, "removal_order", row.id))
    return {
        "id": row.id,
        "kind": row.kind,
        "owner": row.owner_id,
        "state": row.state,
        "version": row.version,
        "data": json.loads(row.data),
        "created_at": format_instant(row.created_at),
        "history": history,
    }


def _offence(session: Session, row: Offence) -> View:
    data = json.loads(row.data)
    return {
        "id": row.id,
        "what": data["what"],
        "section": row.section,
        "case": row.seizure_id,
        "accused": row.accused_id,
        "text": data.get("text"),
        "state": row.state,
        "committed_at": format_instant(row.committed_at),
        "created_at": format_instant(row.created_at),
        "history": acts.views(session, acts_of(session, row.authority_id, "offence", row.id)),
    }
