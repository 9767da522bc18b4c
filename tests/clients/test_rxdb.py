"""RxDB of npm, as published, against a real server: the app of the guide, and what it relies on."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from sqlalchemy import func, select

from fieldapi.clock import Clock, system_clock
from fieldapi.ids import new_id
from fieldapi.models import Animal, OpRow
from fieldapi.settings import Settings
from fieldapi.unit import Database
from tests.support import documents
from tests.support.personas import Village, enrol
from tests.support.reports import seizure_body
from tests.support.server import Server, serving
from tests.support.tree import ROOT
from tools import node

GUIDE = "docs/protocol/rxdb.md"
SCRIPTS = ROOT / "tests" / "clients" / "rxdb"


@dataclass(frozen=True, slots=True)
class Bench:
    """A folder with the scripts beside RxDB, and the environment that they are run with."""

    folder: Path
    environ: dict[str, str]
    report: str

    def point_to(self, server: Server) -> None:
        """Tell the scripts where the server is, from now on."""
        (self.folder / "address").write_text(f"http://127.0.0.1:{server.port}")

    def start(self, script: str, **environ: str) -> subprocess.Popen[str]:
        """Start a script; what it says comes line by line."""
        return subprocess.Popen(
            [node.node().program, script],
            cwd=self.folder,
            env={**self.environ, **environ},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, script: str, **environ: str) -> str:
        """Run a script to its end and return what it said."""
        with self.start(script, **environ) as process:
            said, _ = process.communicate(timeout=120)
        assert process.returncode == 0, said
        return said


@pytest.fixture
def clock() -> Clock:
    """The system's clock, which the server goes by."""
    return system_clock


@pytest.fixture
def bench(tmp_path: Path, database: Database, village: Village) -> Bench:
    """The scripts beside RxDB, for asha's phone and her tablet."""
    folder = tmp_path / "app"
    shutil.copytree(SCRIPTS, folder, ignore=shutil.ignore_patterns("*.json"))
    (folder / "node_modules").symlink_to(node.packages(SCRIPTS))
    for name in ("app", "use"):
        (folder / f"{name}.mjs").write_text(documents.script(GUIDE, name))
    asha = village["asha"]
    environ = {
        **os.environ,
        "ADDRESS_FILE": str(folder / "address"),
        "TOKEN_PHONE": asha.token,
        "TOKEN_TABLET": enrol(database, asha.authority_id, asha.person_id).token,
    }
    return Bench(folder, environ, new_id())


@pytest.fixture
def server(settings: Settings, village: Village, bench: Bench) -> Iterator[Server]:
    """A server with a report of asha's."""
    with _serving(settings, bench) as running:
        body = json.dumps(seizure_body(id=bench.report, pound_id=village.pound_id))
        headers = {**village["asha"].headers, "Content-Type": "application/json"}
        assert running.ask("POST", "/api/v1/seizures", body=body, **headers)[0] == 201
        bench.environ["REPORT"] = bench.report
        yield running


@contextmanager
def _serving(settings: Settings, bench: Bench) -> Iterator[Server]:
    with serving(settings) as running:
        bench.point_to(running)
        yield running


def _kill(server: Server) -> None:
    """End a server and its workers as a power cut does."""
    root = psutil.Process(server.process.pid)
    for one in (root, *root.children(recursive=True)):
        one.kill()
    server.process.wait(10)


def test_example_of_the_guide_runs_as_printed(bench: Bench, server: Server) -> None:
    address = f"http://127.0.0.1:{server.port}"

    said = bench.run("use.mjs", SERVER=address, TOKEN=bench.environ["TOKEN_PHONE"])

    assert "count: 3" in said
    assert "sync_rev: 'A." in said


def test_published_rxdb_replicates_and_nothing_is_lost(
    bench: Bench, server: Server, database: Database
) -> None:
    said = bench.run("scenarios.mjs")

    marks = dict(line.split(": ") for line in said.splitlines() if line[:4] in {"open", "with"})
    with database.read() as session:
        lots = {one.id: one for one in session.scalars(select(Animal))}
    assert lots[marks["withdrawn"]].is_withdrawn
    assert lots[marks["open"]].has_open_review
    assert sum(one.has_open_review for one in lots.values()) == 1
    assert len(lots) > 3000


def test_pull_goes_on_where_it_was_when_the_server_is_killed(
    bench: Bench, server: Server, settings: Settings, database: Database
) -> None:
    lots = [new_id() for _ in range(300)]
    bench.run("push_all.mjs", LOTS=",".join(lots))
    with bench.start("pull_all.mjs") as reader:
        assert reader.stdout is not None
        next(line for line in reader.stdout if line.startswith("came 1"))
        _kill(server)
        with _serving(settings, bench):
            said, _ = reader.communicate(timeout=60)

    *_, holds, _of, came = said.split()
    assert int(holds) == len(lots) + 2
    assert int(came) <= int(holds) + 20


def test_push_of_a_killed_app_is_finished_by_the_next_start(
    bench: Bench, server: Server, database: Database
) -> None:
    lots = [new_id() for _ in range(200)]
    with bench.start("push_all.mjs", LOTS=",".join(lots)) as writer:
        assert writer.stdout is not None
        next(line for line in writer.stdout if line == "pushed\n")
        writer.kill()

    assert "in step" in bench.run("push_all.mjs", LOTS=",".join(lots))
    with database.read() as session:
        ops = session.scalar(
            select(func.count()).select_from(OpRow).where(OpRow.record_id.in_(lots))
        )
        open_reviews = session.scalars(select(Animal.id).where(Animal.has_open_review)).all()
    assert (ops, open_reviews) == (len(lots), [])
