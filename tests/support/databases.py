"""Fresh databases for tests: migrated once per session, copied for every test that asks.

Two kinds behind one shape: files of SQLite, databases of a PostgreSQL server.
"""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from fieldapi import migrate
from tests.support.postgres import APP, OWNER, Postgres


@dataclass(frozen=True, slots=True)
class Addresses:
    """How to reach one database: as the app, and as the role that owns the tables."""

    app: str
    owner: str


class Databases(Protocol):
    """Gives databases that are gone when the block ends."""

    def migrated(self) -> AbstractContextManager[Addresses]:
        """Give one with the newest schema and no rows."""
        ...

    def empty(self) -> AbstractContextManager[Addresses]:
        """Give one without any table, for tests of the migrations themselves."""
        ...

    def copy(self, of: Addresses) -> AbstractContextManager[Addresses]:
        """Give one with the schema and the rows of another, to which nobody is connected."""
        ...


class SqliteDatabases:
    """Files in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = itertools.count()
        self._template = folder / "template.sqlite3"
        migrate.upgrade(f"sqlite:///{self._template}")

    @contextmanager
    def migrated(self) -> Iterator[Addresses]:
        with self._file() as path:
            shutil.copyfile(self._template, path)
            yield Addresses(f"sqlite:///{path}", f"sqlite:///{path}")

    @contextmanager
    def empty(self) -> Iterator[Addresses]:
        with self._file() as path:
            yield Addresses(f"sqlite:///{path}", f"sqlite:///{path}")

    @contextmanager
    def copy(self, of: Addresses) -> Iterator[Addresses]:
        with self._file() as path:
            shutil.copyfile(of.app.removeprefix("sqlite:///"), path)
            yield Addresses(f"sqlite:///{path}", f"sqlite:///{path}")

    @contextmanager
    def _file(self) -> Iterator[Path]:
        # The process is in the name: forks of one count alike.
        path = self._folder / f"test-{os.getpid()}-{next(self._numbers)}.sqlite3"
        try:
            yield path
        finally:
            for part in self._folder.glob(f"{path.name}*"):
                part.unlink()


class PostgresDatabases:
    """Databases of one server, reached by two roles as in production."""

    def __init__(self, server: Postgres) -> None:
        self._server = server
        self._numbers = itertools.count()
        self._template = "fieldapi_template"
        server.create(self._template)
        there = self._addresses(self._template)
        migrate.upgrade(there.owner, there.app)

    @contextmanager
    def migrated(self) -> Iterator[Addresses]:
        with self._copy_of(self._template) as addresses:
            yield addresses

    @contextmanager
    def empty(self) -> Iterator[Addresses]:
        with self._copy_of("template1") as addresses:
            yield addresses

    @contextmanager
    def copy(self, of: Addresses) -> Iterator[Addresses]:
        with self._copy_of(of.app.rpartition("/")[2]) as addresses:
            yield addresses

    @contextmanager
    def _copy_of(self, template: str) -> Iterator[Addresses]:
        name = f"fieldapi_test_{next(self._numbers)}"
        self._server.create(name, template=template)
        try:
            yield self._addresses(name)
        finally:
            self._server.drop(name)

    def _addresses(self, name: str) -> Addresses:
        return Addresses(self._server.url(APP, name), self._server.url(OWNER, name))
