"""Pending work on PostgreSQL goes through procrastinate: each subject once, whatever dies."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text

from fieldapi import migrate
from fieldapi.engine import open_engine
from fieldapi.house import House, open_house
from fieldapi.jobs import Job
from fieldapi.pending import runner_of
from fieldapi.settings import Settings
from fieldapi.worker import app_of, look
from fieldapi.worker_tables import has_worker
from tests.support.databases import Addresses, Databases


@pytest.fixture
def addresses(postgresql_databases: Databases) -> Iterator[Addresses]:
    with postgresql_databases.migrated() as made:
        yield made


@pytest.fixture
def here(addresses: Addresses, tmp_path: Path) -> Iterator[House]:
    """An installation on PostgreSQL."""
    told = {"FIELDAPI_DATA": str(tmp_path), "FIELDAPI_DATABASE_URL": addresses.app}
    house = open_house(Settings.from_env(told))
    yield house
    house.database.close()


def _look(house: House, *subjects: str) -> int:
    async def once() -> int:
        app = app_of(house)
        async with app.open_async():
            jobs = {"pile": Job("pile", lambda _session: [*subjects], lambda _subject: None)}
            return await look(app, house, jobs, beside=2)

    # In a thread of its own: a browser that other tests drive keeps a loop in this one.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(once())).result()


def _tell(house: House, statement: str) -> None:
    """Write past the house, as a worker elsewhere does."""
    engine = open_engine(house.settings.database_url)
    with engine.connect() as connection:
        connection.execute(text("SET search_path TO jobs"))
        connection.execute(text(statement))
        connection.commit()
    engine.dispose()


def _queued(house: House) -> list[list[str]]:
    with house.database.read() as session:
        query = text("SELECT args -> 'subjects' FROM jobs.procrastinate_jobs ORDER BY id")
        return [*session.scalars(query)]


def test_pending_subject_is_queued_once_however_often_it_is_looked_for(here: House) -> None:
    assert _look(here, "a", "b") == 2
    assert _look(here, "a", "b", "c") == 1
    assert _queued(here) == [["a"], ["b"], ["c"]]


def test_much_is_queued_in_lots(here: House) -> None:
    assert _look(here, *"abcde") == 2
    assert _look(here, *"abcde", *map(str, range(60))) == 3
    assert [len(lot) for lot in _queued(here)] == [3, 2, 20, 20, 20]


def test_subject_that_a_dead_worker_held_is_queued_again(here: House) -> None:
    _look(here, "a")
    _tell(here, "UPDATE jobs.procrastinate_jobs SET status = 'doing'")

    assert _look(here, "a") == 1


def test_server_does_all_until_a_worker_lives(here: House) -> None:
    runner = runner_of(here)
    with here.database.read() as session:
        before = has_worker(session)
    _tell(here, "INSERT INTO jobs.procrastinate_workers (last_heartbeat) VALUES (now())")
    with here.database.read() as session:
        assert (before, has_worker(session)) == (False, True)
    assert runner.stop()


def test_newer_engine_brings_its_tables_along(addresses: Addresses) -> None:
    """An installation whose last version of the engine's tables is missing gets it."""
    last = "03.04.00_50_post_add_retry_failed_job_procedure.sql"
    engine = open_engine(addresses.owner)
    with engine.connect() as connection:
        connection.execute(text("DELETE FROM jobs.applied WHERE name = :last"), {"last": last})
        connection.commit()
    migrate.upgrade(addresses.owner, addresses.app)
    with engine.connect() as connection:
        assert last in connection.scalars(text("SELECT name FROM jobs.applied")).all()
    engine.dispose()
