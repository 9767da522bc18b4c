"""Court bundles: who asked for which, and what became of it. The file itself is in the store."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, Id, IdKey, index_where, one_of

STATES = ("building", "ready", "failed")


class Bundle(Base):
    """One submission. `number`: its turn among those of its case, counted also when it failed.

    `redact`: JSON list of codes of what is left out; `names_missing`: photos that are not there
    are named in it, else they stop it. `missing`: JSON list of {what, why}. `cut`: the last entry
    of the ledger that it speaks of; `contents`: JSON of what it holds, counted. `done_at`: when the
    case was read for it; a bundle older than an erasure in its case is withdrawn.
    """

    __tablename__ = "bundle"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id"], ["authority.id"]),
        CheckConstraint(one_of("state", STATES), name="state"),
        Index(None, "authority_id", "seizure_id", "number", unique=True),
        Index(None, "authority_id", "sha256"),
        index_where("ix_bundle_building", "asked_at", where="state = 'building'"),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    seizure_id: Mapped[Id]
    complaint_id: Mapped[Id | None]
    number: Mapped[int]
    redact: Mapped[str]
    names_missing: Mapped[bool]
    person_id: Mapped[Id]
    actor: Mapped[str]
    asked_at: Mapped[datetime]
    state: Mapped[str]
    missing: Mapped[str] = mapped_column(default="[]")
    cut: Mapped[int | None] = mapped_column(BigInteger)
    root: Mapped[str | None]
    sha256: Mapped[str | None]
    size: Mapped[int | None] = mapped_column(BigInteger)
    contents: Mapped[str] = mapped_column(default="{}")
    done_at: Mapped[datetime | None]


class BundleWork(Base):
    """How far the making of a bundle has come, in parts of the work; says nothing of what it is."""

    __tablename__ = "bundle_work"
    __table_args__ = (ForeignKeyConstraint(["authority_id"], ["authority.id"]),)

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    done: Mapped[int] = mapped_column(BigInteger)
    total: Mapped[int] = mapped_column(BigInteger)
