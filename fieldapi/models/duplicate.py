"""Pairs of reports that may be one seizure: found by pending work, judged by a reviewer."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, Id, IdKey, one_of

STATES = ("open", "linked", "dismissed")


class Duplicate(Base):
    """One pair, the smaller id first. `grounds`: JSON of what they share. Nothing is ever merged:
    `linked` says that both tell of one seizure, `dismissed` that they do not, each with a reason.
    """

    __tablename__ = "duplicate"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id"], ["authority.id"]),
        CheckConstraint(one_of("state", STATES), name="state"),
        Index(None, "authority_id", "one_id", "other_id", unique=True),
        Index(None, "authority_id", "other_id"),
        Index(None, "authority_id", "state", "id"),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    one_id: Mapped[Id]
    other_id: Mapped[Id]
    grounds: Mapped[str]
    state: Mapped[str] = mapped_column(default="open")
    reason: Mapped[str] = mapped_column(default="")
    decided_by: Mapped[Id | None]
    decided_at: Mapped[datetime | None]
    found_at: Mapped[datetime]
