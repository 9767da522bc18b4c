"""${message}

Why: <one sentence>.

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
${imports if imports else ""}
# As in fieldapi.models.base, written out: this file must outlive the models.
BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
INSTANT = sa.Text().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}


def upgrade() -> None:
    """Apply the change."""
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    """Undo the change."""
    ${downgrades if downgrades else "pass"}
