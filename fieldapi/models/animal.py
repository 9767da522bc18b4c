"""One lot of animals of one kind within a seizure."""

from __future__ import annotations

from typing import Any, ClassVar

from sqlalchemy import ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped

from fieldapi.models.base import Base, Id
from fieldapi.models.record import RecordRow, Shown, number, text


class Animal(RecordRow, Base):
    """A lot. `seizure_id` is filled by a phone and may name a seizure that has yet to come."""

    KIND: ClassVar[str] = "animal"
    __tablename__ = "animal"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id"], ["authority.id"]),
        Index(None, "authority_id", "seizure_id"),
        Index(None, "authority_id", "kind"),
    )

    seizure_id: Mapped[Id | None]
    kind: Mapped[str | None]
    count: Mapped[int | None]

    @classmethod
    def typed(cls, shown: Shown) -> dict[str, Any]:
        """Return the values of the typed columns that follow from `shown`."""
        count = number(shown, "count")
        return {
            "seizure_id": text(shown, "seizure_id"),
            "kind": text(shown, "kind"),
            "count": int(count) if count is not None else None,
        }
