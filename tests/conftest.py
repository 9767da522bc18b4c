"""What every test may ask for: databases of both kinds, a clock, keys. Loaded by pytest only.

`database_url` gives a fresh migrated database: SQLite, or with the mark `database` SQLite and
PostgreSQL in turn. On CI a test that was skipped counts as failed: nothing is left unsaid.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import configuration
from hypothesis import settings as hypothesis_settings

from fieldapi import serving
from fieldapi.keyring import Keyring, open_keyring
from fieldapi.settings import Settings
from fieldapi.unit import Database
from tests.support import network
from tests.support.canaries import Listener, listening
from tests.support.clock import StoppedClock
from tests.support.databases import Addresses, Databases, PostgresDatabases, SqliteDatabases
from tests.support.founded import Founded, founded_in
from tests.support.house import app, as_person, client, house  # noqa: F401 - fixtures of all
from tests.support.installations import settings_of
from tests.support.personas import Village, found_village
from tests.support.postgres import Postgres


def pytest_configure(config: pytest.Config) -> None:
    """Cut the tests off from the network and from the settings of whoever runs them."""
    network.stay_inside()
    for name in [name for name in os.environ if name.startswith("FIELDAPI_")]:
        del os.environ[name]
    configuration.set_hypothesis_home_dir(config.rootpath / ".cache" / "hypothesis")
    hypothesis_settings.register_profile("fieldapi", deadline=None, print_blob=True)
    hypothesis_settings.load_profile("fieldapi")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what is marked `database` on both kinds, everything else on SQLite."""
    if "database_kind" in metafunc.fixturenames:
        is_marked = metafunc.definition.get_closest_marker("database") is not None
        kinds = ["sqlite", "postgresql"] if is_marked else ["sqlite"]
        metafunc.parametrize("database_kind", kinds, scope="session")


def pytest_collection_finish() -> None:
    """Collect garbage as a server does, `serving` says why: a fifth of the suite's time else."""
    serving.spare_the_collector()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """On CI, fail a run in which anything was skipped."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") == "true" and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def log_listener() -> Iterator[Listener]:
    """Hears every log line of this session."""
    with listening() as listener:
        yield listener


@pytest.fixture(autouse=True)
def nothing_of_people_in_the_log(log_listener: Listener) -> Iterator[None]:
    """Fail whichever test made a log line with something of people, or a secret, in it."""
    yield
    assert log_listener.take() == []


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A running PostgreSQL server, the same for the whole session."""
    with Postgres() as server:
        yield server


@pytest.fixture(scope="session")
def postgresql_databases(postgres: Postgres) -> Databases:
    """Fresh databases on PostgreSQL."""
    return PostgresDatabases(postgres)


@pytest.fixture(scope="session")
def sqlite_databases(tmp_path_factory: pytest.TempPathFactory) -> Databases:
    """Fresh databases in files."""
    return SqliteDatabases(tmp_path_factory.mktemp("sqlite"))


@pytest.fixture
def databases(database_kind: str, request: pytest.FixtureRequest) -> Databases:
    """Fresh databases of the kind this run of the test is about."""
    found: Databases = request.getfixturevalue(f"{database_kind}_databases")
    return found


@pytest.fixture(scope="session")
def postgresql_founded(
    postgresql_databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Founded]:
    """A village on PostgreSQL, to be copied."""
    with founded_in(postgresql_databases, tmp_path_factory.mktemp("village")) as made:
        yield made


@pytest.fixture(scope="session")
def sqlite_founded(
    sqlite_databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Founded]:
    """A village in a file, to be copied."""
    with founded_in(sqlite_databases, tmp_path_factory.mktemp("village")) as made:
        yield made


@pytest.fixture
def founded(
    database_kind: str, clock: Callable[[], datetime], request: pytest.FixtureRequest
) -> Founded | None:
    """The village that this test gets a copy of; None if it asks for none, or has other clocks."""
    if "village" not in request.fixturenames or clock != StoppedClock():
        return None
    made: Founded = request.getfixturevalue(f"{database_kind}_founded")
    return made


@pytest.fixture
def database_addresses(databases: Databases, founded: Founded | None) -> Iterator[Addresses]:
    """A fresh migrated database, with its two addresses; with the village, if that is asked for."""
    with databases.copy(founded.addresses) if founded else databases.migrated() as addresses:
        yield addresses


@pytest.fixture
def database_url(database_addresses: Addresses) -> str:
    """A fresh migrated database, as the app reaches it."""
    return database_addresses.app


@pytest.fixture
def empty_database(databases: Databases) -> Iterator[Addresses]:
    """A database without any table."""
    with databases.empty() as addresses:
        yield addresses


@pytest.fixture
def clock() -> StoppedClock:
    """The server's clock, standing on a Monday morning until the test moves it."""
    return StoppedClock()


@pytest.fixture
def settings(tmp_path: Path, database_addresses: Addresses, founded: Founded | None) -> Settings:
    """The settings of an installation of its own, with a fresh migrated database."""
    made = settings_of(tmp_path, database_addresses)
    if founded:
        founded.hand_keys(made)
    return made


@pytest.fixture
def keys(settings: Settings) -> Keyring:
    """The keys of that installation."""
    return open_keyring(settings)


@pytest.fixture
def database(settings: Settings, keys: Keyring, clock: StoppedClock) -> Iterator[Database]:
    """The two doors to that database."""
    opened = Database(settings.database_url, keys=keys, clock=clock)
    yield opened
    opened.close()


@pytest.fixture
def village(database: Database, founded: Founded | None) -> Village:
    """Two authorities with everybody in them, each with a phone."""
    return founded.village if founded else found_village(database)
