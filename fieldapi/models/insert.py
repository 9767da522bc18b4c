"""`INSERT … ON CONFLICT DO NOTHING` and upserts, alike on both databases.

Called by services that let the database decide a race.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import cast

from sqlalchemy import Executable, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import DeclarativeBase, Session, class_mapper

from fieldapi.models.bulk import COUNTED, note_write
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
    connection = session.connection()
    statement = _insert_once(connection.dialect.name, table)
    if connection.execute(statement, dict(values)).first() is None:
        return False
    note_write(connection, table)
    return True


@lru_cache(maxsize=256)
def _insert_once(dialect: str, model: type[DeclarativeBase]) -> Executable:
    """Return the statement for a model, made once: to spell it out costs more than to run it."""
    insert = postgresql.insert if dialect == "postgresql" else sqlite.insert
    table = cast("Table", class_mapper(model).local_table)
    statement = insert(table).on_conflict_do_nothing().returning(*table.primary_key)
    return statement.execution_options(**{COUNTED: True})
