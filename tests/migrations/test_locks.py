"""A migration waits for nobody for long: it lets others through and tries again."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from fieldapi import migrate
from fieldapi.engine import open_engine
from tests.support.databases import Databases


def test_migration_gets_through_once_a_long_reader_is_gone(
    postgresql_databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrate, "_LOCK_S", 1)
    monkeypatch.setattr(migrate, "_PAUSE_S", 0.05)
    with postgresql_databases.migrated() as there:
        migrate.downgrade(there.owner, "-1")
        engine = open_engine(there.owner)
        with engine.connect() as reader:
            reader.execute(text("LOCK TABLE alembic_version IN ACCESS SHARE MODE"))
            reader.execute(text("LOCK TABLE authority, seizure, case_file IN EXCLUSIVE MODE"))
            timer = threading.Timer(0.3, reader.rollback)
            timer.start()
            migrate.upgrade(there.owner, there.app)
            timer.join()
        engine.dispose()
        assert migrate.current(there.owner) == migrate.newest()


def test_migration_that_never_gets_its_lock_says_so_and_changes_nothing(
    postgresql_databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("_LOCK_S", 1), ("_TRIES", 1)):
        monkeypatch.setattr(migrate, name, value)
    with postgresql_databases.migrated() as there:
        migrate.downgrade(there.owner, "-1")
        before = migrate.current(there.owner)
        engine = open_engine(there.owner)
        with engine.connect() as holder:
            holder.execute(text("LOCK TABLE alembic_version IN ACCESS EXCLUSIVE MODE"))
            with pytest.raises(OperationalError):
                migrate.upgrade(there.owner, there.app)
            holder.rollback()
        engine.dispose()
        assert migrate.current(there.owner) == before
