"""Our own server passes the kit that any server can be checked with."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from fieldapi.settings import Settings
from fieldapi.unit import Database
from tests.conformance.__main__ import PASS
from tests.support.personas import Village, issue
from tests.support.server import Server, serving
from tests.support.tree import ROOT

CAST = {
    "author": "asha",
    "author2": "asha",
    "other": "ravi",
    "keeper": "mohan",
    "reviewer": "bina",
    "pending": "kanta",
}


@pytest.mark.database
def test_our_server_passes_every_scenario(
    settings: Settings, database: Database, village: Village
) -> None:
    codes = [f"{role}={_code(database, village, role)}" for role in CAST]
    with serving(settings) as server:
        done = _checked(server, codes)

    verdicts = json.loads(done.stdout)
    assert [one for one in verdicts if one["verdict"] != PASS] == []
    assert len(verdicts) > 25


def test_what_has_no_code_is_not_run(
    settings: Settings, database: Database, village: Village
) -> None:
    with serving(settings) as server:
        done = _checked(server, [f"author={_code(database, village, 'author')}"])

    said = {one["scenario"]: one for one in json.loads(done.stdout)}
    assert done.returncode == 0
    assert said["7.29"]["why"] == "needs a code for keeper"


def _code(database: Database, village: Village, role: str) -> str:
    person = village[CAST[role]]
    is_confirmed = role != "pending"
    return issue(database, person.authority_id, person.person_id, is_confirmed=is_confirmed)


def _checked(server: Server, codes: list[str]) -> subprocess.CompletedProcess[str]:
    """Run the kit as a program of its own."""
    command = [sys.executable, "-m", "tests.conformance", "--json"]
    where = ["--base-url", f"http://127.0.0.1:{server.port}", "--codes", *codes]
    done = subprocess.run([*command, *where], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    return done
