"""First tables

Why: the first release starts with them.

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

revision = "20261130_first_tables"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
    op.create_table(
        "attempt",
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("key", BYTEWISE, nullable=False),
        sa.Column("window_at", INSTANT, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("scope", "key", "window_at", name=op.f("pk_attempt")),
    )
    op.create_table(
        "authority",
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("statute", sa.Text(), nullable=False),
        sa.Column("languages", sa.Text(), nullable=False),
        sa.Column("area", sa.Text(), nullable=True),
        sa.Column("confirm_devices", sa.Boolean(), nullable=False),
        sa.Column("next_device", sa.Integer(), nullable=False),
        sa.Column("retention_days", sa.Integer(), nullable=True),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_authority")),
        sa.UniqueConstraint("code", name=op.f("uq_authority_code")),
    )
    op.create_table(
        "job_failure",
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("subject", BYTEWISE, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("again_at", INSTANT, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("job", "subject", name=op.f("pk_job_failure")),
    )
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
        "request_key",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("actor", BYTEWISE, nullable=False),
        sa.Column("scope", BYTEWISE, nullable=False),
        sa.Column("key", BYTEWISE, nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint(
            "authority_id", "actor", "scope", "key", name=op.f("pk_request_key")
        ),
    )
    op.create_table(
        "scan",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("authority_id", "name", name=op.f("pk_scan")),
    )
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
        "aid",
        sa.Column("seizure_id", BYTEWISE, nullable=True),
        sa.Column("ground", sa.Text(), nullable=True),
        sa.Column("requested_at", INSTANT, nullable=True),
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("author_id", BYTEWISE, nullable=True),
        sa.Column("author_actor", sa.Text(), nullable=True),
        sa.Column("received_at", INSTANT, nullable=False),
        sa.Column("heads", sa.Text(), nullable=False),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.Column("is_incomplete", sa.Boolean(), nullable=False),
        sa.Column("is_withdrawn", sa.Boolean(), nullable=False),
        sa.Column("has_open_review", sa.Boolean(), nullable=False),
        sa.Column("is_signed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_aid_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_aid")),
    )
    with op.batch_alter_table("aid", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_aid_authority_id_seizure_id"),
            ["authority_id", "seizure_id"],
            unique=False,
        )

    op.create_table(
        "animal",
        sa.Column("seizure_id", BYTEWISE, nullable=True),
        sa.Column("kind", sa.Text(), nullable=True),
        sa.Column("count", sa.Integer(), nullable=True),
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("author_id", BYTEWISE, nullable=True),
        sa.Column("author_actor", sa.Text(), nullable=True),
        sa.Column("received_at", INSTANT, nullable=False),
        sa.Column("heads", sa.Text(), nullable=False),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.Column("is_incomplete", sa.Boolean(), nullable=False),
        sa.Column("is_withdrawn", sa.Boolean(), nullable=False),
        sa.Column("has_open_review", sa.Boolean(), nullable=False),
        sa.Column("is_signed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_animal_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_animal")),
    )
    with op.batch_alter_table("animal", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_animal_authority_id_kind"), ["authority_id", "kind"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_animal_authority_id_seizure_id"),
            ["authority_id", "seizure_id"],
            unique=False,
        )

    op.create_table(
        "aside_bytes",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("photo_id", BYTEWISE, nullable=False),
        sa.Column("announced", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("via", sa.Text(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_aside_bytes_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_aside_bytes")),
    )
    with op.batch_alter_table("aside_bytes", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_aside_bytes_authority_id_photo_id"),
            ["authority_id", "photo_id"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_aside_bytes_authority_id_via_at"),
            ["authority_id", "via", "at"],
            unique=False,
        )

    op.create_table(
        "closed_day",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("calendar", sa.Text(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.CheckConstraint("calendar IN ('office', 'pound')", name=op.f("ck_closed_day_calendar")),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_closed_day_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "calendar", "day", name=op.f("pk_closed_day")),
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
        "flag",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("record_id", BYTEWISE, nullable=False),
        sa.Column("flag", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_flag_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "kind", "record_id", "flag", name=op.f("pk_flag")),
    )
    with op.batch_alter_table("flag", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_flag_authority_id_flag"), ["authority_id", "flag"], unique=False
        )

    op.create_table(
        "hold",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("seizure_id", BYTEWISE, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("since", INSTANT, nullable=False),
        sa.Column("ended_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_hold_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_hold")),
    )
    with op.batch_alter_table("hold", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_hold_authority_id_seizure_id"),
            ["authority_id", "seizure_id"],
            unique=False,
        )

    op.create_table(
        "intake",
        sa.Column("seizure_id", BYTEWISE, nullable=True),
        sa.Column("pound_id", BYTEWISE, nullable=True),
        sa.Column("intake_at", INSTANT, nullable=True),
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("author_id", BYTEWISE, nullable=True),
        sa.Column("author_actor", sa.Text(), nullable=True),
        sa.Column("received_at", INSTANT, nullable=False),
        sa.Column("heads", sa.Text(), nullable=False),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.Column("is_incomplete", sa.Boolean(), nullable=False),
        sa.Column("is_withdrawn", sa.Boolean(), nullable=False),
        sa.Column("has_open_review", sa.Boolean(), nullable=False),
        sa.Column("is_signed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_intake_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_intake")),
    )
    with op.batch_alter_table("intake", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_intake_authority_id_pound_id"),
            ["authority_id", "pound_id"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_intake_authority_id_seizure_id"),
            ["authority_id", "seizure_id"],
            unique=False,
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
        "notification",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("number", sa.Text(), nullable=False),
        sa.Column("dated", sa.Date(), nullable=True),
        sa.Column("effective_from", sa.Date(), nullable=False),
        sa.Column("effective_to", sa.Date(), nullable=True),
        sa.Column("pound_id", BYTEWISE, nullable=True),
        sa.Column("area", sa.Text(), nullable=True),
        sa.Column("approved_by", sa.Text(), nullable=True),
        sa.Column("approved_on", sa.Date(), nullable=True),
        sa.Column("is_sample", sa.Boolean(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("entered_by", BYTEWISE, nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("used_at", INSTANT, nullable=True),
        sa.CheckConstraint(
            "kind IN ('fee_schedule', 'feeding_rates', 'security_scale', 'double_fine_area', 'section_189', 'section_190', 'other_pound', 'keeper', 'sale_officer', 'proof_officer', 'vesting', 'manner_of_sale')",
            name=op.f("ck_notification_kind"),
        ),
        sa.CheckConstraint(
            "effective_to IS NULL OR effective_to >= effective_from",
            name=op.f("ck_notification_period"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_notification_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_notification")),
    )
    with op.batch_alter_table("notification", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_notification_authority_id_kind_effective_from"),
            ["authority_id", "kind", "effective_from"],
            unique=False,
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
        "original",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("sha256", BYTEWISE, nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("media_type", sa.Text(), nullable=True),
        sa.Column("stored_at", INSTANT, nullable=False),
        sa.Column("analysed_at", INSTANT, nullable=True),
        sa.Column("verdict", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("flags", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=True),
        sa.Column("width", sa.Integer(), nullable=True),
        sa.Column("height", sa.Integer(), nullable=True),
        sa.Column("exif", sa.Text(), nullable=True),
        sa.Column("raw_exif", sa.Text(), nullable=True),
        sa.Column("dhash", sa.Text(), nullable=True),
        sa.Column("phash", sa.Text(), nullable=True),
        sa.Column("has_derivatives", sa.Boolean(), nullable=False),
        sa.Column("damaged_at", INSTANT, nullable=True),
        sa.CheckConstraint(
            "verdict IS NULL OR verdict IN ('accept', 'accept_flagged', 'reject')",
            name=op.f("ck_original_verdict"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_original_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "sha256", name=op.f("pk_original")),
    )
    with op.batch_alter_table("original", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_original_analysed_at"), ["analysed_at"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_original_authority_id_stored_at"),
            ["authority_id", "stored_at"],
            unique=False,
        )
        batch_op.create_index(
            "ix_original_damaged",
            ["sha256"],
            unique=False,
            postgresql_where=sa.text("damaged_at IS NOT NULL"),
            sqlite_where=sa.text("damaged_at IS NOT NULL"),
        )

    op.create_table(
        "person",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("capacity", sa.Text(), nullable=True),
        sa.Column("mobile", sa.Text(), nullable=True),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_person_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_person")),
    )
    op.create_table(
        "photo",
        sa.Column("seizure_id", BYTEWISE, nullable=True),
        sa.Column("aid_id", BYTEWISE, nullable=True),
        sa.Column("intake_id", BYTEWISE, nullable=True),
        sa.Column("sha256", BYTEWISE, nullable=True),
        sa.Column("size", sa.BigInteger(), nullable=True),
        sa.Column("media_type", sa.Text(), nullable=True),
        sa.Column("taken_at", INSTANT, nullable=True),
        sa.Column("checked_at", INSTANT, nullable=True),
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("author_id", BYTEWISE, nullable=True),
        sa.Column("author_actor", sa.Text(), nullable=True),
        sa.Column("received_at", INSTANT, nullable=False),
        sa.Column("heads", sa.Text(), nullable=False),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.Column("is_incomplete", sa.Boolean(), nullable=False),
        sa.Column("is_withdrawn", sa.Boolean(), nullable=False),
        sa.Column("has_open_review", sa.Boolean(), nullable=False),
        sa.Column("is_signed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_photo_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_photo")),
    )
    with op.batch_alter_table("photo", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_photo_authority_id_aid_id"), ["authority_id", "aid_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_photo_authority_id_intake_id"),
            ["authority_id", "intake_id"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_photo_authority_id_seizure_id"),
            ["authority_id", "seizure_id"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_photo_authority_id_sha256"), ["authority_id", "sha256"], unique=False
        )
        batch_op.create_index(
            "ix_photo_unchecked",
            ["authority_id", "sha256"],
            unique=False,
            postgresql_where=sa.text("checked_at IS NULL"),
            sqlite_where=sa.text("checked_at IS NULL"),
        )

    op.create_table(
        "photo_view",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("actor", BYTEWISE, nullable=False),
        sa.Column("photo_id", BYTEWISE, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_photo_view_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint(
            "authority_id", "actor", "photo_id", "day", name=op.f("pk_photo_view")
        ),
    )
    op.create_table(
        "place",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("local_name", sa.Text(), nullable=True),
        sa.Column("lat", sa.Double(), nullable=True),
        sa.Column("lon", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_place_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_place")),
    )
    with op.batch_alter_table("place", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_place_authority_id_name"), ["authority_id", "name"], unique=False
        )

    op.create_table(
        "pound",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("lat", sa.Double(), nullable=True),
        sa.Column("lon", sa.Double(), nullable=True),
        sa.Column("area", sa.Text(), nullable=True),
        sa.Column("closed_at", INSTANT, nullable=True),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_pound_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_pound")),
    )
    op.create_table(
        "record_view",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("actor", BYTEWISE, nullable=False),
        sa.Column("subject", BYTEWISE, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_record_view_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint(
            "authority_id", "actor", "subject", "day", name=op.f("pk_record_view")
        ),
    )
    op.create_table(
        "seizure",
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("minted_reference", sa.Text(), nullable=True),
        sa.Column("reference", sa.Text(), nullable=True),
        sa.Column("seized_at", INSTANT, nullable=True),
        sa.Column("lat", sa.Double(), nullable=True),
        sa.Column("lon", sa.Double(), nullable=True),
        sa.Column("capacity", sa.Text(), nullable=True),
        sa.Column("ground", sa.Text(), nullable=True),
        sa.Column("place_kind", sa.Text(), nullable=True),
        sa.Column("pound_id", BYTEWISE, nullable=True),
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("author_id", BYTEWISE, nullable=True),
        sa.Column("author_actor", sa.Text(), nullable=True),
        sa.Column("received_at", INSTANT, nullable=False),
        sa.Column("heads", sa.Text(), nullable=False),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.Column("is_incomplete", sa.Boolean(), nullable=False),
        sa.Column("is_withdrawn", sa.Boolean(), nullable=False),
        sa.Column("has_open_review", sa.Boolean(), nullable=False),
        sa.Column("is_signed", sa.Boolean(), nullable=False),
        sa.CheckConstraint(
            "state IN ('received', 'under_review', 'accepted', 'rejected', 'correction_asked', 'resubmitted')",
            name=op.f("ck_seizure_state"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_seizure_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_seizure")),
    )
    with op.batch_alter_table("seizure", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_seizure_authority_id_lat_lon"),
            ["authority_id", "lat", "lon"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_seizure_authority_id_received_at_id"),
            ["authority_id", "received_at", "id"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_seizure_authority_id_reference"),
            ["authority_id", "reference"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_seizure_authority_id_seized_at_id"),
            ["authority_id", "seized_at", "id"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_seizure_authority_id_state"), ["authority_id", "state"], unique=False
        )

    op.create_table(
        "serial_series",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("pound_id", BYTEWISE, nullable=False),
        sa.Column("book", sa.Text(), nullable=False),
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Column("letter", sa.Text(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_serial_series_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint(
            "authority_id", "pound_id", "book", "year", "letter", name=op.f("pk_serial_series")
        ),
    )
    op.create_table(
        "statute_confirmation",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("first_by", BYTEWISE, nullable=False),
        sa.Column("first_at", INSTANT, nullable=False),
        sa.Column("second_by", BYTEWISE, nullable=True),
        sa.Column("second_at", INSTANT, nullable=True),
        sa.CheckConstraint(
            "second_by IS NULL OR second_by <> first_by",
            name=op.f("ck_statute_confirmation_two_persons"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id"],
            ["authority.id"],
            name=op.f("fk_statute_confirmation_authority_id_authority"),
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_statute_confirmation")),
    )
    with op.batch_alter_table("statute_confirmation", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_statute_confirmation_authority_id_version_key"),
            ["authority_id", "version", "key"],
            unique=False,
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
        "console_session",
        sa.Column("token_hash", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("person_id", BYTEWISE, nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("is_whole", sa.Boolean(), nullable=False),
        sa.Column("started_at", INSTANT, nullable=False),
        sa.Column("proved_at", INSTANT, nullable=False),
        sa.Column("seen_at", INSTANT, nullable=False),
        sa.Column("ends_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id", "person_id"],
            ["person.authority_id", "person.id"],
            name=op.f("fk_console_session_authority_id_person_id_person"),
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_console_session")),
    )
    with op.batch_alter_table("console_session", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_console_session_authority_id_person_id"),
            ["authority_id", "person_id"],
            unique=False,
        )

    op.create_table(
        "device",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("person_id", BYTEWISE, nullable=False),
        sa.Column("standing", sa.Text(), nullable=False),
        sa.Column("make", sa.Text(), nullable=True),
        sa.Column("model", sa.Text(), nullable=True),
        sa.Column("colour", sa.Text(), nullable=True),
        sa.Column("os", sa.Text(), nullable=True),
        sa.Column("app_version", sa.Text(), nullable=True),
        sa.Column("public_key", sa.Text(), nullable=True),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("next_hash", sa.Text(), nullable=True),
        sa.Column("token_at", INSTANT, nullable=False),
        sa.Column("enrolled_at", INSTANT, nullable=False),
        sa.Column("standing_at", INSTANT, nullable=False),
        sa.Column("standing_reason", sa.Text(), nullable=True),
        sa.Column("seen_at", INSTANT, nullable=True),
        sa.Column("last_n", sa.BigInteger(), nullable=True),
        sa.Column("last_stamp", BYTEWISE, nullable=True),
        sa.Column("is_cloned", sa.Boolean(), nullable=False),
        sa.CheckConstraint(
            "standing IN ('pending', 'confirmed', 'rejected', 'revoked')",
            name=op.f("ck_device_standing"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id", "person_id"],
            ["person.authority_id", "person.id"],
            name=op.f("fk_device_authority_id_person_id_person"),
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_device")),
        sa.UniqueConstraint("authority_id", "actor", name=op.f("uq_device_authority_id_actor")),
        sa.UniqueConstraint("authority_id", "number", name=op.f("uq_device_authority_id_number")),
        sa.UniqueConstraint("next_hash", name=op.f("uq_device_next_hash")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_device_token_hash")),
    )
    op.create_table(
        "document",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("act_id", BYTEWISE, nullable=False),
        sa.Column("seizure_id", BYTEWISE, nullable=True),
        sa.Column("pound_id", BYTEWISE, nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("serial", sa.Text(), nullable=True),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("issued_at", INSTANT, nullable=False),
        sa.Column("prints", sa.Integer(), nullable=False),
        sa.Column("printed_at", INSTANT, nullable=True),
        sa.Column("voided_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(
            ["authority_id", "act_id"],
            ["act.authority_id", "act.id"],
            name=op.f("fk_document_authority_id_act_id_act"),
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_document")),
    )
    with op.batch_alter_table("document", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_document_authority_id_act_id"), ["authority_id", "act_id"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_document_authority_id_seizure_id"),
            ["authority_id", "seizure_id"],
            unique=False,
        )

    op.create_table(
        "enrolment",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("person_id", BYTEWISE, nullable=False),
        sa.Column("lookup", sa.Text(), nullable=False),
        sa.Column("code_hash", sa.Text(), nullable=False),
        sa.Column("is_confirmed", sa.Boolean(), nullable=False),
        sa.Column("made_by", sa.Text(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("used_at", INSTANT, nullable=True),
        sa.Column("device_id", BYTEWISE, nullable=True),
        sa.Column("burnt_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(
            ["authority_id", "person_id"],
            ["person.authority_id", "person.id"],
            name=op.f("fk_enrolment_authority_id_person_id_person"),
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_enrolment")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_enrolment_code_hash")),
    )
    with op.batch_alter_table("enrolment", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_enrolment_lookup"), ["lookup"], unique=False)

    op.create_table(
        "membership",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("person_id", BYTEWISE, nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("pound_id", BYTEWISE, nullable=True),
        sa.Column("starts_at", INSTANT, nullable=False),
        sa.Column("ends_at", INSTANT, nullable=True),
        sa.CheckConstraint(
            "role IN ('reporter', 'pound_keeper', 'reviewer', 'decider', 'admin', 'auditor')",
            name=op.f("ck_membership_role"),
        ),
        sa.CheckConstraint(
            "ends_at IS NULL OR ends_at > starts_at", name=op.f("ck_membership_ends_after_start")
        ),
        sa.ForeignKeyConstraint(
            ["authority_id", "person_id"],
            ["person.authority_id", "person.id"],
            name=op.f("fk_membership_authority_id_person_id_person"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id", "pound_id"],
            ["pound.authority_id", "pound.id"],
            name=op.f("fk_membership_authority_id_pound_id_pound"),
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_membership")),
    )
    with op.batch_alter_table("membership", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_membership_authority_id_person_id"),
            ["authority_id", "person_id"],
            unique=False,
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
        "recovery_code",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("person_id", BYTEWISE, nullable=False),
        sa.Column("code_hash", BYTEWISE, nullable=False),
        sa.Column("used_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(
            ["authority_id", "person_id"],
            ["person.authority_id", "person.id"],
            name=op.f("fk_recovery_code_authority_id_person_id_person"),
        ),
        sa.PrimaryKeyConstraint(
            "authority_id", "person_id", "code_hash", name=op.f("pk_recovery_code")
        ),
    )
    op.create_table(
        "review",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("seizure_id", BYTEWISE, nullable=False),
        sa.Column("person_id", BYTEWISE, nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.CheckConstraint(
            "outcome IN ('under_review', 'accepted', 'rejected', 'correction_asked')",
            name=op.f("ck_review_outcome"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id", "person_id"],
            ["person.authority_id", "person.id"],
            name=op.f("fk_review_authority_id_person_id_person"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id", "seizure_id"],
            ["seizure.authority_id", "seizure.id"],
            name=op.f("fk_review_authority_id_seizure_id_seizure"),
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_review")),
    )
    with op.batch_alter_table("review", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_review_authority_id_seizure_id_at"),
            ["authority_id", "seizure_id", "at"],
            unique=False,
        )

    op.create_table(
        "serial",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("pound_id", BYTEWISE, nullable=False),
        sa.Column("book", sa.Text(), nullable=False),
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Column("letter", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("act_id", BYTEWISE, nullable=False),
        sa.Column("issued_at", INSTANT, nullable=False),
        sa.Column("voided_at", INSTANT, nullable=True),
        sa.Column("void_reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["authority_id", "act_id"],
            ["act.authority_id", "act.id"],
            name=op.f("fk_serial_authority_id_act_id_act"),
        ),
        sa.PrimaryKeyConstraint(
            "authority_id", "pound_id", "book", "year", "letter", "number", name=op.f("pk_serial")
        ),
    )
    with op.batch_alter_table("serial", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_serial_authority_id_act_id"), ["authority_id", "act_id"], unique=False
        )

    op.create_table(
        "sign_in",
        sa.Column("name", BYTEWISE, nullable=False),
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("person_id", BYTEWISE, nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=False),
        sa.Column("changed_at", INSTANT, nullable=False),
        sa.Column("factor_nonce", sa.Text(), nullable=True),
        sa.Column("factor_at", INSTANT, nullable=True),
        sa.Column("factor_step", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["authority_id", "person_id"],
            ["person.authority_id", "person.id"],
            name=op.f("fk_sign_in_authority_id_person_id_person"),
        ),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_sign_in")),
    )
    op.create_table(
        "sign_in_link",
        sa.Column("token_hash", BYTEWISE, nullable=False),
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("person_id", BYTEWISE, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("used_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(
            ["authority_id", "person_id"],
            ["person.authority_id", "person.id"],
            name=op.f("fk_sign_in_link_authority_id_person_id_person"),
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_sign_in_link")),
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
        "device_person",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("device_id", BYTEWISE, nullable=False),
        sa.Column("person_id", BYTEWISE, nullable=False),
        sa.Column("since", INSTANT, nullable=False),
        sa.Column("until", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(
            ["authority_id", "device_id"],
            ["device.authority_id", "device.id"],
            name=op.f("fk_device_person_authority_id_device_id_device"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id", "person_id"],
            ["person.authority_id", "person.id"],
            name=op.f("fk_device_person_authority_id_person_id_person"),
        ),
        sa.PrimaryKeyConstraint(
            "authority_id", "device_id", "person_id", name=op.f("pk_device_person")
        ),
    )
    op.create_table(
        "device_use",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("device_id", BYTEWISE, nullable=False),
        sa.Column("used_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id", "device_id"],
            ["device.authority_id", "device.id"],
            name=op.f("fk_device_use_authority_id_device_id_device"),
        ),
        sa.PrimaryKeyConstraint("authority_id", "device_id", name=op.f("pk_device_use")),
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
        "offence",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("seizure_id", BYTEWISE, nullable=True),
        sa.Column("accused_id", BYTEWISE, nullable=True),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("committed_at", INSTANT, nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("acts", sa.Integer(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.ForeignKeyConstraint(
            ["authority_id", "accused_id"],
            ["party.authority_id", "party.id"],
            name=op.f("fk_offence_authority_id_accused_id_party"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_offence_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_offence")),
    )
    with op.batch_alter_table("offence", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_offence_authority_id_accused_id"),
            ["authority_id", "accused_id"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_offence_authority_id_seizure_id"),
            ["authority_id", "seizure_id"],
            unique=False,
        )

    op.create_table(
        "prior_impounding",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("party_id", BYTEWISE, nullable=False),
        sa.Column("impounded_on", sa.Date(), nullable=False),
        sa.Column("head", sa.Integer(), nullable=False),
        sa.Column("legality", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("entered_by", BYTEWISE, nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.CheckConstraint(
            "legality IN ('not_disputed', 'disputed', 'adjudged_lawful', 'adjudged_illegal')",
            name=op.f("ck_prior_impounding_legality"),
        ),
        sa.CheckConstraint("head > 0", name=op.f("ck_prior_impounding_head")),
        sa.ForeignKeyConstraint(
            ["authority_id", "party_id"],
            ["party.authority_id", "party.id"],
            name=op.f("fk_prior_impounding_authority_id_party_id_party"),
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_prior_impounding")),
    )
    with op.batch_alter_table("prior_impounding", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_prior_impounding_authority_id_party_id"),
            ["authority_id", "party_id"],
            unique=False,
        )

    op.create_table(
        "removal_order",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("owner_id", BYTEWISE, nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("acts", sa.Integer(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.CheckConstraint("kind IN ('special', 'general')", name=op.f("ck_removal_order_kind")),
        sa.ForeignKeyConstraint(
            ["authority_id", "owner_id"],
            ["party.authority_id", "party.id"],
            name=op.f("fk_removal_order_authority_id_owner_id_party"),
        ),
        sa.ForeignKeyConstraint(
            ["authority_id"], ["authority.id"], name=op.f("fk_removal_order_authority_id_authority")
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_removal_order")),
    )
    with op.batch_alter_table("removal_order", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_removal_order_authority_id_owner_id"),
            ["authority_id", "owner_id"],
            unique=False,
        )

    op.create_table(
        "upload",
        sa.Column("authority_id", BYTEWISE, nullable=False),
        sa.Column("id", BYTEWISE, nullable=False),
        sa.Column("device_id", BYTEWISE, nullable=False),
        sa.Column("photo_id", BYTEWISE, nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("expires_at", INSTANT, nullable=False),
        sa.Column("finished_at", INSTANT, nullable=True),
        sa.ForeignKeyConstraint(
            ["authority_id", "device_id"],
            ["device.authority_id", "device.id"],
            name=op.f("fk_upload_authority_id_device_id_device"),
        ),
        sa.PrimaryKeyConstraint("authority_id", "id", name=op.f("pk_upload")),
    )
    with op.batch_alter_table("upload", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_upload_authority_id_device_id_created_at"),
            ["authority_id", "device_id", "created_at"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_upload_authority_id_sha256"), ["authority_id", "sha256"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_upload_expires_at"), ["expires_at"], unique=False)

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
    with op.batch_alter_table("upload", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_upload_expires_at"))
        batch_op.drop_index(batch_op.f("ix_upload_authority_id_sha256"))
        batch_op.drop_index(batch_op.f("ix_upload_authority_id_device_id_created_at"))

    op.drop_table("upload")
    with op.batch_alter_table("removal_order", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_removal_order_authority_id_owner_id"))

    op.drop_table("removal_order")
    with op.batch_alter_table("prior_impounding", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_prior_impounding_authority_id_party_id"))

    op.drop_table("prior_impounding")
    with op.batch_alter_table("offence", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_offence_authority_id_seizure_id"))
        batch_op.drop_index(batch_op.f("ix_offence_authority_id_accused_id"))

    op.drop_table("offence")
    with op.batch_alter_table("money_line", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_money_line_authority_id_subject_id"))
        batch_op.drop_index(batch_op.f("ix_money_line_authority_id_pound_id_at"))
        batch_op.drop_index(batch_op.f("ix_money_line_authority_id_party_id"))

    op.drop_table("money_line")
    op.drop_table("device_use")
    op.drop_table("device_person")
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
    op.drop_table("sign_in_link")
    op.drop_table("sign_in")
    with op.batch_alter_table("serial", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_serial_authority_id_act_id"))

    op.drop_table("serial")
    with op.batch_alter_table("review", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_review_authority_id_seizure_id_at"))

    op.drop_table("review")
    op.drop_table("recovery_code")
    with op.batch_alter_table("party", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_party_authority_id_mobile"))
        batch_op.drop_index(batch_op.f("ix_party_authority_id_merged_into"))

    op.drop_table("party")
    with op.batch_alter_table("membership", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_membership_authority_id_person_id"))

    op.drop_table("membership")
    with op.batch_alter_table("enrolment", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_enrolment_lookup"))

    op.drop_table("enrolment")
    with op.batch_alter_table("document", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_document_authority_id_seizure_id"))
        batch_op.drop_index(batch_op.f("ix_document_authority_id_act_id"))

    op.drop_table("document")
    op.drop_table("device")
    with op.batch_alter_table("console_session", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_console_session_authority_id_person_id"))

    op.drop_table("console_session")
    with op.batch_alter_table("case_file", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_case_file_authority_id_state"))
        batch_op.drop_index(batch_op.f("ix_case_file_authority_id_pound_id_state"))

    op.drop_table("case_file")
    op.drop_table("writer_key")
    with op.batch_alter_table("statute_confirmation", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_statute_confirmation_authority_id_version_key"))

    op.drop_table("statute_confirmation")
    op.drop_table("serial_series")
    with op.batch_alter_table("seizure", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_seizure_authority_id_state"))
        batch_op.drop_index(batch_op.f("ix_seizure_authority_id_seized_at_id"))
        batch_op.drop_index(batch_op.f("ix_seizure_authority_id_reference"))
        batch_op.drop_index(batch_op.f("ix_seizure_authority_id_received_at_id"))
        batch_op.drop_index(batch_op.f("ix_seizure_authority_id_lat_lon"))

    op.drop_table("seizure")
    op.drop_table("record_view")
    op.drop_table("pound")
    with op.batch_alter_table("place", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_place_authority_id_name"))

    op.drop_table("place")
    op.drop_table("photo_view")
    with op.batch_alter_table("photo", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_photo_unchecked",
            postgresql_where=sa.text("checked_at IS NULL"),
            sqlite_where=sa.text("checked_at IS NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_photo_authority_id_sha256"))
        batch_op.drop_index(batch_op.f("ix_photo_authority_id_seizure_id"))
        batch_op.drop_index(batch_op.f("ix_photo_authority_id_intake_id"))
        batch_op.drop_index(batch_op.f("ix_photo_authority_id_aid_id"))

    op.drop_table("photo")
    op.drop_table("person")
    with op.batch_alter_table("original", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_original_damaged",
            postgresql_where=sa.text("damaged_at IS NOT NULL"),
            sqlite_where=sa.text("damaged_at IS NOT NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_original_authority_id_stored_at"))
        batch_op.drop_index(batch_op.f("ix_original_analysed_at"))

    op.drop_table("original")
    op.drop_table("op_erasure")
    with op.batch_alter_table("notification", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_notification_authority_id_kind_effective_from"))

    op.drop_table("notification")
    op.drop_table("ledger_head")
    with op.batch_alter_table("ledger", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_ledger_authority_id_subject_moves_seq"))
        batch_op.drop_index(batch_op.f("ix_ledger_authority_id_op"))

    op.drop_table("ledger")
    with op.batch_alter_table("intake", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_intake_authority_id_seizure_id"))
        batch_op.drop_index(batch_op.f("ix_intake_authority_id_pound_id"))

    op.drop_table("intake")
    with op.batch_alter_table("hold", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_hold_authority_id_seizure_id"))

    op.drop_table("hold")
    with op.batch_alter_table("flag", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_flag_authority_id_flag"))

    op.drop_table("flag")
    op.drop_table("erasure")
    op.drop_table("closed_day")
    with op.batch_alter_table("aside_bytes", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_aside_bytes_authority_id_via_at"))
        batch_op.drop_index(batch_op.f("ix_aside_bytes_authority_id_photo_id"))

    op.drop_table("aside_bytes")
    with op.batch_alter_table("animal", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_animal_authority_id_seizure_id"))
        batch_op.drop_index(batch_op.f("ix_animal_authority_id_kind"))

    op.drop_table("animal")
    with op.batch_alter_table("aid", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_aid_authority_id_seizure_id"))

    op.drop_table("aid")
    with op.batch_alter_table("act", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_act_authority_id_intake_id",
            sqlite_where=sa.text("intake_id IS NOT NULL"),
            postgresql_where=sa.text("intake_id IS NOT NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_act_authority_id_subject_kind_subject_id_n"))
        batch_op.drop_index(batch_op.f("ix_act_authority_id_pound_id_performed_at"))

    op.drop_table("act")
    op.drop_table("scan")
    op.drop_table("request_key")
    with op.batch_alter_table("parked_op", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_parked_op_authority_id_status_resolved"))
        batch_op.drop_index(batch_op.f("ix_parked_op_authority_id_kind_record_id"))

    op.drop_table("parked_op")
    op.drop_table("op_payload")
    with op.batch_alter_table("op", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_op_authority_id_kind_record_id"))

    op.drop_table("op")
    op.drop_table("job_failure")
    op.drop_table("authority")
    op.drop_table("attempt")
