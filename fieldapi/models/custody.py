"""Heads of cattle, one row for each, and what finally became of them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped

from fieldapi.models.base import Base, Id, IdKey, index_where, one_of

ORIGINS = ("seized", "counted", "born", "reseized", "corrected")
DISPOSITIONS = (
    "released_paid",
    "released_on_deposit",
    "released_by_order",
    "released_at_spot",
    "sold",
    "other_disposal",
    "died",
    "escaped",
    "rescued",
    "transferred",
    "forfeited",
    "not_there",
)


class Custody(Base):
    """One head in the hands of the law. `animal_id`: its lot in the report; `intake_id`: the
    arrival that brought it. `previous_id`: the row it continues, for a head seized again.

    `owner_id`: to whom it belongs; `kept_by_id`: who kept it; the second is liable for it, else
    the first. `impounded_at`: None while it is on the way.
    """

    __tablename__ = "custody"
    __table_args__ = (
        ForeignKeyConstraint(
            ["authority_id", "seizure_id"], ["case_file.authority_id", "case_file.id"]
        ),
        ForeignKeyConstraint(["authority_id", "owner_id"], ["party.authority_id", "party.id"]),
        ForeignKeyConstraint(["authority_id", "kept_by_id"], ["party.authority_id", "party.id"]),
        ForeignKeyConstraint(["authority_id", "pound_id"], ["pound.authority_id", "pound.id"]),
        ForeignKeyConstraint(
            ["authority_id", "previous_id"], ["custody.authority_id", "custody.id"]
        ),
        CheckConstraint(one_of("origin", ORIGINS), name="origin"),
        Index(None, "authority_id", "seizure_id"),
        Index(None, "authority_id", "owner_id"),
        Index(None, "authority_id", "kept_by_id"),
        Index(None, "authority_id", "pound_id"),
        # A head that went is seized again at most once.
        index_where(
            "uq_custody_authority_id_previous_id",
            "authority_id",
            "previous_id",
            where="previous_id IS NOT NULL",
            unique=True,
        ),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    seizure_id: Mapped[Id]
    n: Mapped[int]
    kind: Mapped[str]
    origin: Mapped[str]
    animal_id: Mapped[Id | None]
    intake_id: Mapped[Id | None]
    owner_id: Mapped[Id | None]
    kept_by_id: Mapped[Id | None]
    pound_id: Mapped[Id | None]
    previous_id: Mapped[Id | None]
    started_at: Mapped[datetime]
    impounded_at: Mapped[datetime | None]


class Disposition(Base):
    """What became of a head. One that stands is final, and the index lets no second one stand.

    `undone_by`: the act that found it never happened (`correct_custody`).
    """

    __tablename__ = "disposition"
    __table_args__ = (
        ForeignKeyConstraint(
            ["authority_id", "custody_id"], ["custody.authority_id", "custody.id"]
        ),
        ForeignKeyConstraint(["authority_id", "act_id"], ["act.authority_id", "act.id"]),
        CheckConstraint(one_of("became", DISPOSITIONS), name="became"),
        index_where(
            "uq_disposition_authority_id_custody_id",
            "authority_id",
            "custody_id",
            where="undone_by IS NULL",
            unique=True,
        ),
        Index(None, "authority_id", "act_id"),
    )

    authority_id: Mapped[IdKey]
    custody_id: Mapped[IdKey]
    act_id: Mapped[IdKey]
    became: Mapped[str]
    at: Mapped[datetime]
    undone_by: Mapped[Id | None]
