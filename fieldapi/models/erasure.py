"""Erasures: what a person asked to have taken out, and the ops whose values are gone for it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKeyConstraint
from sqlalchemy.orm import Mapped

from fieldapi.models.base import Base, Id, IdKey


class Erasure(Base):
    """One erasure on one record. `ops`: JSON of `actor/op` → fields. The reason stands here and
    nowhere else: it may name the person.
    """

    __tablename__ = "erasure"
    __table_args__ = (ForeignKeyConstraint(["authority_id"], ["authority.id"]),)

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    kind: Mapped[str]
    record_id: Mapped[Id]
    ops: Mapped[str]
    reason: Mapped[str]
    by: Mapped[str]
    at: Mapped[datetime]


class OpErasure(Base):
    """What erasures say of one op, also of one that this database does not hold (any more): a phone
    may hand it in after a restore. `fields`: JSON list of those whose values are gone, `withdrawn`
    and `decision` for reasons; `beside`: of those where it stood beside a value that is gone.
    """

    __tablename__ = "op_erasure"
    __table_args__ = (ForeignKeyConstraint(["authority_id"], ["authority.id"]),)

    authority_id: Mapped[IdKey]
    actor: Mapped[IdKey]
    op: Mapped[IdKey]
    fields: Mapped[str]
    beside: Mapped[str]
    at: Mapped[datetime]
