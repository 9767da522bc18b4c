"""Builds the house in which simulations of a pound play: SQLite in memory, a clock of their own.

Requests end in the app of this process.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path

from flask import Flask

from fieldapi import logs
from fieldapi.app import app_of
from fieldapi.house import House
from fieldapi.keyring import open_keyring
from fieldapi.packs import load_packs
from fieldapi.settings import Settings
from fieldapi.storage import open_storage
from fieldapi.unit import Database
from tests.support.clock import StoppedClock
from tests.support.databases import SqliteDatabases
from tests.support.memory import in_memory


@contextmanager
def empty_house(now: datetime) -> Iterator[tuple[Flask, Database, StoppedClock]]:
    """Lend an app with an empty database and a clock that stands at `now`."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=in_memory())))
        addresses = stack.enter_context(SqliteDatabases(folder).migrated())
        settings = Settings.from_env(
            {
                "FIELDAPI_DATA": str(folder / "data"),
                "FIELDAPI_DATABASE_URL": addresses.app,
                "FIELDAPI_SECRET_KEY": "a secret of a year, long enough to be one",
                "FIELDAPI_TESTING": "1",
            }
        )
        clock, keys = StoppedClock(now), open_keyring(settings)
        database = Database(settings.database_url, keys=keys, clock=clock)
        stack.callback(database.close)
        storage = open_storage(settings.storage_url, settings.data)
        app = app_of(House(settings, database, keys, storage, load_packs()))
        logs.configure("error")
        yield app, database, clock


def quiet() -> None:
    """Let nothing be logged: there are thousands of requests."""
    logs.configure("error")
    logging.disable(logging.CRITICAL)
