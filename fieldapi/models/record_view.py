"""Who saw personal data of which record or person, by day."""

from __future__ import annotations

from datetime import date

from sqlalchemy import Date, ForeignKeyConstraint
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, IdKey


class RecordView(Base):
    """That somebody saw personal data of somebody else on a day: the ledger has one entry per row
    here. `subject`: `noun/id`.
    """

    __tablename__ = "record_view"
    __table_args__ = (ForeignKeyConstraint(["authority_id"], ["authority.id"]),)

    authority_id: Mapped[IdKey]
    actor: Mapped[IdKey]
    subject: Mapped[IdKey]
    day: Mapped[date] = mapped_column(Date, primary_key=True)
