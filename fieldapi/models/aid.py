"""Help given (or refused) by the police against resistance or rescue."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped

from fieldapi.models.base import Base, Id
from fieldapi.models.record import RecordRow, Shown, instant, text


class Aid(RecordRow, Base):
    """Police aid. `seizure_id` may be unknown to the officer and come later."""

    KIND: ClassVar[str] = "aid"
    __tablename__ = "aid"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id"], ["authority.id"]),
        Index(None, "authority_id", "seizure_id"),
    )

    seizure_id: Mapped[Id | None]
    ground: Mapped[str | None]
    requested_at: Mapped[datetime | None]

    @classmethod
    def typed(cls, shown: Shown) -> dict[str, Any]:
        """Return the values of the typed columns that follow from `shown`."""
        return {
            "seizure_id": text(shown, "seizure_id"),
            "ground": text(shown, "ground"),
            "requested_at": instant(shown, "requested_at"),
        }
