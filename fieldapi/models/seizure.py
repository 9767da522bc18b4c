"""The seizure report, the record that everything else hangs on."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, Id, index_where, one_of
from fieldapi.models.record import RecordRow, Shown, instant, number, text

STATES = ("received", "under_review", "accepted", "rejected", "correction_asked", "resubmitted")


class Seizure(RecordRow, Base):
    """One seizure. `state`, `reviewer_id` and the times of review are the server's own.

    `minted_reference`: given by the server to a report that came without one.
    """

    KIND: ClassVar[str] = "seizure"
    __tablename__ = "seizure"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id"], ["authority.id"]),
        CheckConstraint(one_of("state", STATES), name="state"),
        Index(None, "authority_id", "received_at", "id"),
        Index(None, "authority_id", "seized_at", "id"),
        Index(None, "authority_id", "reference"),
        Index(None, "authority_id", "state"),
        Index(None, "authority_id", "lat", "lon"),
        # What lists count: a row without heads is only the lock of a report that has not come.
        index_where("ix_seizure_listed", "authority_id", "state", where="heads <> ''"),
    )

    state: Mapped[str] = mapped_column(default="received")
    minted_reference: Mapped[str | None]
    reference: Mapped[str | None]
    seized_at: Mapped[datetime | None]
    lat: Mapped[float | None]
    lon: Mapped[float | None]
    capacity: Mapped[str | None]
    ground: Mapped[str | None]
    place_kind: Mapped[str | None]
    pound_id: Mapped[Id | None]

    @classmethod
    def typed(cls, shown: Shown) -> dict[str, Any]:
        """Return the values of the typed columns that follow from `shown`."""
        return {
            "reference": text(shown, "reference"),
            "seized_at": instant(shown, "seized_at"),
            "lat": number(shown, "location", "lat"),
            "lon": number(shown, "location", "lon"),
            "capacity": text(shown, "capacity"),
            "ground": text(shown, "ground"),
            "place_kind": text(shown, "place_kind"),
            "pound_id": text(shown, "pound_id"),
        }
