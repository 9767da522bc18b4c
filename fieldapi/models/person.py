"""People of an authority, what they may do and since when, and how they sign in to the console."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, Id, IdKey, one_of

ROLES = ("reporter", "pound_keeper", "reviewer", "decider", "admin", "auditor")


class Person(Base):
    """An officer, keeper, cultivator or clerk. `capacity`: the statute profile's code of the
    right by which this person seizes. `mobile` is personal: masked in lists, never logged.
    """

    __tablename__ = "person"
    __table_args__ = (ForeignKeyConstraint(["authority_id"], ["authority.id"]),)

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    name: Mapped[str]
    capacity: Mapped[str | None]
    mobile: Mapped[str | None]
    language: Mapped[str] = mapped_column(default="en")
    created_at: Mapped[datetime]


class Membership(Base):
    """A role held from `starts_at` until `ends_at`. A keeper without `pound_id` keeps them all."""

    __tablename__ = "membership"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id", "person_id"], ["person.authority_id", "person.id"]),
        ForeignKeyConstraint(["authority_id", "pound_id"], ["pound.authority_id", "pound.id"]),
        CheckConstraint(one_of("role", ROLES), name="role"),
        CheckConstraint("ends_at IS NULL OR ends_at > starts_at", name="ends_after_start"),
        Index(None, "authority_id", "person_id"),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    person_id: Mapped[Id]
    role: Mapped[str]
    pound_id: Mapped[Id | None]
    starts_at: Mapped[datetime]
    ends_at: Mapped[datetime | None]


class SignIn(Base):
    """The console password of a person (argon2id) and the sign-in name, unique on the server.

    `factor_nonce`: the secret of the second factor is the server's HMAC of it, so that the database
    alone makes no code; `factor_at`: since when it is asked for; `factor_step`: the last one used.
    """

    __tablename__ = "sign_in"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id", "person_id"], ["person.authority_id", "person.id"]),
    )

    name: Mapped[IdKey]
    authority_id: Mapped[Id]
    person_id: Mapped[Id]
    password_hash: Mapped[str]
    changed_at: Mapped[datetime]
    factor_nonce: Mapped[str | None]
    factor_at: Mapped[datetime | None]
    factor_step: Mapped[int | None] = mapped_column(BigInteger)


class RecoveryCode(Base):
    """One code that stands in for the second factor, once. Only its HMAC is kept."""

    __tablename__ = "recovery_code"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id", "person_id"], ["person.authority_id", "person.id"]),
    )

    authority_id: Mapped[IdKey]
    person_id: Mapped[IdKey]
    code_hash: Mapped[IdKey]
    used_at: Mapped[datetime | None]


class SignInLink(Base):
    """A link by which a person chooses the first, or a new, password: once, within a day."""

    __tablename__ = "sign_in_link"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id", "person_id"], ["person.authority_id", "person.id"]),
    )

    token_hash: Mapped[IdKey]
    authority_id: Mapped[Id]
    person_id: Mapped[Id]
    name: Mapped[str]
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class ConsoleSession(Base):
    """A signed-in browser. Only the SHA-256 of its cookie is kept.

    `is_whole`: the second factor was given, or none is asked for. `proved_at`: when the password
    was last given. `agent`: kind of browser, for the person's own list.
    """

    __tablename__ = "console_session"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id", "person_id"], ["person.authority_id", "person.id"]),
        Index(None, "authority_id", "person_id"),
    )

    token_hash: Mapped[IdKey]
    id: Mapped[Id]
    authority_id: Mapped[Id]
    person_id: Mapped[Id]
    language: Mapped[str]
    agent: Mapped[str]
    is_whole: Mapped[bool]
    started_at: Mapped[datetime]
    proved_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    ends_at: Mapped[datetime]
