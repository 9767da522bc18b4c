"""Reads pairs of reports that may be one seizure: a list in short, one pair side by side.

Shared by api and console.
"""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from fieldapi.clock import format_instant
from fieldapi.domain.access import Principal
from fieldapi.models import Duplicate
from fieldapi.problems import NotFound
from fieldapi.queries import seizures
from fieldapi.queries.pages import Page, Turn, page

View = dict[str, Any]


def page_of(
    session: Session,
    authority_id: str,
    turn: Turn,
    *,
    state: str | None = None,
    seizure_id: str | None = None,
) -> Page[View]:
    """Return a page of pairs in short."""
    query = select(Duplicate).where(Duplicate.authority_id == authority_id)
    if state is not None:
        query = query.where(Duplicate.state == state)
    if seizure_id is not None:
        is_one_of = or_(Duplicate.one_id == seizure_id, Duplicate.other_id == seizure_id)
        query = query.where(is_one_of)
    return page(session, query, turn, by=Duplicate.id).map(short)


def get(session: Session, authority_id: str, duplicate_id: str) -> Duplicate:
    """Return the row of a pair. Raises `NotFound`."""
    row = session.get(Duplicate, (authority_id, duplicate_id))
    if row is None:
        raise NotFound("There is no such pair.")
    return row


def one(session: Session, principal: Principal, duplicate_id: str) -> View:
    """Return a pair with both reports whole, side by side. Raises `NotFound`."""
    row = get(session, principal.authority_id, duplicate_id)
    reports = [seizures.one(session, principal, id) for id in (row.one_id, row.other_id)]
    return {**short(row), "reports": reports}


def short(row: Duplicate) -> View:
    """Return a pair as a list tells it."""
    return {
        "id": row.id,
        "seizures": [row.one_id, row.other_id],
        "grounds": json.loads(row.grounds),
        "state": row.state,
        "reason": row.reason or None,
        "decided_by": row.decided_by,
        "decided_at": format_instant(row.decided_at) if row.decided_at else None,
        "found_at": format_instant(row.found_at),
    }
