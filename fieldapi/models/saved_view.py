"""Filters of the list of reports that somebody named for themselves. How a person works, never
evidence: no ledger entry speaks of them.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped

from fieldapi.models.base import Base, Id, IdKey


class SavedView(Base):
    """One filter under one name. `query`: the parameters of the address, as a browser sends them.

    Gone when its owner removes it; a restore brings back those of its day.
    """

    __tablename__ = "saved_view"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id", "person_id"], ["person.authority_id", "person.id"]),
        Index(None, "authority_id", "person_id", "name", unique=True),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    person_id: Mapped[Id]
    name: Mapped[str]
    query: Mapped[str]
    at: Mapped[datetime]
