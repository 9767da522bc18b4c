"""The tables of the job engine (procrastinate) on PostgreSQL, in a schema of their own.

Its versions come with the package, as files; `fieldapi migrate` applies those that are missing.
Called by `migrate`, and by `pending` to know whether a worker lives. SQLite has none of it.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, text
from sqlalchemy.orm import Session

SCHEMA = "jobs"
# Three heartbeats of a worker.
LIVES_S = 30


def install_worker_tables(connection: Connection) -> None:
    """Make the tables, or bring older ones to the installed procrastinate's version. As owner."""
    # Loaded here: the embedded size, and every short command, goes without it.
    from procrastinate.schema import SchemaManager  # noqa: PLC0415

    connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}"))
    connection.execute(text(f"SET LOCAL search_path TO {SCHEMA}"))
    connection.execute(text("CREATE TABLE IF NOT EXISTS applied (name text PRIMARY KEY)"))
    versions = {path.name: path for path in Path(SchemaManager.get_migrations_path()).glob("*.sql")}
    had = set(connection.scalars(text("SELECT name FROM applied")))
    if not had:
        _run(connection, SchemaManager.get_schema())
    for name in sorted(versions.keys() - had):
        if had:
            _run(connection, versions[name].read_text(encoding="utf-8"))
        connection.execute(text("INSERT INTO applied VALUES (:name)"), {"name": name})
    connection.execute(text("SET LOCAL search_path TO DEFAULT"))


def grant_worker_tables(role: str) -> tuple[str, ...]:
    """Return the statements that let the app's role (quoted) queue and run work."""
    return (
        f"GRANT USAGE ON SCHEMA {SCHEMA} TO {role}",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {SCHEMA} TO {role}",
        f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA {SCHEMA} TO {role}",
        f"REVOKE INSERT, UPDATE, DELETE ON {SCHEMA}.applied FROM {role}",
    )


def has_worker(session: Session) -> bool:
    """Say whether a worker gave a sign of life in the last half minute."""
    if not is_installed(session):
        return False
    query = text(
        f"SELECT EXISTS (SELECT FROM {SCHEMA}.procrastinate_workers"  # noqa: S608 - our own name
        " WHERE last_heartbeat > now() - make_interval(secs => :lives))"
    )
    return bool(session.scalar(query, {"lives": LIVES_S}))


def is_installed(session: Session) -> bool:
    """Say whether this database has the tables; SQLite never."""
    if session.get_bind().dialect.name != "postgresql":
        return False
    found = session.scalar(text(f"SELECT to_regclass('{SCHEMA}.procrastinate_workers')"))
    return found is not None


def _run(connection: Connection, script: str) -> None:
    """Run a script of many statements, past the driver's eye for parameters."""
    with closing(connection.connection.cursor()) as cursor:
        cursor.execute(script)
