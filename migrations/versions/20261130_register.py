"""The register

Why: papers with gap-free numbers, and what switches rules on.

Rules for every migration (delete none of them, tick them in the review):
- Never import from fieldapi.models: the models move on, this file must not.
- The previous release keeps running against the new schema: add first, use later, drop a release
  after nothing uses it (expand, migrate, contract).
- PostgreSQL: set lock_timeout before DDL on a table that grows; build an index on a large table
  with postgresql_concurrently; no table rewrite while serving.
- A data move has a test in tests/migrations that plants rows before and reads them after.
- `ledger` and `op` are append-only: add columns at most; their triggers stay.
- downgrade() works, or raises and says why it cannot.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

# As in fieldapi.models.base, written out: this file must outlive the models.
BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
INSTANT = sa.Text().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")

revision = "20261130_register"
down_revision = "20261130_cases"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.create_table(
        "closed_day",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("calendar", sa.Text(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.CheckConstraint("calendar IN ('office', 'pound')", name=op.f("ck_closed_day_calendar")),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_closed_day_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "calendar", "day", name=op.f("pk_closed_day")),
    )
    op.create_table(
        "notification",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("number", sa.Text(), nullable=False),
        sa.Column("dated", sa.Date(), nullable=True),
        sa.Column("effective_from", sa.Date(), nullable=False),
        sa.Column("effective_to", sa.Date(), nullable=True),
        sa.Column("pound_id", BYTEWISE, nullable=True),
        sa.Column("area", sa.Text(), nullable=True),
        sa.Column("approved_by", sa.Text(), nullable=True),
        sa.Column("approved_on", sa.Date(), nullable=True),
        sa.Column("is_sample", sa.Boolean(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("entered_by", BYTEWISE, nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("used_at", INSTANT, nullable=True),
        sa.CheckConstraint(
            "kind IN ('fee_schedule', 'feeding_rates', 'security_scale', 'double_fine_area', 'section_189', 'section_190', 'other_pound', 'keeper', 'sale_officer', 'proof_officer', 'vesting', 'manner_of_sale')",
            name=op.f("ck_notification_kind"),
        ),
        sa.CheckConstraint(
            "effective_to IS NULL OR effective_to >= effective_from",
            name=op.f("ck_notification_period"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_notification_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_notification")),
    )
    with op.batch_alter_table("notification", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_notification_authority_id_kind_effective_from"),
            ["authority_id", "kind", "effective_from"],
            unique=False,
        )
    op.create_table(
        "serial_series",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("pound_id", BYTEWISE, nullable=False),
        sa.Column("book", sa.Text(), nullable=False),
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Column("letter", sa.Text(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_serial_series_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint(
            "authority_id", "pound_id", "book", "year", "letter", name=op.f("pk_serial_series")
        ),
    )
    op.create_table(
        "statute_confirmation",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("first_by", BYTEWISE, nullable=False),
        sa.Column("first_at", INSTANT, nullable=False),
        sa.Column("second_by", BYTEWISE, nullable=True),
        sa.Column("second_at", INSTANT, nullable=True),
        sa.CheckConstraint(
            "second_by IS NULL OR second_by <> first_by",
            name=op.f("ck_statute_confirmation_two_persons"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id"],
            ["authority.id"],
            name=op.f("fk_statute_confirmation_authority_id_authority"),
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_statute_confirmation")),
    )
    with op.batch_alter_table("statute_confirmation", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_statute_confirmation_authority_id_version_key"),
            ["authority_id", "version", "key"],
            unique=False,
        )
    op.create_table(
        "document",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("act_id", BYTEWISE, nullable=False),
        sa.Column("seizure_id", BYTEWISE, nullable=True),
        sa.Column("pound_id", BYTEWISE, nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("serial", sa.Text(), nullable=True),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("issued_at", INSTANT, nullable=False),
        sa.Column("prints", sa.Integer(), nullable=False),
        sa.Column("printed_at", INSTANT, nullable=True),
        sa.Column("voided_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(
            ["authority_id", "act_id"],
            ["act.authority_id", "act.id"],
            name=op.f("fk_document_authority_id_act_id_act"),
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_document")),
    )
    with op.batch_alter_table("document", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_document_authority_id_act_id"), ["authority_id", "act_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_document_authority_id_seizure_id"),
            ["authority_id", "seizure_id"],
            unique=False,
        )
    op.create_table(
        "serial",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("pound_id", BYTEWISE, nullable=False),
        sa.Column("book", sa.Text(), nullable=False),
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Column("letter", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("act_id", BYTEWISE, nullable=False),
        sa.Column("issued_at", INSTANT, nullable=False),
        sa.Column("voided_at", INSTANT, nullable=True),
        sa.Column("void_reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["authority_id", "act_id"],
            ["act.authority_id", "act.id"],
            name=op.f("fk_serial_authority_id_act_id_act"),
        ),
        sa.PrimaryKeyConstraint(
            "authority_id", "pound_id", "book", "year", "letter", "number", name=op.f("pk_serial")
        ),
    )
    with op.batch_alter_table("serial", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_serial_authority_id_act_id"), ["authority_id", "act_id"], unique=False
        )
    op.create_table(
        "offence",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("seizure_id", BYTEWISE, nullable=True),
        sa.Column("accused_id", BYTEWISE, nullable=True),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("committed_at", INSTANT, nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("acts", sa.Integer(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id", "accused_id"],
            ["party.authority_id", "party.id"],
            name=op.f("fk_offence_authority_id_accused_id_party"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_offence_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_offence")),
    )
    with op.batch_alter_table("offence", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_offence_authority_id_accused_id"),
            ["authority_id", "accused_id"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_offence_authority_id_seizure_id"),
            ["authority_id", "seizure_id"],
            unique=False,
        )
    op.create_table(
        "prior_impounding",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("party_id", BYTEWISE, nullable=False),
        sa.Column("impounded_on", sa.Date(), nullable=False),
        sa.Column("head", sa.Integer(), nullable=False),
        sa.Column("legality", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("entered_by", BYTEWISE, nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.CheckConstraint(
            "legality IN ('not_disputed', 'disputed', 'adjudged_lawful', 'adjudged_illegal')",
            name=op.f("ck_prior_impounding_legality"),
        ),
        sa.CheckConstraint("head > 0", name=op.f("ck_prior_impounding_head")),
        sa.ForeignKeyConstraint(
            ["authority_id", "party_id"],
            ["party.authority_id", "party.id"],
            name=op.f("fk_prior_impounding_authority_id_party_id_party"),
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_prior_impounding")),
    )
    with op.batch_alter_table("prior_impounding", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_prior_impounding_authority_id_party_id"),
            ["authority_id", "party_id"],
            unique=False,
        )
    op.create_table(
        "removal_order",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("owner_id", BYTEWISE, nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("acts", sa.Integer(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.CheckConstraint("kind IN ('special', 'general')", name=op.f("ck_removal_order_kind")),
        sa.ForeignKeyConstraint(
            ["authority_id", "owner_id"],
            ["party.authority_id", "party.id"],
            name=op.f("fk_removal_order_authority_id_owner_id_party"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_removal_order_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_removal_order")),
    )
    with op.batch_alter_table("removal_order", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_removal_order_authority_id_owner_id"),
            ["authority_id", "owner_id"],
            unique=False,
        )


def downgrade() -> None:
    """Undo the change."""
    with op.batch_alter_table("removal_order", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_removal_order_authority_id_owner_id"))
    op.drop_table("removal_order")
    with op.batch_alter_table("prior_impounding", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_prior_impounding_authority_id_party_id"))
    op.drop_table("prior_impounding")
    with op.batch_alter_table("offence", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_offence_authority_id_seizure_id"))
        batch_op.drop_index(batch_op.f("ix_offence_authority_id_accused_id"))
    op.drop_table("offence")
    with op.batch_alter_table("serial", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_serial_authority_id_act_id"))
    op.drop_table("serial")
    with op.batch_alter_table("document", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_document_authority_id_seizure_id"))
        batch_op.drop_index(batch_op.f("ix_document_authority_id_act_id"))
    op.drop_table("document")
    with op.batch_alter_table("statute_confirmation", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_statute_confirmation_authority_id_version_key"))
    op.drop_table("statute_confirmation")
    op.drop_table("serial_series")
    with op.batch_alter_table("notification", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_notification_authority_id_kind_effective_from"))
    op.drop_table("notification")
    op.drop_table("closed_day")
