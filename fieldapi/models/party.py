"""People of the register: owners and keepers of cattle, their agents, seizers, buyers."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import CheckConstraint, Date, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, Id, IdKey, one_of

LEGALITIES = ("not_disputed", "disputed", "adjudged_lawful", "adjudged_illegal")


class Party(Base):
    """Somebody who owes, owns, buys or seizes. All but the ids is personal.

    `merged_into`: the party that stands for this one since both were found to be the same.
    `person_id`: the account of the same human being, where they hold one.
    """

    __tablename__ = "party"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id"], ["authority.id"]),
        ForeignKeyConstraint(["authority_id", "merged_into"], ["party.authority_id", "party.id"]),
        ForeignKeyConstraint(["authority_id", "person_id"], ["person.authority_id", "person.id"]),
        CheckConstraint("merged_into IS NULL OR merged_into <> id", name="merged_elsewhere"),
        Index(None, "authority_id", "mobile"),
        Index(None, "authority_id", "merged_into"),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    name: Mapped[str]
    parent: Mapped[str | None]
    residence: Mapped[str | None]
    mobile: Mapped[str | None]
    is_resident: Mapped[bool | None]
    person_id: Mapped[Id | None]
    merged_into: Mapped[Id | None]
    created_at: Mapped[datetime]


class PriorImpounding(Base):
    """An impounding from before this register was kept: it counts as a time. `head`: how many.

    `source`: where it was read, such as a page of the paper register.
    """

    __tablename__ = "prior_impounding"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id", "party_id"], ["party.authority_id", "party.id"]),
        CheckConstraint("head > 0", name="head"),
        CheckConstraint(one_of("legality", LEGALITIES), name="legality"),
        Index(None, "authority_id", "party_id"),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    party_id: Mapped[Id]
    impounded_on: Mapped[date] = mapped_column(Date)
    head: Mapped[int]
    legality: Mapped[str] = mapped_column(default="not_disputed")
    source: Mapped[str]
    entered_by: Mapped[Id]
    created_at: Mapped[datetime]
