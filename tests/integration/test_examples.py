"""The examples of the documents, run as they are printed: bash, curl and a real server."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fieldapi.clock import system_clock
from fieldapi.keyring import open_keyring
from fieldapi.settings import Settings
from fieldapi.unit import Database
from tests.support import documents
from tests.support.images import field_photo
from tests.support.personas import found_village, issue
from tests.support.server import serving
from tools import node

RunScript = Callable[[str], subprocess.CompletedProcess[str]]

pytestmark = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")


@pytest.fixture
def code(settings: Settings) -> Iterator[str]:
    """A code for asha's phone, by the clock that the server will go by."""
    now = Database(settings.database_url, keys=open_keyring(settings), clock=system_clock)
    asha = found_village(now)["asha"]
    yield issue(now, asha.authority_id, asha.person_id, is_confirmed=True)
    now.close()


@pytest.fixture
def run(settings: Settings, code: str, tmp_path: Path) -> Iterator[RunScript]:
    """Run a script beside a photo, with the variables that the documents tell people to set."""
    (tmp_path / "cattle.jpg").write_bytes(field_photo(size=(2000, 1500)))
    with serving(settings) as server:
        address = f"http://127.0.0.1:{server.port}"
        environ = {"CODE": code, "SERVER": address, "PATH": os.environ["PATH"]}

        def bash(script: str) -> subprocess.CompletedProcess[str]:
            command = ["bash", "-euo", "pipefail", "-c", script]
            return subprocess.run(
                command, env=environ, cwd=tmp_path, check=False, capture_output=True, text=True
            )

        yield bash


def test_first_report_of_the_readme_comes_back_whole(run: RunScript) -> None:
    done = run(documents.script("README.md", "report"))

    assert done.returncode == 0, done.stdout + done.stderr
    assert "the very bytes" in done.stdout
    assert '"photos_stored": 1' in done.stdout


def test_worked_exchange_of_the_sync_guide_goes_as_it_says(run: RunScript) -> None:
    done = run(documents.script("docs/protocol/sync.md", "sync"))

    assert done.returncode == 0, done.stdout + done.stderr
    again, stored, judged = done.stdout.splitlines()
    assert "'replayed': True" in again
    assert stored == "stored"
    assert judged.count("'quarantined'") == 2
    assert "{'count': {'shown': 4}}" in judged


def test_exchange_in_javascript_prints_what_the_guide_says(
    settings: Settings, code: str, tmp_path: Path
) -> None:
    script = tmp_path / "phone.mjs"
    script.write_text(documents.script("docs/protocol/sync.md", "phone"))

    with serving(settings) as server:
        environ = {"CODE": code, "SERVER": f"http://127.0.0.1:{server.port}"}
        done = subprocess.run(
            [node.node().program, str(script)],
            env={**os.environ, **environ},
            check=False,
            capture_output=True,
            text=True,
        )

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines() == ["applied false applied true true", "4 1", "Devji"]
