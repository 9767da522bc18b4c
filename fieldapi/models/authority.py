"""The local authority (panchayat) that owns every record, and what it lists: pounds, places,
calendars. Server-owned, so foreign keys hold.
"""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import BigInteger, CheckConstraint, Date, ForeignKey, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, Id, IdKey, one_of

CALENDARS = ("office", "pound")


class Authority(Base):
    """One panchayat or local authority. `statute`: a series (`kerala`) or one pinned version
    (`kerala-1961`). `area`: GeoJSON text of its limits. `next_device`: the next device number.
    `retention_days`: personal values of a case go so long after its decision; None keeps them.
    """

    __tablename__ = "authority"

    id: Mapped[IdKey]
    code: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    statute: Mapped[str]
    languages: Mapped[str] = mapped_column(default="en")
    area: Mapped[str | None]
    confirm_devices: Mapped[bool] = mapped_column(default=True)
    next_device: Mapped[int] = mapped_column(default=1)
    retention_days: Mapped[int | None]
    created_at: Mapped[datetime]


class Pound(Base):
    """A pound and where it stands. `area`: GeoJSON text of the area it was established for."""

    __tablename__ = "pound"
    __table_args__ = (ForeignKeyConstraint(["authority_id"], ["authority.id"]),)

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    name: Mapped[str]
    lat: Mapped[float | None]
    lon: Mapped[float | None]
    area: Mapped[str | None]
    closed_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class Place(Base):
    """A named place offered by the place picker of the phone app."""

    __tablename__ = "place"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id"], ["authority.id"]),
        Index(None, "authority_id", "name"),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    name: Mapped[str]
    local_name: Mapped[str | None]
    lat: Mapped[float | None]
    lon: Mapped[float | None]


class ClosedDay(Base):
    """A day on which the office or the pound is closed: periods roll over it, where the law
    lets them.
    """

    __tablename__ = "closed_day"
    __table_args__ = (CheckConstraint(one_of("calendar", CALENDARS), name="calendar"),)

    authority_id: Mapped[Id] = mapped_column(ForeignKey("authority.id"), primary_key=True)
    calendar: Mapped[str] = mapped_column(primary_key=True)
    day: Mapped[date] = mapped_column(Date, primary_key=True)
    reason: Mapped[str]


class WriterKey(Base):
    """The stamp counter of one server actor, locked while the server builds ops for it."""

    __tablename__ = "writer_key"

    authority_id: Mapped[Id] = mapped_column(ForeignKey("authority.id"), primary_key=True)
    actor: Mapped[IdKey]
    last_stamp: Mapped[str]
    built: Mapped[int] = mapped_column(BigInteger, default=0)
