"""The order of the reviewer's list

Why: sorting a hundred thousand cases by their next deadline has to be an index, not a sum.

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

revision = "20261130_urgency"
down_revision = "20261130_complaints"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table, with a place for every report that is there; the job ranks them."""
    op.create_table(
        "urgency",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("seizure_id", BYTEWISE, nullable=False),
        sa.Column("due_at", INSTANT, nullable=False),
        sa.Column("rule", sa.Text(), nullable=True),
        sa.Column("is_ranked", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("authority_id", "seizure_id", name=op.f("pk_urgency")),
    )
    op.create_index(
        op.f("ix_urgency_authority_id_due_at_seizure_id"),
        "urgency",
        ["authority_id", "due_at", "seizure_id"],
    )
    op.create_index(
        "ix_urgency_unranked",
        "urgency",
        ["authority_id"],
        sqlite_where=sa.text("NOT is_ranked"),
        postgresql_where=sa.text("NOT is_ranked"),
    )
    op.execute(
        "INSERT INTO urgency (authority_id, seizure_id, due_at, rule, is_ranked) "
        "SELECT authority_id, id, '1000-01-01T00:00:00.000Z', NULL, false FROM seizure"
    )


def downgrade() -> None:
    """Drop it: nothing is lost that does not follow from the cases."""
    op.drop_table("urgency")
