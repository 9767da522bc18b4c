"""Cases and what is owed in them

Why: whose animals they are, what was done with each head, what is due.

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

revision = "20261130_cases"
down_revision = "20261130_records_and_photos"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.create_table(
        "act",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("subject_kind", sa.Text(), nullable=False),
        sa.Column("subject_id", BYTEWISE, nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("act", sa.Text(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("happened_at", INSTANT, nullable=False),
        sa.Column("performed_at", INSTANT, nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("person_id", BYTEWISE, nullable=False),
        sa.Column("pound_id", BYTEWISE, nullable=True),
        sa.Column("party_id", BYTEWISE, nullable=True),
        sa.Column("intake_id", BYTEWISE, nullable=True),
        sa.Column("heads", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("allowed", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("flags", sa.Text(), nullable=False),
        sa.CheckConstraint("mode IN ('perform', 'record')", name=op.f("ck_act_mode")),
        sa.CheckConstraint(
            "subject_kind IN ('case', 'removal_order', 'offence', 'complaint')",
            name=op.f("ck_act_subject_kind"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_act_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_act")),
    )
    with op.batch_alter_table("act", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_act_authority_id_pound_id_performed_at"),
            ["authority_id", "pound_id", "performed_at"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_act_authority_id_subject_kind_subject_id_n"),
            ["authority_id", "subject_kind", "subject_id", "n"],
            unique=True,
        )
        batch_op.create_index(
            "uq_act_authority_id_intake_id",
            ["authority_id", "intake_id"],
            unique=True,
            sqlite_where=sa.text("intake_id IS NOT NULL"),
            postgresql_where=sa.text("intake_id IS NOT NULL"),
        )
    op.create_table(
        "case_file",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("pound_id", BYTEWISE, nullable=True),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("is_pinned", sa.Boolean(), nullable=False),
        sa.Column("confirmations", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("acts", sa.Integer(), nullable=False),
        sa.Column("opened_at", INSTANT, nullable=False),
        sa.Column("closed_at", INSTANT, nullable=True),
        sa.CheckConstraint("state IN ('open', 'closed')", name=op.f("ck_case_file_state")),
        sa.ForeignKeyConstraint(
            ["authority_id", "id"],
            ["seizure.authority_id", "seizure.id"],
            name=op.f("fk_case_file_authority_id_id_seizure"),
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_case_file")),
    )
    with op.batch_alter_table("case_file", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_case_file_authority_id_pound_id_state"),
            ["authority_id", "pound_id", "state"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_case_file_authority_id_state"), ["authority_id", "state"], unique=False
        )
    op.create_table(
        "party",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("parent", sa.Text(), nullable=True),
        sa.Column("residence", sa.Text(), nullable=True),
        sa.Column("mobile", sa.Text(), nullable=True),
        sa.Column("is_resident", sa.Boolean(), nullable=True),
        sa.Column("person_id", BYTEWISE, nullable=True),
        sa.Column("merged_into", BYTEWISE, nullable=True),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.CheckConstraint(
            "merged_into IS NULL OR merged_into <> id", name=op.f("ck_party_merged_elsewhere")
        ),
        sa.ForeignKeyConstraint(
            ["authority_id", "merged_into"],
            ["party.authority_id", "party.id"],
            name=op.f("fk_party_authority_id_merged_into_party"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id", "person_id"],
            ["person.authority_id", "person.id"],
            name=op.f("fk_party_authority_id_person_id_person"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_party_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_party")),
    )
    with op.batch_alter_table("party", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_party_authority_id_merged_into"),
            ["authority_id", "merged_into"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_party_authority_id_mobile"), ["authority_id", "mobile"], unique=False
        )
    op.create_table(
        "custody",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("seizure_id", BYTEWISE, nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("animal_id", BYTEWISE, nullable=True),
        sa.Column("intake_id", BYTEWISE, nullable=True),
        sa.Column("owner_id", BYTEWISE, nullable=True),
        sa.Column("kept_by_id", BYTEWISE, nullable=True),
        sa.Column("pound_id", BYTEWISE, nullable=True),
        sa.Column("previous_id", BYTEWISE, nullable=True),
        sa.Column("started_at", INSTANT, nullable=False),
        sa.Column("impounded_at", INSTANT, nullable=True),
        sa.CheckConstraint(
            "origin IN ('seized', 'counted', 'born', 'reseized', 'corrected')",
            name=op.f("ck_custody_origin"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id", "kept_by_id"],
            ["party.authority_id", "party.id"],
            name=op.f("fk_custody_authority_id_kept_by_id_party"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id", "owner_id"],
            ["party.authority_id", "party.id"],
            name=op.f("fk_custody_authority_id_owner_id_party"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id", "pound_id"],
            ["pound.authority_id", "pound.id"],
            name=op.f("fk_custody_authority_id_pound_id_pound"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id", "previous_id"],
            ["custody.authority_id", "custody.id"],
            name=op.f("fk_custody_authority_id_previous_id_custody"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id", "seizure_id"],
            ["case_file.authority_id", "case_file.id"],
            name=op.f("fk_custody_authority_id_seizure_id_case_file"),
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_custody")),
    )
    with op.batch_alter_table("custody", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_custody_authority_id_kept_by_id"),
            ["authority_id", "kept_by_id"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_custody_authority_id_owner_id"),
            ["authority_id", "owner_id"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_custody_authority_id_pound_id"),
            ["authority_id", "pound_id"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_custody_authority_id_seizure_id"),
            ["authority_id", "seizure_id"],
            unique=False,
        )
        batch_op.create_index(
            "uq_custody_authority_id_previous_id",
            ["authority_id", "previous_id"],
            unique=True,
            sqlite_where=sa.text("previous_id IS NOT NULL"),
            postgresql_where=sa.text("previous_id IS NOT NULL"),
        )
    op.create_table(
        "deadline",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("seizure_id", BYTEWISE, nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("starts_at", INSTANT, nullable=False),
        sa.Column("last_moment", INSTANT, nullable=False),
        sa.Column("opens_at", INSTANT, nullable=True),
        sa.Column("then", sa.Text(), nullable=False),
        sa.Column("favours", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("is_verified", sa.Boolean(), nullable=False),
        sa.Column("is_met", sa.Boolean(), nullable=False),
        sa.Column("told_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(
            ["authority_id", "seizure_id"],
            ["case_file.authority_id", "case_file.id"],
            name=op.f("fk_deadline_authority_id_seizure_id_case_file"),
        ),
        sa.PrimaryKeyConstraint("authority_id", "seizure_id", "n", name=op.f("pk_deadline")),
    )
    with op.batch_alter_table("deadline", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_deadline_authority_id_last_moment"),
            ["authority_id", "last_moment"],
            unique=False,
        )
    op.create_table(
        "money_line",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("act_id", BYTEWISE, nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("subject_id", BYTEWISE, nullable=False),
        sa.Column("pound_id", BYTEWISE, nullable=True),
        sa.Column("party_id", BYTEWISE, nullable=True),
        sa.Column("from_account", sa.Text(), nullable=False),
        sa.Column("to_account", sa.Text(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("paise", sa.BigInteger(), nullable=False),
        sa.Column("how", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.CheckConstraint("from_account <> to_account", name=op.f("ck_money_line_moves")),
        sa.CheckConstraint("paise > 0", name=op.f("ck_money_line_paise")),
        sa.ForeignKeyConstraint(
            ["authority_id", "act_id"],
            ["act.authority_id", "act.id"],
            name=op.f("fk_money_line_authority_id_act_id_act"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id", "party_id"],
            ["party.authority_id", "party.id"],
            name=op.f("fk_money_line_authority_id_party_id_party"),
        ),
        sa.PrimaryKeyConstraint("authority_id", "act_id", "n", name=op.f("pk_money_line")),
    )
    with op.batch_alter_table("money_line", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_money_line_authority_id_party_id"),
            ["authority_id", "party_id"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_money_line_authority_id_pound_id_at"),
            ["authority_id", "pound_id", "at"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_money_line_authority_id_subject_id"),
            ["authority_id", "subject_id"],
            unique=False,
        )
    op.create_table(
        "disposition",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("custody_id", BYTEWISE, nullable=False),
        sa.Column("act_id", BYTEWISE, nullable=False),
        sa.Column("became", sa.Text(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("undone_by", BYTEWISE, nullable=True),
        sa.CheckConstraint(
            "became IN ('released_paid', 'released_on_deposit', 'released_by_order', 'released_at_spot', 'sold', 'other_disposal', 'died', 'escaped', 'rescued', 'transferred', 'forfeited', 'not_there')",
            name=op.f("ck_disposition_became"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id", "act_id"],
            ["act.authority_id", "act.id"],
            name=op.f("fk_disposition_authority_id_act_id_act"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id", "custody_id"],
            ["custody.authority_id", "custody.id"],
            name=op.f("fk_disposition_authority_id_custody_id_custody"),
        ),
        sa.PrimaryKeyConstraint(
            "authority_id", "custody_id", "act_id", name=op.f("pk_disposition")
        ),
    )
    with op.batch_alter_table("disposition", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_disposition_authority_id_act_id"),
            ["authority_id", "act_id"],
            unique=False,
        )
        batch_op.create_index(
            "uq_disposition_authority_id_custody_id",
            ["authority_id", "custody_id"],
            unique=True,
            sqlite_where=sa.text("undone_by IS NULL"),
            postgresql_where=sa.text("undone_by IS NULL"),
        )


def downgrade() -> None:
    """Undo the change."""
    with op.batch_alter_table("disposition", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_disposition_authority_id_custody_id",
            sqlite_where=sa.text("undone_by IS NULL"),
            postgresql_where=sa.text("undone_by IS NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_disposition_authority_id_act_id"))
    op.drop_table("disposition")
    with op.batch_alter_table("money_line", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_money_line_authority_id_subject_id"))
        batch_op.drop_index(batch_op.f("ix_money_line_authority_id_pound_id_at"))
        batch_op.drop_index(batch_op.f("ix_money_line_authority_id_party_id"))
    op.drop_table("money_line")
    with op.batch_alter_table("deadline", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_deadline_authority_id_last_moment"))
    op.drop_table("deadline")
    with op.batch_alter_table("custody", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_custody_authority_id_previous_id",
            sqlite_where=sa.text("previous_id IS NOT NULL"),
            postgresql_where=sa.text("previous_id IS NOT NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_custody_authority_id_seizure_id"))
        batch_op.drop_index(batch_op.f("ix_custody_authority_id_pound_id"))
        batch_op.drop_index(batch_op.f("ix_custody_authority_id_owner_id"))
        batch_op.drop_index(batch_op.f("ix_custody_authority_id_kept_by_id"))
    op.drop_table("custody")
    with op.batch_alter_table("party", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_party_authority_id_mobile"))
        batch_op.drop_index(batch_op.f("ix_party_authority_id_merged_into"))
    op.drop_table("party")
    with op.batch_alter_table("case_file", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_case_file_authority_id_state"))
        batch_op.drop_index(batch_op.f("ix_case_file_authority_id_pound_id_state"))
    op.drop_table("case_file")
    with op.batch_alter_table("act", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_act_authority_id_intake_id",
            sqlite_where=sa.text("intake_id IS NOT NULL"),
            postgresql_where=sa.text("intake_id IS NOT NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_act_authority_id_subject_kind_subject_id_n"))
        batch_op.drop_index(batch_op.f("ix_act_authority_id_pound_id_performed_at"))
    op.drop_table("act")
