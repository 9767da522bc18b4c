"""The odd case, told once for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.databases import SqliteDatabases
from tests.support.told_bundle import Told, told_bundle


@pytest.fixture(scope="package")
def told(
    sqlite_databases: SqliteDatabases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Told]:
    """The case with its bundle. Nobody may change it."""
    folder = tmp_path_factory.mktemp("told")
    with sqlite_databases.migrated() as addresses, told_bundle(folder, addresses.app) as found:
        yield found
