"""Phones: the code that lets one in, the device itself, and the people who report from it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKeyConstraint, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, Id, IdKey, one_of

STANDINGS = ("pending", "confirmed", "rejected", "revoked")


class Enrolment(Base):
    """A one-time code for one person; only its HMAC is kept. Burnt after five wrong tries at
    its `lookup` (the first four characters), used by one conditional UPDATE.
    """

    __tablename__ = "enrolment"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id", "person_id"], ["person.authority_id", "person.id"]),
        Index(None, "lookup"),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    person_id: Mapped[Id]
    lookup: Mapped[str]
    code_hash: Mapped[str] = mapped_column(unique=True)
    is_confirmed: Mapped[bool]
    made_by: Mapped[str]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]
    device_id: Mapped[Id | None]
    burnt_at: Mapped[datetime | None]


class Device(Base):
    """An enrolled phone or integration. `token_hash`: SHA-256 of its bearer token; `next_hash`
    takes over when first used (rotation). `public_key`: JWK text, once it signs its ops.
    `standing_reason`: why it was rejected or revoked, for its phone to show. `seen_at`: when a
    token was first used since it was let in, or taken back. `last_n` and `last_stamp`: the greatest
    it has handed in.
    """

    __tablename__ = "device"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id", "person_id"], ["person.authority_id", "person.id"]),
        UniqueConstraint("authority_id", "number"),
        UniqueConstraint("authority_id", "actor"),
        CheckConstraint(one_of("standing", STANDINGS), name="standing"),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    number: Mapped[int]
    actor: Mapped[str]
    person_id: Mapped[Id]
    standing: Mapped[str]
    make: Mapped[str | None]
    model: Mapped[str | None]
    colour: Mapped[str | None]
    os: Mapped[str | None]
    app_version: Mapped[str | None]
    public_key: Mapped[str | None]
    token_hash: Mapped[str] = mapped_column(unique=True)
    next_hash: Mapped[str | None] = mapped_column(unique=True)
    token_at: Mapped[datetime]
    enrolled_at: Mapped[datetime]
    standing_at: Mapped[datetime]
    standing_reason: Mapped[str | None]
    seen_at: Mapped[datetime | None]
    last_n: Mapped[int | None] = mapped_column(BigInteger)
    last_stamp: Mapped[Id | None]
    is_cloned: Mapped[bool] = mapped_column(default=False)


class DevicePerson(Base):
    """A person who may be named as `by` on a device. Usually one; several on a shared phone."""

    __tablename__ = "device_person"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id", "device_id"], ["device.authority_id", "device.id"]),
        ForeignKeyConstraint(["authority_id", "person_id"], ["person.authority_id", "person.id"]),
    )

    authority_id: Mapped[IdKey]
    device_id: Mapped[IdKey]
    person_id: Mapped[IdKey]
    since: Mapped[datetime]
    until: Mapped[datetime | None]


class DeviceUse(Base):
    """When a device last showed its token, to the day: a token that rests for long ends."""

    __tablename__ = "device_use"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id", "device_id"], ["device.authority_id", "device.id"]),
    )

    authority_id: Mapped[IdKey]
    device_id: Mapped[IdKey]
    used_at: Mapped[datetime]
