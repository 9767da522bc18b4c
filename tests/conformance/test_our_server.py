"""Our own server passes the kit that any server can be checked with."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from fieldapi.clock import system_clock
from fieldapi.keyring import open_keyring
from fieldapi.settings import Settings
from fieldapi.unit import Database
from tests.conformance.__main__ import PASS
from tests.conformance.scenario import ALL
from tests.support.personas import Village, found_village, issue
from tests.support.server import Server, serving
from tests.support.tree import ROOT

CAST = {
    "author": "asha",
    "author2": "asha",
    "other": "ravi",
    "keeper": "mohan",
    "reviewer": "bina",
    "leaver": "kanta",
    "pending": "ravi",
    "admin": "admin",
}


@pytest.fixture
def by_its_clock(settings: Settings) -> Iterator[tuple[Database, Village]]:
    """A village founded by the clock that the server will go by."""
    database = Database(settings.database_url, keys=open_keyring(settings), clock=system_clock)
    yield database, found_village(database)
    database.close()


@pytest.mark.database
def test_our_server_passes_every_scenario(
    settings: Settings, by_its_clock: tuple[Database, Village]
) -> None:
    codes = [f"{role}={code_for(*by_its_clock, role)}" for role in CAST]
    with serving(settings) as server:
        done = _checked(server, codes)

    verdicts = json.loads(done.stdout)
    assert [one for one in verdicts if one["verdict"] != PASS] == []
    assert len(verdicts) == len(ALL)


def test_what_has_no_code_is_not_run(
    settings: Settings, by_its_clock: tuple[Database, Village]
) -> None:
    with serving(settings) as server:
        done = _checked(server, [f"author={code_for(*by_its_clock, 'author')}"])

    said = {one["scenario"]: one for one in json.loads(done.stdout)}
    assert done.returncode == 0
    assert said["7.29a"]["why"] == "needs a code for keeper"


def code_for(database: Database, village: Village, role: str) -> str:
    person = village[CAST[role]]
    is_confirmed = role != "pending"
    return issue(database, person.authority_id, person.person_id, is_confirmed=is_confirmed)


def _checked(server: Server, codes: list[str]) -> subprocess.CompletedProcess[str]:
    """Run the kit as a program of its own."""
    command = [sys.executable, "-m", "tests.conformance", "--json"]
    where = [f"http://127.0.0.1:{server.port}", *codes]
    done = subprocess.run([*command, *where], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    return done
