"""`INSERT … ON CONFLICT DO NOTHING` and upserts, alike on both databases.

Called by services that let the database decide a race. Imports nothing of the project.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import inspect
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import DeclarativeBase, Session

from fieldapi.models.record import RecordRow

Insert = postgresql.Insert | sqlite.Insert


def insert_into(session: Session, table: type[DeclarativeBase | RecordRow]) -> Insert:
    """Return an INSERT of the database at hand, which knows `on_conflict_…`."""
    if session.get_bind().dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)


def insert_once(
    session: Session, table: type[DeclarativeBase], values: Mapping[str, object]
) -> bool:
    """Insert the row unless its key is taken; say whether it was inserted.

    On PostgreSQL this waits for a concurrent holder of the key to commit or roll back.
    """
    # RETURNING, not the row count: the ORM does not hand on psycopg's count.
    key = inspect(table).primary_key
    statement = insert_into(session, table).values(values).on_conflict_do_nothing()
    return session.execute(statement.returning(*key)).first() is not None
