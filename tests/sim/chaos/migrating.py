"""R21: the schema moves on under a program that serves: N-1 code on an N schema, under load."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field

from sqlalchemy import Connection, Engine, text

from fieldapi import migrate
from fieldapi.engine import open_engine
from tests.sim.chaos import storms
from tests.sim.chaos.scenario import Found, Ground
from tests.support.cluster import Cluster
from tests.support.tree import ROOT

# What the next release might do, each in a transaction of its own, as script.py.mako asks.
EXPAND = (
    "ALTER TABLE seizure ADD COLUMN next_note text",
    "CREATE TABLE next_thing (id text PRIMARY KEY, seizure_id text)",
    "ALTER TABLE seizure ADD CONSTRAINT next_note_short CHECK (length(next_note) < 99) NOT VALID",
    "UPDATE alembic_version SET version_num = '29991231_next'",
)
ALONE = (
    "CREATE INDEX CONCURRENTLY next_note_idx ON seizure (authority_id, next_note)",
    "ALTER TABLE seizure VALIDATE CONSTRAINT next_note_short",
)
# Page by page: each commit is short, and no row is looked at twice.
BACKFILL = (
    "UPDATE seizure SET next_note = '' WHERE next_note IS NULL"
    " AND ctid >= format('(%s,0)', :low)::tid AND ctid < format('(%s,0)', :high)::tid"
)
_PAGES = 50
_WAITS = (
    "SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart)), 0)"
    " FROM pg_locks WHERE NOT granted"
)


@dataclass(slots=True)
class Watch:
    """The longest that anybody waited for a lock."""

    engine: Engine
    longest_s: float = 0.0
    _is_over: threading.Event = field(default_factory=threading.Event)

    def look(self) -> None:
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            while not self._is_over.wait(0.01):
                self.longest_s = max(self.longest_s, float(connection.scalar(text(_WAITS)) or 0))

    def end(self) -> None:
        self._is_over.set()


def serving(ground: Ground) -> Found:
    """R21: expand and backfill under pushes; no error, no lock waited for longer than 2 s."""
    told: dict[str, object] = {}

    def nemesis(made: Cluster, _ground: Ground) -> None:
        engine = open_engine(made.house.settings.owner_database_url)
        watch = Watch(engine)
        watcher = threading.Thread(target=watch.look)
        watcher.start()
        told["statements"] = expand(engine)
        watch.end()
        watcher.join()
        told["longest_wait_ms"] = round(watch.longest_s * 1000, 1)
        engine.dispose()

    found = storms.against(ground, nemesis, hosts=1, workers=1, net="good")
    found.counts |= told
    statuses = found.counts["statuses"]
    assert isinstance(statuses, dict)
    found.claim(set(statuses) <= {"200", "201"}, f"answers while migrating: {statuses}")
    waited = told["longest_wait_ms"]
    found.claim(isinstance(waited, float) and waited < 2000, f"somebody waited {waited} ms")
    _resumed(ground, found)
    return found


def expand(engine: Engine) -> dict[str, float]:
    """Do what the next release might; return the milliseconds of each statement."""
    taken: dict[str, float] = {}
    with engine.connect() as connection:
        for statement in EXPAND:
            taken[statement[:44]] = _timed(connection, statement)
            connection.commit()
        pages = int(connection.scalar(text("SELECT pg_relation_size('seizure') / 8192")) or 0)
        for low in range(0, pages + 1, _PAGES):
            began = time.perf_counter()
            connection.execute(text(BACKFILL), {"low": low, "high": low + _PAGES})
            connection.commit()
            spent = round((time.perf_counter() - began) * 1000, 1)
            taken["slowest page of the backfill"] = max(
                spent, taken.get("slowest page of the backfill", 0.0)
            )
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        for statement in ALONE:
            taken[statement[:44]] = _timed(connection, statement)
    return taken


def _timed(connection: Connection, statement: str) -> float:
    began = time.perf_counter()
    connection.execute(text(statement))
    return round((time.perf_counter() - began) * 1000, 1)


def _resumed(ground: Ground, found: Found) -> None:
    """Kill `fieldapi migrate` in the middle, run it again: the schema is the models'."""
    program = "import sys; from fieldapi import migrate; migrate.upgrade(sys.argv[1], sys.argv[2])"
    with ground.databases.empty() as addresses:
        command = [sys.executable, "-c", program, addresses.owner, addresses.app]
        killed = 0
        for after_s in (0.9, 1.2, 1.5)[: ground.times]:
            with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as process:
                time.sleep(after_s)
                killed += process.poll() is None
                process.kill()
        migrate.upgrade(addresses.owner, addresses.app)
        differences = migrate.differences(addresses.owner)
    found.counts["migrations_killed"] = killed
    found.claim(not differences, "a migration that was killed left its marks")
