"""The store a test of photos is about, and all pending work done at a word."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.jobs import JobRunner
from fieldapi.keyring import Keyring
from fieldapi.packs import load_packs
from fieldapi.pending import jobs_of
from fieldapi.settings import Settings
from fieldapi.storage import Storage, StorageUnavailable, open_storage
from fieldapi.unit import Database
from tests.support.s3 import S3Server, serve_s3

if TYPE_CHECKING:
    from typing import BinaryIO

    from fieldapi.storage import Stat

Work = Callable[[], int]


class MoodyStorage:
    """A store that can be told to be down."""

    def __init__(self, inner: Storage) -> None:
        self.inner = inner
        self.is_down = False

    def put(self, key: str, source: Path | BinaryIO, size: int, **how: bool) -> None:
        self._up().put(key, source, size, **how)

    def mend(self, key: str, source: Path | BinaryIO, size: int) -> None:
        self._up().mend(key, source, size)

    def open(self, key: str, *, start: int = 0, end: int | None = None) -> BinaryIO:
        return self._up().open(key, start=start, end=end)

    def stat(self, key: str) -> Stat | None:
        return self._up().stat(key)

    def list(self, prefix: str) -> Iterator[Stat]:
        return self._up().list(prefix)

    def delete(self, key: str) -> None:
        self._up().delete(key)

    def probe(self) -> None:
        self._up().probe()

    def _up(self) -> Storage:
        if self.is_down:
            raise StorageUnavailable("told to be down")
        return self.inner


@pytest.fixture(scope="session")
def s3_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    """A real S3 for the session."""
    with serve_s3(tmp_path_factory.mktemp("s3")) as server:
        yield server


@pytest.fixture
def store_kind() -> str:
    """Which store the test runs on; a test that is about both says so by `stores`."""
    return "folder"


@pytest.fixture
def store(store_kind: str, settings: Settings, request: pytest.FixtureRequest) -> MoodyStorage:
    """The store of the test's installation."""
    if store_kind == "folder":
        return MoodyStorage(open_storage(settings.storage_url, settings.data))
    server: S3Server = request.getfixturevalue("s3_server")
    url = server.url(f"photos-{new_id()[-12:]}")
    return MoodyStorage(open_storage(url, settings.data, environ=server.environ))


@pytest.fixture
def house(settings: Settings, database: Database, keys: Keyring, store: MoodyStorage) -> House:
    """The parts of the test's installation, with that store."""
    return House(settings, database, keys, store, load_packs())


@pytest.fixture
def work(house: House, tmp_path: Path) -> Work:
    """Return a way to do all pending work at once."""
    quick = replace(house)

    def run() -> int:
        runner = JobRunner(quick.database, jobs_of(quick), lock=tmp_path / "jobs.lock")
        done = 0
        while more := runner.run_once():
            done += more
        return done

    return run


stores = pytest.mark.parametrize("store_kind", ["folder", "s3"])
