"""A kit that passes every server proves nothing: each scenario fails on a server with a fault."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from fieldapi.app import app_of
from fieldapi.house import open_house
from fieldapi.pending import runner_of
from fieldapi.settings import Settings
from fieldapi.unit import Database
from tests.conformance import scenario
from tests.conformance.__main__ import FAIL, PASS, check
from tests.conformance.faults import FAULTS, Fault, Faulty
from tests.conformance.scenario import ALL
from tests.conformance.test_our_server import code_for
from tests.support.answering import answering
from tests.support.databases import Databases
from tests.support.personas import Village, found_village


@dataclass
class Trial:
    """A server in this process, with a fault that can be set."""

    faulty: Faulty
    database: Database
    village: Village
    url: str

    def failed(self, *numbers: str) -> dict[str, str]:
        """Play scenarios with fresh phones; return what each said, if it failed."""
        roles = {role for one in ALL if one.number in numbers for role in one.needs}
        codes = {role: code_for(self.database, self.village, role) for role in sorted(roles)}
        verdicts = check(self.url, codes, only=numbers)
        assert {one.verdict for one in verdicts} <= {PASS, FAIL}
        return {one.scenario: one.why for one in verdicts if one.verdict == FAIL}


@pytest.fixture(scope="module")
def trial(sqlite_databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trial]:
    with sqlite_databases.migrated() as addresses:
        environ = {
            "FIELDAPI_DATA": str(tmp_path_factory.mktemp("faulty")),
            "FIELDAPI_DATABASE_URL": addresses.app,
            "FIELDAPI_TESTING": "1",
        }
        house = open_house(Settings.from_env(environ))
        faulty, jobs = Faulty(app_of(house)), runner_of(house)
        jobs.start()
        village = found_village(house.database)
        with answering(faulty) as address:
            yield Trial(faulty, house.database, village, address)
        jobs.stop()
        house.database.close()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name.replace(" ", "-"))
def test_server_with_a_fault_is_found_out(
    trial: Trial, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial.faulty.fault = fault
    monkeypatch.setattr(scenario, "PATIENCE_S", 1)

    assert trial.failed(*fault.fails).keys() == set(fault.fails)


def test_layer_without_a_fault_passes(trial: Trial) -> None:
    trial.faulty.fault = Fault("none", ())

    assert trial.failed("7.2", "7.4a", "7.16a", "7.28") == {}


def test_every_scenario_has_a_fault_that_it_finds() -> None:
    assert {number for fault in FAULTS for number in fault.fails} == {one.number for one in ALL}
