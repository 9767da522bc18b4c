"""Complaints of illegal seizure or detention, as they were taken in; what follows is their acts."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, Id, IdKey, one_of

OUTCOMES = ("dismissed", "lawful", "illegal")


class Complaint(Base):
    """One complaint about one seizure. `by_id`: who complains; `agent_id`: who came instead.

    `heads`: JSON list, empty for all that are the complainant's. `data`: JSON of what was said, by
    whom and against whom; `salt`: hex, before it under the hash in the ledger. `taken_by`: who took
    it in. `state`, `outcome`, `decided_at` follow from the acts.
    """

    __tablename__ = "complaint"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id"], ["authority.id"]),
        ForeignKeyConstraint(
            ["authority_id", "seizure_id"], ["case_file.authority_id", "case_file.id"]
        ),
        ForeignKeyConstraint(["authority_id", "by_id"], ["party.authority_id", "party.id"]),
        ForeignKeyConstraint(["authority_id", "agent_id"], ["party.authority_id", "party.id"]),
        CheckConstraint(f"outcome IS NULL OR {one_of('outcome', OUTCOMES)}", name="outcome"),
        Index(None, "authority_id", "seizure_id"),
        Index(None, "authority_id", "by_id"),
        Index(None, "authority_id", "agent_id"),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    seizure_id: Mapped[Id]
    by_id: Mapped[Id]
    agent_id: Mapped[Id | None]
    is_acquainted: Mapped[bool]
    is_verbal: Mapped[bool]
    made_at: Mapped[datetime]
    heads: Mapped[str] = mapped_column(default="[]")
    data: Mapped[str]
    salt: Mapped[str] = mapped_column(default="", server_default=text("''"))
    state: Mapped[str]
    outcome: Mapped[str | None]
    decided_at: Mapped[datetime | None]
    taken_by: Mapped[Id]
    acts: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime]
