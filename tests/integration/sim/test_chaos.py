"""The reliability scenarios at their smallest; `./dev soak chaos` runs all of them at full size."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from fieldapi.engine import is_down
from fieldapi.keyring import Keyring
from fieldapi.unit import Database
from tests.sim.chaos import model
from tests.sim.chaos.scenario import Ground
from tests.sim.sim_chaos import SCENARIOS
from tests.support.databases import Databases
from tests.support.postgres import Postgres
from tests.support.tree import ROOT

_LISTED = {f"R{number}" for number in (*range(1, 19), *range(20, 25), 28, 30, 31, 32)}


def test_every_scenario_is_run_and_every_test_it_names_is_there() -> None:
    assert {one.number for one in SCENARIOS} == {*_LISTED, "storm"}
    text = (ROOT / "tests" / "sim" / "sim_chaos.py").read_text()
    named = [part for part in text.split('"') if part.startswith("tests/")]
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_api_is_what_its_model_says(
    postgres: Postgres, postgresql_databases: Databases, sqlite_databases: Databases, tmp_path: Path
) -> None:
    ground = Ground(tmp_path, postgres, postgresql_databases, sqlite_databases, 28, times=1)

    assert model.model(ground).wrong == []


def test_connection_that_dies_in_a_unit_is_told_as_a_database_that_is_down(
    postgresql_databases: Databases, keys: Keyring
) -> None:
    with postgresql_databases.migrated() as addresses:
        database = Database(addresses.app, keys=keys)
        with pytest.raises(OperationalError) as died, database.unit() as unit:
            unit.session.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
        database.close()

    assert is_down(died.value)
