"""The ledger and the ops

Why: what happened, as it was told, for good.

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

revision = "20261130_ledger_and_ops"
down_revision = "20261130_people_and_places"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.create_table(
        "op",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("actor", BYTEWISE, nullable=False),
        sa.Column("op", BYTEWISE, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("record_id", BYTEWISE, nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("via", sa.Text(), nullable=False),
        sa.Column("stamp", BYTEWISE, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=True),
        sa.Column("n", sa.BigInteger(), nullable=True),
        sa.Column("effective", sa.BigInteger(), nullable=False),
        sa.Column("received_at", INSTANT, nullable=False),
        sa.Column("schema", sa.Integer(), nullable=False),
        sa.Column("nobase", sa.Boolean(), nullable=False),
        sa.Column("is_decision", sa.Boolean(), nullable=False),
        sa.Column("is_personal", sa.Boolean(), nullable=False),
        sa.Column("is_signed", sa.Boolean(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("signature", sa.Text(), nullable=True),
        sa.Column("payload", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("authority_id", "actor", "op", name=op.f("pk_op")),
    )
    with op.batch_alter_table("op", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_op_authority_id_kind_record_id"),
            ["authority_id", "kind", "record_id"],
            unique=False,
        )
    op.create_table(
        "op_payload",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("actor", BYTEWISE, nullable=False),
        sa.Column("op", BYTEWISE, nullable=False),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.Column("signature", sa.Text(), nullable=True),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        sa.Column("erased", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("authority_id", "actor", "op", name=op.f("pk_op_payload")),
    )
    op.create_table(
        "parked_op",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("actor", BYTEWISE, nullable=False),
        sa.Column("op", BYTEWISE, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("record_id", BYTEWISE, nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("faults", sa.Text(), nullable=False),
        sa.Column("received_at", INSTANT, nullable=False),
        sa.Column("resolved", sa.Text(), nullable=True),
        sa.Column("resolved_at", INSTANT, nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "status IN ('held', 'quarantined', 'partial', 'deferred')",
            name=op.f("ck_parked_op_status"),
        ),
        sa.PrimaryKeyConstraint("authority_id", "actor", "op", name=op.f("pk_parked_op")),
    )
    with op.batch_alter_table("parked_op", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_parked_op_authority_id_kind_record_id"),
            ["authority_id", "kind", "record_id"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_parked_op_authority_id_status_resolved"),
            ["authority_id", "status", "resolved"],
            unique=False,
        )
    op.create_table(
        "erasure",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("record_id", BYTEWISE, nullable=False),
        sa.Column("ops", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_erasure_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_erasure")),
    )
    op.create_table(
        "ledger",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("subject", BYTEWISE, nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("op", sa.Text(), nullable=True),
        sa.Column("moves", sa.Boolean(), nullable=False),
        sa.Column("entry", sa.Text(), nullable=False),
        sa.Column("leaf_hash", sa.LargeBinary(), nullable=False),
        sa.Column("subtrees", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_ledger_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "seq", name=op.f("pk_ledger")),
    )
    with op.batch_alter_table("ledger", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_ledger_authority_id_op"), ["authority_id", "op"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_ledger_authority_id_subject_moves_seq"),
            ["authority_id", "subject", "moves", "seq"],
            unique=False,
        )
    op.create_table(
        "ledger_head",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("epoch", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("peaks", sa.LargeBinary(), nullable=False),
        sa.Column("root", sa.LargeBinary(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("signature", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_ledger_head_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", name=op.f("pk_ledger_head")),
    )
    op.create_table(
        "op_erasure",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("actor", BYTEWISE, nullable=False),
        sa.Column("op", BYTEWISE, nullable=False),
        sa.Column("fields", sa.Text(), nullable=False),
        sa.Column("beside", sa.Text(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_op_erasure_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "actor", "op", name=op.f("pk_op_erasure")),
    )
    op.create_table(
        "writer_key",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("actor", BYTEWISE, nullable=False),
        sa.Column("last_stamp", sa.Text(), nullable=False),
        sa.Column("built", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_writer_key_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "actor", name=op.f("pk_writer_key")),
    )


def downgrade() -> None:
    """Undo the change."""
    op.drop_table("writer_key")
    op.drop_table("op_erasure")
    op.drop_table("ledger_head")
    with op.batch_alter_table("ledger", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_ledger_authority_id_subject_moves_seq"))
        batch_op.drop_index(batch_op.f("ix_ledger_authority_id_op"))
    op.drop_table("ledger")
    op.drop_table("erasure")
    with op.batch_alter_table("parked_op", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_parked_op_authority_id_status_resolved"))
        batch_op.drop_index(batch_op.f("ix_parked_op_authority_id_kind_record_id"))
    op.drop_table("parked_op")
    op.drop_table("op_payload")
    with op.batch_alter_table("op", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_op_authority_id_kind_record_id"))
    op.drop_table("op")
