"""Official acts: what was done in a case, by whom, under which rule, and what it minted."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from fieldapi.models.base import Base, Id, IdKey, index_where, one_of

SUBJECTS = ("case", "removal_order", "offence", "complaint")
MODES = ("perform", "record")


class Act(Base):
    """One act. `n`: its turn among the acts of its subject. `happened_at`: the time that clocks
    use; `performed_at`: when this program was told.

    `data`: JSON of its particulars; `heads`: JSON list of the heads it was about. `rule`,
    `source`: what allowed it, or for a recorded one what it is contrary to. `reason`: as written
    by whoever acted. `answer`: JSON of lines, total and notes, for whoever sends the act again.
    `flags`: JSON list. `salt`: hex, before `data` under the hash in the ledger; empty in old rows.
    """

    __tablename__ = "act"
    __table_args__ = (
        ForeignKeyConstraint(["authority_id"], ["authority.id"]),
        CheckConstraint(one_of("subject_kind", SUBJECTS), name="subject_kind"),
        CheckConstraint(one_of("mode", MODES), name="mode"),
        Index(None, "authority_id", "subject_kind", "subject_id", "n", unique=True),
        Index(None, "authority_id", "pound_id", "performed_at"),
        # An arrival is taken into the register once.
        index_where(
            "uq_act_authority_id_intake_id",
            "authority_id",
            "intake_id",
            where="intake_id IS NOT NULL",
            unique=True,
        ),
    )

    authority_id: Mapped[IdKey]
    id: Mapped[IdKey]
    subject_kind: Mapped[str]
    subject_id: Mapped[Id]
    n: Mapped[int]
    act: Mapped[str]
    mode: Mapped[str]
    happened_at: Mapped[datetime]
    performed_at: Mapped[datetime]
    actor: Mapped[str]
    person_id: Mapped[Id]
    pound_id: Mapped[Id | None]
    party_id: Mapped[Id | None]
    intake_id: Mapped[Id | None]
    heads: Mapped[str] = mapped_column(default="[]")
    data: Mapped[str]
    salt: Mapped[str] = mapped_column(default="", server_default=text("''"))
    allowed: Mapped[str]
    rule: Mapped[str]
    source: Mapped[str]
    reason: Mapped[str] = mapped_column(default="")
    answer: Mapped[str] = mapped_column(default="{}")
    flags: Mapped[str] = mapped_column(default="[]")
