"""The ledger: one append-only, gap-free series of entries per authority, and its signed head.

`entry` is the record itself; the other columns are derived from it. Triggers refuse UPDATE,
DELETE and TRUNCATE here. Written by `fieldapi.ledger` alone.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, Id


class LedgerEntry(Base):
    """Entry `seq` of an authority. `subtrees`: the hashes (32 bytes each, lowest first) of the
    complete subtrees of height 1..k that end here, k = trailing zeros of `seq`.
    """

    __tablename__ = "ledger"
    __table_args__ = (
        Index(None, "authority_id", "subject", "moves", "seq"),
        Index(None, "authority_id", "op"),
    )

    authority_id: Mapped[Id] = mapped_column(ForeignKey("authority.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    at: Mapped[datetime]
    kind: Mapped[str]
    subject: Mapped[Id]
    actor: Mapped[str]
    op: Mapped[str | None]
    moves: Mapped[bool]
    entry: Mapped[str]
    leaf_hash: Mapped[bytes] = mapped_column(LargeBinary)
    subtrees: Mapped[bytes] = mapped_column(LargeBinary)


class LedgerHead(Base):
    """The newest tree head of an authority: locked last by every writer, so that `seq` order
    is commit order. `peaks`: the roots (32 bytes each, largest first) of the complete subtrees.
    """

    __tablename__ = "ledger_head"

    authority_id: Mapped[Id] = mapped_column(ForeignKey("authority.id"), primary_key=True)
    epoch: Mapped[str]
    size: Mapped[int] = mapped_column(BigInteger)
    peaks: Mapped[bytes] = mapped_column(LargeBinary)
    root: Mapped[bytes] = mapped_column(LargeBinary)
    at: Mapped[datetime]
    signature: Mapped[bytes] = mapped_column(LargeBinary)
