"""The case of a seizure: what was pinned at its first receipt, and the lock its acts queue at."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, Id, IdKey, one_of

STATES = ("open", "closed")


class CaseFile(Base):
    """One case; its id is the seizure's. `acts`: how many there are, so that each knows its turn.

    `version`, `digest`: the statute in force on the day of the seizure. `is_pinned`: the authority
    chose that version itself. `confirmations`: JSON list of the values two persons had confirmed.
    """

    __tablename__ = "case_file"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id", "id"], ["seizure.authority_id", "seizure.id"]),
        CheckConstraint(one_of("state", STATES), name="state"),
        Index(None, "authority_id", "state"),
        Index(None, "authority_id", "pound_id", "state"),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    pound_id: Mapped[Id | None]
    version: Mapped[str]
    digest: Mapped[str]
    is_pinned: Mapped[bool]
    confirmations: Mapped[str] = mapped_column(default="[]")
    state: Mapped[str] = mapped_column(default="open")
    acts: Mapped[int] = mapped_column(default=0)
    opened_at: Mapped[datetime]
    closed_at: Mapped[datetime | None]


class Deadline(Base):
    """A clock of a case as it stood after the last act: what has to be done, and until when.

    `last_moment`: still in time; the next instant is late. `opens_at`: before it the act that the
    clock allows is too early. `told_at`: when the ledger was told that it had passed.
    """

    __tablename__ = "deadline"
    __table_args__ = (
        ForeignKeyConstraint(
            ["authority_id", "seizure_id"], ["case_file.authority_id", "case_file.id"]
        ),
        Index(None, "authority_id", "last_moment"),
    )

    authority_id: Mapped[IdKey]
    seizure_id: Mapped[IdKey]
    n: Mapped[int] = mapped_column(primary_key=True)
    rule: Mapped[str]
    starts_at: Mapped[datetime]
    last_moment: Mapped[datetime]
    opens_at: Mapped[datetime | None]
    then: Mapped[str]
    favours: Mapped[str]
    source: Mapped[str]
    is_verified: Mapped[bool]
    is_met: Mapped[bool]
    told_at: Mapped[datetime | None]
