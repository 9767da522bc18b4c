"""What lists count, as an index

Why: to count a hundred thousand reports the whole table was read, heads and all.

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

revision = "20261130_listed"
down_revision = "20261130_bundles"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Index the reports that have come, by state."""
    op.create_index(
        "ix_seizure_listed",
        "seizure",
        ["authority_id", "state"],
        sqlite_where=sa.text("heads <> ''"),
        postgresql_where=sa.text("heads <> ''"),
    )


def downgrade() -> None:
    """Drop the index."""
    op.drop_index("ix_seizure_listed", table_name="seizure")
