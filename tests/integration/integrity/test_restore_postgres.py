"""The drill for one server and a state: PostgreSQL and S3 backed up while serving, restored into an
empty database, from there and from the embedded size.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from fieldapi.backup import BackupError, Made, make_backup, restore
from fieldapi.engine import open_engine
from fieldapi.house import House, open_house
from fieldapi.ids import new_id
from fieldapi.settings import Settings
from fieldapi.storage.keys import original_key
from tests.support.databases import Addresses, Databases
from tests.support.deliveries import deliver, pen_of, some_reports, store_photo
from tests.support.personas import Village, found_village
from tests.support.restores import assert_sound, environ_of, opened
from tests.support.s3 import S3Server, serve_s3

Environ = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class State:
    """An installation on PostgreSQL and S3 with reports and photos in it."""

    house: House
    village: Village
    photos: tuple[str, ...]


@pytest.fixture(scope="module")
def s3_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    with serve_s3(tmp_path_factory.mktemp("s3")) as server:
        yield server


@pytest.fixture
def environ(tmp_path: Path, s3_server: S3Server) -> Environ:
    """What both installations have in common: clock, secret, and the photo store."""
    url = s3_server.url(f"drill-{new_id()[-12:]}")
    return {**environ_of(tmp_path), **s3_server.environ, "FIELDAPI_STORAGE_URL": url}


@pytest.fixture
def state(
    environ: Environ,
    postgresql_databases: Databases,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[State]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, environ[name])
    with postgresql_databases.migrated() as addresses:
        house = open_house(Settings.from_env(_at(environ, addresses, tmp_path / "old")))
        village = found_village(house.database)
        seizure = some_reports(house, village)[0]
        photos = [store_photo(house, village["asha"], seizure, b"photo %d" % n) for n in range(2)]
        yield State(house, village, tuple(photos))
        house.database.close()


@pytest.fixture
def empty(postgresql_databases: Databases) -> Iterator[Addresses]:
    """The database of the new host."""
    with postgresql_databases.empty() as addresses:
        yield addresses


def _at(environ: Environ, addresses: Addresses, data: Path) -> dict[str, str]:
    names = ("FIELDAPI_DATABASE_URL", "FIELDAPI_OWNER_DATABASE_URL")
    where = dict(zip(names, (addresses.app, addresses.owner), strict=True))
    return {**environ, **where, "FIELDAPI_DATA": str(data)}


def _back_up_under_load(state: State, target: Path) -> Made:
    """Make a backup while a phone goes on pushing reports."""
    is_done = threading.Event()
    asha = state.village["asha"]
    pen = pen_of(asha)

    def push() -> None:
        while not is_done.is_set():
            deliver(state.house, asha, pen.seizure(new_id()))

    writer = threading.Thread(target=push)
    writer.start()
    try:
        return make_backup(state.house, target)
    finally:
        is_done.set()
        writer.join()


def test_drill_on_postgresql_and_s3(
    state: State, empty: Addresses, environ: Environ, tmp_path: Path
) -> None:
    asha = state.village["asha"]
    made = _back_up_under_load(state, tmp_path / "backup")
    newer = pen_of(asha).seizure(new_id())
    deliver(state.house, asha, newer)
    there = _at(environ, empty, tmp_path / "new")

    done = restore(made.folder, tmp_path / "new", environ=there)

    assert (made.manifest.is_inventory, made.is_whole, done.missing) == (True, True, ())
    assert {head.epoch for head in done.heads} == {"B"}
    with opened(tmp_path / "new", there) as restored:
        assert_sound(restored, state.village.rjk, state.village.klm)
        (again,) = deliver(restored, asha, newer)
        assert (again["status"], again["replayed"]) == ("applied", False)
        assert_sound(restored, state.village.rjk)


def test_lost_bucket_is_told_photo_by_photo_and_phones_are_asked(
    state: State, empty: Addresses, environ: Environ, s3_server: S3Server, tmp_path: Path
) -> None:
    made = make_backup(state.house, tmp_path / "backup")
    there = {**_at(environ, empty, tmp_path / "new"), "FIELDAPI_STORAGE_URL": s3_server.url("none")}

    done = restore(made.folder, tmp_path / "new", environ=there)

    assert sorted(done.missing) == sorted(original_key(one) for one in state.photos)


def test_embedded_backup_moves_into_postgresql_and_s3(
    house: House,
    village: Village,
    empty: Addresses,
    environ: Environ,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, environ[name])
    store_photo(house, village["asha"], some_reports(house, village)[0], b"a photo")
    made = make_backup(house, tmp_path / "backup")
    there = _at(environ, empty, tmp_path / "new")

    restore(made.folder, tmp_path / "new", environ=there)

    with opened(tmp_path / "new", there) as restored:
        assert not restored.settings.is_sqlite
        assert_sound(restored, village.rjk, village.klm)


def test_restore_that_fails_leaves_the_database_empty_and_a_full_one_is_refused(
    state: State, empty: Addresses, environ: Environ, tmp_path: Path
) -> None:
    made = make_backup(state.house, tmp_path / "backup")
    full = _at(environ, _addresses_of(state.house), tmp_path / "new")
    broken = {**_at(environ, empty, tmp_path / "new"), "FIELDAPI_STORAGE_URL": "s3://b?endpoint=x"}

    with pytest.raises(BackupError, match="not empty"):
        restore(made.folder, tmp_path / "new", environ=full)
    with pytest.raises(ValueError, match="endpoint"):
        restore(made.folder, tmp_path / "new", environ=broken)

    assert not (tmp_path / "new").exists()
    engine = open_engine(empty.owner)
    with engine.connect() as connection:
        assert engine.dialect.get_table_names(connection) == []
    engine.dispose()


def _addresses_of(house: House) -> Addresses:
    return Addresses(house.settings.database_url, house.settings.owner_database_url)
