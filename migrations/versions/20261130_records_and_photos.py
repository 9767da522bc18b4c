"""Records and photos

Why: what phones capture, and what was found in it.

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

revision = "20261130_records_and_photos"
down_revision = "20261130_ledger_and_ops"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply the change."""
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


def downgrade() -> None:
    """Undo the change."""
    with op.batch_alter_table("upload", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_upload_expires_at"))
        batch_op.drop_index(batch_op.f("ix_upload_authority_id_sha256"))
        batch_op.drop_index(batch_op.f("ix_upload_authority_id_device_id_created_at"))
    op.drop_table("upload")
    with op.batch_alter_table("review", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_review_authority_id_seizure_id_at"))
    op.drop_table("review")
    with op.batch_alter_table("seizure", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_seizure_authority_id_state"))
        batch_op.drop_index(batch_op.f("ix_seizure_authority_id_seized_at_id"))
        batch_op.drop_index(batch_op.f("ix_seizure_authority_id_reference"))
        batch_op.drop_index(batch_op.f("ix_seizure_authority_id_received_at_id"))
        batch_op.drop_index(batch_op.f("ix_seizure_authority_id_lat_lon"))
    op.drop_table("seizure")
    op.drop_table("record_view")
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
    with op.batch_alter_table("original", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_original_damaged",
            postgresql_where=sa.text("damaged_at IS NOT NULL"),
            sqlite_where=sa.text("damaged_at IS NOT NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_original_authority_id_stored_at"))
        batch_op.drop_index(batch_op.f("ix_original_analysed_at"))
    op.drop_table("original")
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
