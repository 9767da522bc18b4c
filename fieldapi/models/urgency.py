"""How soon something is due in a case: what orders the reviewer's list. Derived, never evidence."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, IdKey, index_where


class Urgency(Base):
    """The place of one seizure in the list. `due_at`: the nearest deadline that nobody has met; of
    a report that nobody looked at yet long before, of one without deadline long after all others.

    `rule`: of that deadline. `is_ranked`: False until the job has looked since the last change.
    """

    __tablename__ = "urgency"
    __table_args__ = (
        index_where("ix_urgency_unranked", "authority_id", where="NOT is_ranked"),
        Index(None, "authority_id", "due_at", "seizure_id"),
    )

    authority_id: Mapped[IdKey]
    seizure_id: Mapped[IdKey]
    due_at: Mapped[datetime]
    rule: Mapped[str | None]
    is_ranked: Mapped[bool] = mapped_column(default=False)
