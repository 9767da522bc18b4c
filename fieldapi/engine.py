"""Opens the database as this product needs it: durable commits, explicit transactions, and on
PostgreSQL a role that cannot rewrite history. Used by `unit` and by the migrations.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import cast

import psycopg
from psycopg.pq import TransactionStatus
from psycopg.types.array import ListBinaryDumper
from sqlalchemy import Connection, Dialect, Engine, create_engine, event, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from fieldapi.settings import SettingsError

APPEND_ONLY = ("ledger", "op")
_BUSY_MS = 30_000
_PRIVATE, _OF_OTHERS = 0o600, 0o077
_SQLITE_DOWN = ("SQLITE_BUSY", "SQLITE_CANTOPEN", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_LOCKED")
_POSTGRES_DOWN = ("08", "40", "53", "55", "57", "58")


def open_engine(url: str, *, pool_size: int = 16) -> Engine:
    """Return an engine for `url` (SQLite or PostgreSQL by psycopg)."""
    engine = (_sqlite if url.startswith("sqlite") else _postgresql)(url, pool_size=pool_size)
    event.listen(engine, "checkin", _end_open)
    return engine


def _postgresql(url: str, *, pool_size: int) -> Engine:
    engine = create_engine(
        url,
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_pre_ping=True,
        pool_timeout=30,
        connect_args={"options": "-c synchronous_commit=on -c timezone=UTC"},
    )
    event.listen(engine, "connect", _postgresql_settings)
    event.listen(engine, "begin", _postgresql_begin)
    return engine


def _postgresql_settings(connection: psycopg.Connection, _record: object) -> None:
    """Send arrays as bytes: as text every element is searched for quotes and escaped in Python,
    which was a third of the work of a push.
    """
    connection.adapters.register_dumper(list, ListBinaryDumper)


def _postgresql_begin(connection: Connection) -> None:
    if not connection.get_execution_options().get("is_lasting", True):
        connection.exec_driver_sql("SET LOCAL synchronous_commit = off")


def _sqlite(url: str, *, pool_size: int) -> Engine:
    # Connections are kept: opening one costs as much as the work in it, and the last one to close
    # would write the whole log back. None holds a snapshot while it waits for its next unit.
    engine = create_engine(
        url,
        poolclass=QueuePool,
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_timeout=30,
        connect_args={"timeout": _BUSY_MS / 1000, "check_same_thread": False},
    )
    event.listen(engine, "do_connect", _keep_private)
    event.listen(engine, "connect", _sqlite_settings)
    event.listen(engine, "begin", _sqlite_begin)
    return engine


def _keep_private(_dialect: Dialect, _record: object, args: Sequence[str], _named: object) -> None:
    """Let nobody else read the file; SQLite gives its log beside it the same rights."""
    file = Path(args[0])
    with suppress(OSError):
        # Never opened and closed where it is there already: that would drop SQLite's own locks.
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, _PRIVATE))
    for one in (file, Path(f"{file}-wal"), Path(f"{file}-shm")):
        with suppress(OSError):
            if stat.S_IMODE(one.stat().st_mode) & _OF_OTHERS:
                one.chmod(_PRIVATE)


def tidy(url: str) -> None:
    """Write the log of a SQLite file back into it and leave the file alone, if nobody else has it
    open. What cannot be written back stays beside it and is read with it.
    """
    engine = open_engine(url)
    with suppress(DBAPIError), engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")
    engine.dispose()


def _sqlite_settings(connection: sqlite3.Connection, _record: object) -> None:
    """Take transactions into our own hands, and make a commit mean the disk."""
    connection.isolation_level = None
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        "recursive_triggers=ON",
        f"busy_timeout={_BUSY_MS}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _sqlite_begin(connection: Connection) -> None:
    """Writers queue at the start, so that none fails half-way; readers take a snapshot, and a
    single question is one by itself.
    """
    options = connection.get_execution_options()
    if options.get("writes", False):
        _sync_as_asked(connection, "FULL" if options.get("is_lasting", True) else "NORMAL")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    elif not options.get("asks", False):
        _plainly(connection, "BEGIN")


def _sync_as_asked(connection: Connection, wanted: str) -> None:
    """Have the next commit wait for the disk or not; the setting stays with the connection."""
    if connection.info.get("synchronous", "FULL") != wanted:
        _plainly(connection, f"PRAGMA synchronous={wanted}")
        connection.info["synchronous"] = wanted


def _plainly(connection: Connection, statement: str) -> None:
    """Run what touches no file and so cannot fail: told by SQLAlchemy, it costs ten times as much
    as it takes.
    """
    cast("sqlite3.Connection", connection.connection.driver_connection).execute(statement)


def _end_open(connection: DBAPIConnection | None, record: ConnectionPoolEntry) -> None:
    """End what a commit that failed left open: kept with the connection, it would hold its locks
    for as long as nobody uses that connection.
    """
    if connection is None or not _is_open(connection):
        return
    try:
        connection.rollback()
    except (sqlite3.Error, psycopg.Error) as exc:
        record.invalidate(exc)


def _is_open(connection: object) -> bool:
    """Say whether a transaction is open; SQLAlchemy takes one that failed to commit for ended."""
    if isinstance(connection, psycopg.Connection):
        return connection.info.transaction_status != TransactionStatus.IDLE
    return isinstance(connection, sqlite3.Connection) and connection.in_transaction


def is_down(error: DBAPIError) -> bool:
    """Say whether the database is down, full, closing or busy: not a fault of what was asked."""
    name = getattr(error.orig, "sqlite_errorname", None)
    if name is not None:
        return bool(str(name).startswith(_SQLITE_DOWN))
    state = getattr(error.orig, "sqlstate", None)
    if state is None:
        return error.connection_invalidated or isinstance(error, OperationalError)
    return str(state).startswith(_POSTGRES_DOWN)


def check_roles(engine: Engine) -> None:
    """Raise `SettingsError` if the app's database role could rewrite the ledger or the ops."""
    if engine.dialect.name != "postgresql":
        return
    with engine.connect() as connection:
        is_super = connection.scalar(
            text("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        )
        mighty = [name for name in APPEND_ONLY if _may_rewrite(connection, name)]
        lax = connection.scalar(text("SHOW fsync")) != "on"
    if is_super or mighty:
        raise SettingsError(
            "FIELDAPI_DATABASE_URL",
            "this role may rewrite " + (", ".join(mighty) or "everything: it is a superuser"),
            "give the app a role of its own; `fieldapi migrate` with the owner's "
            "FIELDAPI_OWNER_DATABASE_URL grants it what it needs",
        )
    if lax:
        raise SettingsError(
            "FIELDAPI_DATABASE_URL",
            "this PostgreSQL runs with fsync off and may forget what it acknowledged",
            "set fsync = on in postgresql.conf",
        )


def _may_rewrite(connection: Connection, table: str) -> bool:
    query = text("SELECT to_regclass(:t) IS NOT NULL AND has_table_privilege(:t, :p)")
    return any(
        connection.scalar(query, {"t": table, "p": privilege})
        for privilege in ("UPDATE", "DELETE", "TRUNCATE")
    )
