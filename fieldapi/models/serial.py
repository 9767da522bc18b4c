"""Serials of official papers: without a gap for each pound, financial year and epoch letter."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, Id, IdKey


class SerialSeries(Base):
    """One series; `last` was the last number given out, under a lock on this row.

    `book`: `register`, `receipt` … `year`: the first calendar year of the financial year (IST).
    `letter`: of the ledger's epoch, so that a number lost with a backup never comes twice.
    """

    __tablename__ = "serial_series"
    __table_args__ = (ForeignKeyConstraint(["authority_id"], ["authority.id"]),)

    authority_id: Mapped[IdKey]
    pound_id: Mapped[IdKey]
    book: Mapped[str] = mapped_column(primary_key=True)
    year: Mapped[int] = mapped_column(primary_key=True)
    letter: Mapped[str] = mapped_column(primary_key=True)
    last: Mapped[int] = mapped_column(default=0)


class Serial(Base):
    """A number that was given out. One that was wrong is voided; nobody gets it again."""

    __tablename__ = "serial"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id", "act_id"], ["act.authority_id", "act.id"]),
        Index(None, "authority_id", "act_id"),
    )

    authority_id: Mapped[IdKey]
    pound_id: Mapped[IdKey]
    book: Mapped[str] = mapped_column(primary_key=True)
    year: Mapped[int] = mapped_column(primary_key=True)
    letter: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    act_id: Mapped[Id]
    issued_at: Mapped[datetime]
    voided_at: Mapped[datetime | None]
    void_reason: Mapped[str | None]
