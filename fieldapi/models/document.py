"""Official papers: the data that an act stored for each, and whether its original was printed."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, Id, IdKey


class Document(Base):
    """One paper. `data`: JSON of all it says, stored by its act; a page is drawn from it on demand.

    `prints`: how often it was printed; the first print is the original. `voided_at`: with its
    serial.
    """

    __tablename__ = "document"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id", "act_id"], ["act.authority_id", "act.id"]),
        Index(None, "authority_id", "act_id"),
        Index(None, "authority_id", "seizure_id"),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    act_id: Mapped[Id]
    seizure_id: Mapped[Id | None]
    pound_id: Mapped[Id | None]
    kind: Mapped[str]
    serial: Mapped[str | None]
    data: Mapped[str]
    issued_at: Mapped[datetime]
    prints: Mapped[int] = mapped_column(default=0)
    printed_at: Mapped[datetime | None]
    voided_at: Mapped[datetime | None]
