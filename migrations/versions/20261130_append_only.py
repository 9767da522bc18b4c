"""The ledger and the ops refuse to be rewritten

Why: evidence that the program itself can alter is no evidence.

Rules for every migration (delete none of them, tick them in the review):
- Never import from fieldapi.models: the models move on, this file must not.
- The previous release keeps running against the new schema: add first, use later, drop a release
  after nothing uses it (expand, migrate, contract).
- `ledger` and `op` are append-only: add columns at most; their triggers stay.
- downgrade() works, or raises and says why it cannot.
"""

from __future__ import annotations

from alembic import op

revision = "20261130_append_only"
down_revision = "20261130_register"
branch_labels = None
depends_on = None

KEYS = {"ledger": ("authority_id", "seq"), "op": ("authority_id", "actor", "op")}


def upgrade() -> None:
    """Put the triggers in place."""
    if op.get_bind().dialect.name == "postgresql":
        _postgresql()
    else:
        _sqlite()


def downgrade() -> None:
    """Take the triggers away again."""
    is_postgresql = op.get_bind().dialect.name == "postgresql"
    for table in KEYS:
        if is_postgresql:
            op.execute(f"DROP TRIGGER {table}_append_only_rows ON {table}")
            op.execute(f"DROP TRIGGER {table}_append_only_whole ON {table}")
        else:
            for verb in ("update", "delete", "replace"):
                op.execute(f"DROP TRIGGER {table}_no_{verb}")
    if is_postgresql:
        op.execute("DROP FUNCTION refuse_rewriting()")


def _postgresql() -> None:
    op.execute(
        """
        CREATE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION '% on % is refused: it is append-only', TG_OP, TG_TABLE_NAME;
        END $$
        """
    )
    for table in KEYS:
        op.execute(
            f"CREATE TRIGGER {table}_append_only_rows BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION refuse_rewriting()"
        )
        op.execute(
            f"CREATE TRIGGER {table}_append_only_whole BEFORE TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting()"
        )


def _sqlite() -> None:
    for table, key in KEYS.items():
        for verb in ("update", "delete"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb.upper()} ON {table} BEGIN "
                f"SELECT RAISE(ABORT, '{verb} on {table} is refused: it is append-only'); END"
            )
        # INSERT OR REPLACE deletes without firing a delete trigger unless recursive_triggers is
        # on; refusing a known key closes the door for connections that have it off.
        same = " AND ".join(f"{column} = NEW.{column}" for column in key)
        op.execute(
            f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} "
            f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same}) BEGIN "
            f"SELECT RAISE(ABORT, 'replacing a row of {table} is refused: it is append-only'); END"
        )
