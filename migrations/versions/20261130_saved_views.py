"""Filters of the list of reports under names of one's own

Why: a reviewer looks for the same few things every morning, each for different ones.

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

revision = "20261130_saved_views"
down_revision = "20261130_salts"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table; nobody has a view yet."""
    op.create_table(
        "saved_view",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("person_id", BYTEWISE, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id", "person_id"],
            ["person.authority_id", "person.id"],
            name=op.f("fk_saved_view_authority_id_person_id_person"),
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_saved_view")),
    )
    op.create_index(
        op.f("ix_saved_view_authority_id_person_id_name"),
        "saved_view",
        ["authority_id", "person_id", "name"],
        unique=True,
    )


def downgrade() -> None:
    """Drop it: the addresses of the views work without it."""
    op.drop_table("saved_view")
