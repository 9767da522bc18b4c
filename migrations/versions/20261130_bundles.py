"""Bundles

Why: what was handed to a court is counted, and kept under the hash that its letter names.

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

revision = "20261130_bundles"
down_revision = "20261130_urgency"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.create_table(
        "bundle",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("seizure_id", BYTEWISE, nullable=False),
        sa.Column("complaint_id", BYTEWISE, nullable=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("redact", sa.Text(), nullable=False),
        sa.Column("names_missing", sa.Boolean(), nullable=False),
        sa.Column("person_id", BYTEWISE, nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("asked_at", INSTANT, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("missing", sa.Text(), nullable=False),
        sa.Column("cut", sa.BigInteger(), nullable=True),
        sa.Column("root", sa.Text(), nullable=True),
        sa.Column("sha256", sa.Text(), nullable=True),
        sa.Column("size", sa.BigInteger(), nullable=True),
        sa.Column("contents", sa.Text(), nullable=False),
        sa.Column("done_at", INSTANT, nullable=True),
        sa.CheckConstraint(
            "state IN ('building', 'ready', 'failed')", name=op.f("ck_bundle_state")
        ),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_bundle_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_bundle")),
    )
    with op.batch_alter_table("bundle", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_bundle_authority_id_seizure_id_number"),
            ["authority_id", "seizure_id", "number"],
            unique=True,
        )
        batch_op.create_index(
            batch_op.f("ix_bundle_authority_id_sha256"), ["authority_id", "sha256"], unique=False
        )
        batch_op.create_index(
            "ix_bundle_building",
            ["asked_at"],
            unique=False,
            sqlite_where=sa.text("state = 'building'"),
            postgresql_where=sa.text("state = 'building'"),
        )

    op.create_table(
        "bundle_work",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("done", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_bundle_work_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_bundle_work")),
    )


def downgrade() -> None:
    """Undo the change."""
    op.drop_table("bundle_work")
    with op.batch_alter_table("bundle", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_bundle_building",
            sqlite_where=sa.text("state = 'building'"),
            postgresql_where=sa.text("state = 'building'"),
        )
        batch_op.drop_index(batch_op.f("ix_bundle_authority_id_sha256"))
        batch_op.drop_index(batch_op.f("ix_bundle_authority_id_seizure_id_number"))

    op.drop_table("bundle")
