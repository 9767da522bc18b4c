"""What the panchayat made of a report, and the doubts that code or people attached to records."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, Id, IdKey, one_of

OUTCOMES = ("under_review", "accepted", "rejected", "correction_asked")


class Review(Base):
    """One step of the review of a report: taken up, accepted, rejected, sent back; with reason."""

    __tablename__ = "review"
    __table_args__ = (
        ForeignKeyConstraint(
            ["authority_id", "seizure_id"], ["seizure.authority_id", "seizure.id"]
        ),
        ForeignKeyConstraint(["authority_id", "person_id"], ["person.authority_id", "person.id"]),
        CheckConstraint(one_of("outcome", OUTCOMES), name="outcome"),
        Index(None, "authority_id", "seizure_id", "at"),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    seizure_id: Mapped[Id]
    person_id: Mapped[Id]
    outcome: Mapped[str]
    reason: Mapped[str]
    at: Mapped[datetime]


class Assignment(Base):
    """Whose a report is to review. Gone when nobody's; who gave it to whom is in the ledger."""

    __tablename__ = "assignment"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id", "person_id"], ["person.authority_id", "person.id"]),
        Index(None, "authority_id", "person_id"),
    )

    authority_id: Mapped[IdKey]
    seizure_id: Mapped[IdKey]
    person_id: Mapped[Id]
    by_id: Mapped[Id]
    at: Mapped[datetime]


class Comment(Base):
    """What one of the desk wrote beside a report, for the desk alone. Never changed."""

    __tablename__ = "comment"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id", "person_id"], ["person.authority_id", "person.id"]),
        Index(None, "authority_id", "seizure_id", "at"),
        Index(None, "authority_id", "person_id"),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    seizure_id: Mapped[Id]
    person_id: Mapped[Id]
    text: Mapped[str]
    at: Mapped[datetime]


class Flag(Base):
    """A doubt about a record: never a verdict. `detail`: JSON of what was compared."""

    __tablename__ = "flag"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id"], ["authority.id"]),
        Index(None, "authority_id", "flag"),
    )

    authority_id: Mapped[IdKey]
    kind: Mapped[str] = mapped_column(primary_key=True)
    record_id: Mapped[IdKey]
    flag: Mapped[str] = mapped_column(primary_key=True)
    detail: Mapped[str] = mapped_column(default="{}")
    at: Mapped[datetime]
