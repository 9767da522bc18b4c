"""Brings a database to the schema of this program, and grants the app's role what it needs.

Called by `fieldapi migrate`, by `serve` for the embedded database, and by the test fixtures.
"""

from __future__ import annotations

import time
from functools import lru_cache
from pathlib import Path

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError

from fieldapi.engine import APPEND_ONLY, open_engine
from fieldapi.models import Base
from fieldapi.settings import SettingsError
from fieldapi.worker_tables import grant_worker_tables, install_worker_tables

_LOCK_S, _TRIES, _PAUSE_S = 2, 15, 1.0
_LOCK_NOT_AVAILABLE = "55P03"
_BESIDE = Path(__file__).parent / "_migrations"
_IN_TREE = Path(__file__).parent.parent / "migrations"


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    folder = _BESIDE if _BESIDE.is_dir() else _IN_TREE
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def newest() -> str:
    """Return the revision that this program needs."""
    revision = ScriptDirectory.from_config(_config()).get_current_head()
    if revision is None:
        raise RuntimeError("no migrations were installed with this program")
    return revision


def current(url: str) -> str | None:
    """Return the revision a database is at, or None for an empty one."""
    engine = open_engine(url)
    with engine.connect() as connection:
        revision = MigrationContext.configure(connection).get_current_revision()
    engine.dispose()
    return revision


def is_served(url: str) -> bool:
    """Say whether this program can serve the database: at its own revision, or at one that a
    newer program made, because every migration is compatible with the release before it.
    """
    found = current(url)
    return found is not None and (found == newest() or found not in _revisions())


def knows(revision: str) -> bool:
    """Say whether this program can bring a database from that revision to its own."""
    return revision in _revisions()


@lru_cache(maxsize=1)
def _revisions() -> frozenset[str]:
    script = ScriptDirectory.from_config(_config())
    return frozenset(each.revision for each in script.walk_revisions())


def require_newest(url: str) -> None:
    """Raise `SettingsError` unless the database has the schema of this program."""
    found = current(url)
    if found != newest():
        raise SettingsError(
            "FIELDAPI_DATABASE_URL",
            f"the database is at revision {found}, this program needs {newest()}",
            "run `fieldapi migrate`; a newer database needs a newer program",
        )


def upgrade(owner_url: str, app_url: str | None = None, *, revision: str = "head") -> None:
    """Apply the missing revisions as the owner, then grant the role of `app_url` its rights.

    On PostgreSQL it waits two seconds for a lock at most, lets whoever waits behind it through, and
    tries again: a program that serves meanwhile is not held up by a reader that takes long.
    """
    engine = open_engine(owner_url)
    try:
        for left in reversed(range(_TRIES)):
            try:
                _upgrade(engine, app_url or owner_url, revision)
            except OperationalError as exc:
                if left == 0 or getattr(exc.orig, "sqlstate", None) != _LOCK_NOT_AVAILABLE:
                    raise
                time.sleep(_PAUSE_S)
            else:
                return
    finally:
        engine.dispose()


def _upgrade(engine: Engine, app_url: str, revision: str) -> None:
    with engine.connect().execution_options(writes=True) as connection:
        is_postgresql = connection.dialect.name == "postgresql"
        if is_postgresql:
            connection.execute(text(f"SET lock_timeout = '{_LOCK_S}s'"))
            connection.commit()
        command.upgrade(_config(connection), revision)
        if is_postgresql:
            install_worker_tables(connection)
            _grant(connection, make_url(app_url).username)
        connection.commit()


def downgrade(owner_url: str, revision: str) -> None:
    """Undo revisions down to `revision` (`base` for all): for tests and for a failed upgrade."""
    engine = open_engine(owner_url)
    with engine.connect().execution_options(writes=True) as connection:
        command.downgrade(_config(connection), revision)
        connection.commit()
    engine.dispose()


def differences(owner_url: str) -> list[object]:
    """Return how the database differs from the models; empty when they agree."""
    engine = open_engine(owner_url)
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        found: list[object] = compare_metadata(context, Base.metadata)
    engine.dispose()
    return found


def _grant(connection: Connection, role: str | None) -> None:
    """Let the app's role read and write, but never rewrite history."""
    owner = connection.scalar(text("SELECT current_user"))
    if role is None or role == owner:
        return
    name = connection.dialect.identifier_preparer.quote_identifier(role)
    statements = [
        f"GRANT USAGE ON SCHEMA public TO {name}",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {name}",
        f"REVOKE INSERT, UPDATE, DELETE ON alembic_version FROM {name}",
    ]
    statements += [
        f"REVOKE UPDATE, DELETE, TRUNCATE ON {table} FROM {name}" for table in APPEND_ONLY
    ]
    for statement in (*statements, *grant_worker_tables(name)):
        connection.execute(text(statement))
