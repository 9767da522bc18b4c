"""Money of cases: every line moves whole paise from one account to another."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, Id, IdKey


class MoneyLine(Base):
    """One line of an act. `paise` (more than none) leaves `from_account` and comes into
    `to_account`; a case balances when nothing is left in its `till`.

    `line`: what it was for, such as `fine` or `feeding`. `party_id`: who paid or was paid.
    `how`: the arithmetic as it was shown.
    """

    __tablename__ = "money_line"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id", "act_id"], ["act.authority_id", "act.id"]),
        ForeignKeyConstraint(["authority_id", "party_id"], ["party.authority_id", "party.id"]),
        CheckConstraint("paise > 0", name="paise"),
        CheckConstraint("from_account <> to_account", name="moves"),
        Index(None, "authority_id", "subject_id"),
        Index(None, "authority_id", "party_id"),
        Index(None, "authority_id", "pound_id", "at"),
    )

    authority_id: Mapped[IdKey]
    act_id: Mapped[IdKey]
    n: Mapped[int] = mapped_column(primary_key=True)
    subject_id: Mapped[Id]
    pound_id: Mapped[Id | None]
    party_id: Mapped[Id | None]
    from_account: Mapped[str]
    to_account: Mapped[str]
    line: Mapped[str]
    paise: Mapped[int] = mapped_column(BigInteger)
    how: Mapped[str] = mapped_column(default="")
    source: Mapped[str] = mapped_column(default="")
    at: Mapped[datetime]
