"""Salts of what the ledger hashes beside ops, and the hashes of previews

Why: a plain hash of the few words that an act was told can be guessed; and the pictures on the pages
of a court bundle had nothing to be held against.

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

revision = "20261130_salts"
down_revision = "20261130_listed"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; what is there keeps its plain hash, and pictures without one."""
    for table in ("act", "complaint"):
        column = sa.Column("salt", sa.Text(), nullable=False, server_default=sa.text("''"))
        op.add_column(table, column)
    op.add_column("original", sa.Column("preview_sha256", sa.Text(), nullable=True))


def downgrade() -> None:
    """Drop them; what was hashed with a salt cannot be checked without it."""
    op.drop_column("original", "preview_sha256")
    for table in ("complaint", "act"):
        op.drop_column(table, "salt")
