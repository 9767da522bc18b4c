"""Reads the filters that somebody named for themselves. For the console."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.models import SavedView


@dataclass(frozen=True, slots=True)
class View:
    """One filter under its name. `query`: as in an address."""

    id: str
    name: str
    query: str


def of_person(session: Session, authority_id: str, person_id: str) -> list[View]:
    """Return the views of a person, by name."""
    query = (
        select(SavedView)
        .where(SavedView.authority_id == authority_id, SavedView.person_id == person_id)
        .order_by(SavedView.name)
    )
    return [View(row.id, row.name, row.query) for row in session.scalars(query)]
