"""People, phones and places

Why: who acts, on which phone, and where.

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

revision = "20261130_people_and_places"
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


def downgrade() -> None:
    """Undo the change."""
    op.drop_table("device_use")
    op.drop_table("device_person")
    op.drop_table("sign_in_link")
    op.drop_table("sign_in")
    op.drop_table("recovery_code")
    with op.batch_alter_table("membership", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_membership_authority_id_person_id"))
    op.drop_table("membership")
    with op.batch_alter_table("enrolment", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_enrolment_lookup"))
    op.drop_table("enrolment")
    op.drop_table("device")
    with op.batch_alter_table("console_session", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_console_session_authority_id_person_id"))
    op.drop_table("console_session")
    op.drop_table("pound")
    with op.batch_alter_table("place", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_place_authority_id_name"))
    op.drop_table("place")
    op.drop_table("person")
    op.drop_table("scan")
    op.drop_table("request_key")
    op.drop_table("job_failure")
    op.drop_table("authority")
    op.drop_table("attempt")
