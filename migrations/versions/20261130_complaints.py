"""Complaints, and the work of the desk

Why: complaints of illegal seizure, pairs of like reports, whose a report is, what the desk notes.

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

revision = "20261130_complaints"
down_revision = "20261130_append_only"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.create_table(
        "duplicate",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("one_id", BYTEWISE, nullable=False),
        sa.Column("other_id", BYTEWISE, nullable=False),
        sa.Column("grounds", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("decided_by", BYTEWISE, nullable=True),
        sa.Column("decided_at", INSTANT, nullable=True),
        sa.Column("found_at", INSTANT, nullable=False),
        sa.CheckConstraint(
            "state IN ('open', 'linked', 'dismissed')", name=op.f("ck_duplicate_state")
        ),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_duplicate_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_duplicate")),
    )
    with op.batch_alter_table("duplicate", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_duplicate_authority_id_one_id_other_id"),
            ["authority_id", "one_id", "other_id"],
            unique=True,
        )
        batch_op.create_index(
            batch_op.f("ix_duplicate_authority_id_other_id"),
            ["authority_id", "other_id"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_duplicate_authority_id_state_id"),
            ["authority_id", "state", "id"],
            unique=False,
        )

    op.create_table(
        "assignment",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("seizure_id", BYTEWISE, nullable=False),
        sa.Column("person_id", BYTEWISE, nullable=False),
        sa.Column("by_id", BYTEWISE, nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id", "person_id"],
            ["person.authority_id", "person.id"],
            name=op.f("fk_assignment_authority_id_person_id_person"),
        ),
        sa.PrimaryKeyConstraint("authority_id", "seizure_id", name=op.f("pk_assignment")),
    )
    with op.batch_alter_table("assignment", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_assignment_authority_id_person_id"),
            ["authority_id", "person_id"],
            unique=False,
        )

    op.create_table(
        "comment",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("seizure_id", BYTEWISE, nullable=False),
        sa.Column("person_id", BYTEWISE, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id", "person_id"],
            ["person.authority_id", "person.id"],
            name=op.f("fk_comment_authority_id_person_id_person"),
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_comment")),
    )
    with op.batch_alter_table("comment", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_comment_authority_id_person_id"),
            ["authority_id", "person_id"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_comment_authority_id_seizure_id_at"),
            ["authority_id", "seizure_id", "at"],
            unique=False,
        )

    op.create_table(
        "complaint",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("seizure_id", BYTEWISE, nullable=False),
        sa.Column("by_id", BYTEWISE, nullable=False),
        sa.Column("agent_id", BYTEWISE, nullable=True),
        sa.Column("is_acquainted", sa.Boolean(), nullable=False),
        sa.Column("is_verbal", sa.Boolean(), nullable=False),
        sa.Column("made_at", INSTANT, nullable=False),
        sa.Column("heads", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("decided_at", INSTANT, nullable=True),
        sa.Column("taken_by", BYTEWISE, nullable=False),
        sa.Column("acts", sa.Integer(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.CheckConstraint(
            "outcome IS NULL OR outcome IN ('dismissed', 'lawful', 'illegal')",
            name=op.f("ck_complaint_outcome"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id", "agent_id"],
            ["party.authority_id", "party.id"],
            name=op.f("fk_complaint_authority_id_agent_id_party"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id", "by_id"],
            ["party.authority_id", "party.id"],
            name=op.f("fk_complaint_authority_id_by_id_party"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id", "seizure_id"],
            ["case_file.authority_id", "case_file.id"],
            name=op.f("fk_complaint_authority_id_seizure_id_case_file"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_complaint_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_complaint")),
    )
    with op.batch_alter_table("complaint", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_complaint_authority_id_agent_id"),
            ["authority_id", "agent_id"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_complaint_authority_id_by_id"), ["authority_id", "by_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_complaint_authority_id_seizure_id"),
            ["authority_id", "seizure_id"],
            unique=False,
        )


def downgrade() -> None:
    """Undo the change."""
    with op.batch_alter_table("complaint", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_complaint_authority_id_seizure_id"))
        batch_op.drop_index(batch_op.f("ix_complaint_authority_id_by_id"))
        batch_op.drop_index(batch_op.f("ix_complaint_authority_id_agent_id"))

    op.drop_table("complaint")
    with op.batch_alter_table("comment", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_comment_authority_id_seizure_id_at"))
        batch_op.drop_index(batch_op.f("ix_comment_authority_id_person_id"))

    op.drop_table("comment")
    with op.batch_alter_table("assignment", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_assignment_authority_id_person_id"))

    op.drop_table("assignment")
    with op.batch_alter_table("duplicate", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_duplicate_authority_id_state_id"))
        batch_op.drop_index(batch_op.f("ix_duplicate_authority_id_other_id"))
        batch_op.drop_index(batch_op.f("ix_duplicate_authority_id_one_id_other_id"))

    op.drop_table("duplicate")
