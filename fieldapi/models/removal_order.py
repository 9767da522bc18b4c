"""Orders that cattle leave a local area, and offences that were seen: beside the cases."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, Id, IdKey, one_of

REMOVAL_KINDS = ("special", "general")


class RemovalOrder(Base):
    """An order under which an owner, or a class of owners, takes cattle away (Gujarat s. 190).

    `owner_id`: None for a general order. `data`: JSON of ground, findings, place, period, heads.
    """

    __tablename__ = "removal_order"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id"], ["authority.id"]),
        ForeignKeyConstraint(["authority_id", "owner_id"], ["party.authority_id", "party.id"]),
        CheckConstraint(one_of("kind", REMOVAL_KINDS), name="kind"),
        Index(None, "authority_id", "owner_id"),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    kind: Mapped[str]
    owner_id: Mapped[Id | None]
    state: Mapped[str]
    version: Mapped[str]
    data: Mapped[str]
    acts: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime]


class Offence(Base):
    """An offence as it was seen, for the police or a Magistrate: the product decides nothing.

    `section`: of the statute. `accused_id`: None while nobody is named. `data`: JSON of the facts.
    """

    __tablename__ = "offence"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id"], ["authority.id"]),
        ForeignKeyConstraint(["authority_id", "accused_id"], ["party.authority_id", "party.id"]),
        Index(None, "authority_id", "seizure_id"),
        Index(None, "authority_id", "accused_id"),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    seizure_id: Mapped[Id | None]
    accused_id: Mapped[Id | None]
    section: Mapped[str]
    state: Mapped[str]
    committed_at: Mapped[datetime]
    data: Mapped[str]
    acts: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime]
