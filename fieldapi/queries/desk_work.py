"""Whose a report is to review, and what the desk noted beside it. Shared by api and console."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import case, select
from sqlalchemy.orm import Session

from fieldapi.clock import format_instant
from fieldapi.domain.reviews import ACCEPTED, REJECTED, RESUBMITTED
from fieldapi.models import Assignment, Comment, Membership, Person, Seizure
from fieldapi.models.bulk import among

View = dict[str, Any]


def assigned(session: Session, authority_id: str, seizure_ids: Collection[str]) -> dict[str, str]:
    """Return the reviewer of each report that is somebody's, by report."""
    query = select(Assignment.seizure_id, Assignment.person_id).where(
        Assignment.authority_id == authority_id,
        among(session, Assignment.seizure_id, seizure_ids),
    )
    return {row.seizure_id: row.person_id for row in session.execute(query)}


def waiting_for(session: Session, authority_id: str, person_id: str) -> list[str]:
    """Return the undecided reports of a reviewer: those that came back first, then the oldest."""
    is_back = case((Seizure.state == RESUBMITTED, 0), else_=1)
    query = (
        select(Seizure.id)
        .join(
            Assignment,
            (Assignment.authority_id == Seizure.authority_id)
            & (Assignment.seizure_id == Seizure.id),
        )
        .where(
            Assignment.authority_id == authority_id,
            Assignment.person_id == person_id,
            Seizure.state.not_in((ACCEPTED, REJECTED)),
            Seizure.is_withdrawn.is_(False),
        )
        .order_by(is_back, Seizure.received_at, Seizure.id)
    )
    return list(session.scalars(query))


def assignment(session: Session, authority_id: str, seizure_id: str) -> View:
    """Return whose a report is."""
    row = session.get(Assignment, (authority_id, seizure_id))
    if row is None:
        return {"seizure": seizure_id, "to": None, "by": None, "at": None}
    at = format_instant(row.at)
    return {"seizure": seizure_id, "to": row.person_id, "by": row.by_id, "at": at}


def comments(session: Session, authority_id: str, seizure_id: str) -> list[View]:
    """Return what the desk noted beside a report, oldest first."""
    query = select(Comment).where(
        Comment.authority_id == authority_id, Comment.seizure_id == seizure_id
    )
    return [comment(row) for row in session.scalars(query.order_by(Comment.at, Comment.id))]


def comment(row: Comment) -> View:
    """Return a comment as it is read."""
    return {
        "id": row.id,
        "seizure": row.seizure_id,
        "by": row.person_id,
        "at": format_instant(row.at),
        "text": row.text,
    }


def judges(session: Session, authority_id: str, *, now: datetime) -> dict[str, str]:
    """Return the names of those who review reports at a moment, by id."""
    query = (
        select(Person.id, Person.name)
        .join(
            Membership,
            (Membership.authority_id == Person.authority_id) & (Membership.person_id == Person.id),
        )
        .where(
            Person.authority_id == authority_id,
            Membership.role.in_(("reviewer", "decider")),
            Membership.ends_at.is_(None) | (Membership.ends_at > now),
        )
        .order_by(Person.name, Person.id)
        .distinct()
    )
    return {row.id: row.name for row in session.execute(query)}
