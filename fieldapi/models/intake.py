"""What the pound keeper received and counted."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped

from fieldapi.models.base import Base, Id
from fieldapi.models.record import RecordRow, Shown, instant, text


class Intake(RecordRow, Base):
    """The arrival of seized cattle at a pound."""

    KIND: ClassVar[str] = "intake"
    __tablename__ = "intake"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id"], ["authority.id"]),
        Index(None, "authority_id", "seizure_id"),
        Index(None, "authority_id", "pound_id"),
    )

    seizure_id: Mapped[Id | None]
    pound_id: Mapped[Id | None]
    intake_at: Mapped[datetime | None]

    @classmethod
    def typed(cls, shown: Shown) -> dict[str, Any]:
        """Return the values of the typed columns that follow from `shown`."""
        return {
            "seizure_id": text(shown, "seizure_id"),
            "pound_id": text(shown, "pound_id"),
            "intake_at": instant(shown, "received_at"),
        }
