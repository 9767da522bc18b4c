"""Carries every row from one database to another of the same schema, whichever kinds they are.

So a backup is one SQLite file whatever was backed up, proven by the same code, and restored into
either kind: that is also the way from the embedded size to PostgreSQL.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import cast

from psycopg import Cursor
from sqlalchemy import Connection, Table, event, func, insert, inspect, select, text
from sqlalchemy.engine.interfaces import DBAPIConnection

from fieldapi import migrate
from fieldapi.backup.files import BackupError, Progress, sync_file
from fieldapi.engine import open_engine
from fieldapi.models import Base

_PAGE = 1000
_ROWS = "rows"


def carry_out(source: Connection, target: Path, *, progress: Progress) -> None:
    """Write all that `source` sees into the new SQLite file `target`."""
    engine = open_engine(f"sqlite:///{target}")
    event.listen(engine, "connect", _leave_references)
    migrate.upgrade(f"sqlite:///{target}")
    with engine.connect().execution_options(writes=True) as connection:
        for table, rows in _tables(source, progress):
            for part in rows:
                connection.execute(insert(table), part)
        connection.commit()
    engine.dispose()
    with closing(sqlite3.connect(target)) as file:
        file.execute("PRAGMA journal_mode=DELETE")
    target.chmod(0o600)
    sync_file(target)


def carry_in(source: Path, owner_url: str, *, progress: Progress) -> None:
    """Write all rows of the SQLite file into the empty PostgreSQL database, as its owner.

    In one transaction; references are checked at its end.
    """
    here, there = open_engine(f"sqlite:///{source}"), open_engine(owner_url)
    with here.connect() as old, there.connect() as new:
        with _references_at_the_end(new), closing(new.connection.cursor()) as cursor:
            for table, rows in _tables(old, progress):
                _copy(cast("Cursor", cursor), table, rows)
        new.commit()
    for engine in (here, there):
        engine.dispose()


def require_empty_database(owner_url: str) -> None:
    """Raise `BackupError` if the database has tables."""
    engine = open_engine(owner_url)
    with engine.connect() as connection:
        found = inspect(connection).get_table_names()
    engine.dispose()
    if found:
        raise BackupError(
            "the database of FIELDAPI_DATABASE_URL is not empty",
            "make a new one: nothing that is there is ever overwritten",
        )


def empty_database(owner_url: str) -> None:
    """Take away what a restore that failed has left in a database that was empty before."""
    migrate.downgrade(owner_url, "base")
    engine = open_engine(owner_url)
    with engine.connect() as connection:
        connection.execute(text("DROP TABLE IF EXISTS alembic_version"))
        connection.execute(text("DROP SCHEMA IF EXISTS jobs CASCADE"))
        connection.commit()
    engine.dispose()


def _leave_references(connection: DBAPIConnection, _record: object) -> None:
    """Take rows in any order; `prove_database` looks at all references afterwards."""
    with closing(connection.cursor()) as cursor:
        cursor.execute("PRAGMA foreign_keys=OFF")


def _tables(
    source: Connection, progress: Progress
) -> Iterator[tuple[Table, Iterator[list[Mapping[str, object]]]]]:
    """Yield each table, those that others refer to first, with its rows in pages."""
    tables = Base.metadata.sorted_tables
    total = sum(source.scalar(select(func.count()).select_from(each)) or 0 for each in tables)
    done = 0

    def pages(table: Table) -> Iterator[list[Mapping[str, object]]]:
        nonlocal done
        found = source.execution_options(yield_per=_PAGE).execute(select(table))
        for part in found.mappings().partitions():
            yield [dict(row) for row in part]
            done += len(part)
            progress(_ROWS, done, total)

    for table in tables:
        yield table, pages(table)


def _copy(cursor: Cursor, table: Table, pages: Iterator[list[Mapping[str, object]]]) -> None:
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    with cursor.copy(f'COPY "{table.name}" ({names}) FROM STDIN'.encode()) as copy:
        for page in pages:
            for row in page:
                copy.write_row(tuple(row.values()))


@contextmanager
def _references_at_the_end(connection: Connection) -> Iterator[None]:
    """Let rows of a table refer to later ones of it, until the block ends."""
    own = [
        (table.name, constraint.name)
        for table in Base.metadata.sorted_tables
        for constraint in table.foreign_key_constraints
        if constraint.referred_table is table
    ]
    for table, name in own:
        connection.execute(
            text(f'ALTER TABLE "{table}" ALTER CONSTRAINT "{name}" DEFERRABLE INITIALLY DEFERRED')
        )
    yield
    connection.execute(text("SET CONSTRAINTS ALL IMMEDIATE"))
    for table, name in own:
        connection.execute(text(f'ALTER TABLE "{table}" ALTER CONSTRAINT "{name}" NOT DEFERRABLE'))
