"""The base that was filled in for an op that came without one

Why: a client that sends no base may say which cursor it had seen; what follows from it is kept.

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

revision = "20261130_filled"
down_revision = "20261130_saved_views"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Keep a filled base beside its op."""
    op.add_column("op", sa.Column("filled", sa.Text(), nullable=True))


def downgrade() -> None:
    """Forget it: a refold takes such ops as if their authors had seen nothing."""
    op.drop_column("op", "filled")
