"""The dated register that switches rules on: fee scales, feeding rates, areas, appointments; and
the values of a statute that two persons confirmed.
"""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import CheckConstraint, Date, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, Id, IdKey, one_of

KINDS = (
    "fee_schedule",
    "feeding_rates",
    "security_scale",
    "double_fine_area",
    "section_189",
    "section_190",
    "other_pound",
    "keeper",
    "sale_officer",
    "proof_officer",
    "vesting",
    "manner_of_sale",
)


class Notification(Base):
    """One notification, approval or appointment. `number`, `dated`: as printed in it.

    `effective_from` … `effective_to`: first and last day. `approved_by`, `approved_on`: for what
    needs an approval (Gujarat s. 187(2)). `data`: JSON of the rates or of who was appointed.
    `used_at`: since an act relied on it; from then on nothing in it changes.
    """

    __tablename__ = "notification"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id"], ["authority.id"]),
        CheckConstraint(one_of("kind", KINDS), name="kind"),
        CheckConstraint("effective_to IS NULL OR effective_to >= effective_from", name="period"),
        Index(None, "authority_id", "kind", "effective_from"),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    kind: Mapped[str]
    number: Mapped[str]
    dated: Mapped[date | None] = mapped_column(Date)
    effective_from: Mapped[date] = mapped_column(Date)
    effective_to: Mapped[date | None] = mapped_column(Date)
    pound_id: Mapped[Id | None]
    area: Mapped[str | None]
    approved_by: Mapped[str | None]
    approved_on: Mapped[date | None] = mapped_column(Date)
    is_sample: Mapped[bool] = mapped_column(default=False)
    data: Mapped[str] = mapped_column(default="{}")
    entered_by: Mapped[Id]
    created_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class StatuteConfirmation(Base):
    """A value of a statute that an authority confirmed against the Gazette: two persons, a source.

    `key`: as `fieldapi statutes check` prints it. `second_by`: None while one person alone said so.
    """

    __tablename__ = "statute_confirmation"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id"], ["authority.id"]),
        CheckConstraint("second_by IS NULL OR second_by <> first_by", name="two_persons"),
        Index(None, "authority_id", "version", "key"),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    version: Mapped[str]
    key: Mapped[str]
    source: Mapped[str]
    first_by: Mapped[Id]
    first_at: Mapped[datetime]
    second_by: Mapped[Id | None]
    second_at: Mapped[datetime | None]
