"""Holds: why a record is kept although its time is over, and since when."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped

from fieldapi.models.base import Base, Id, IdKey


class Hold(Base):
    """A seizure that neither retention nor an erasure touches, from `since` until `ended_at`.

    `reason`: a word of the office (a court's number), never of the people in it.
    """

    __tablename__ = "hold"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id"], ["authority.id"]),
        Index(None, "authority_id", "seizure_id"),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    seizure_id: Mapped[Id]
    reason: Mapped[str]
    since: Mapped[datetime]
    ended_at: Mapped[datetime | None]
