"""Lives villages by chance on the real services and a database; then replays every record and
verifies every ledger.

    ./dev soak lives                     500 lives of 150 steps, about 20 minutes on one core
    ./dev soak lives --lives 20 --seed 7

Prints what it did; a life whose records are not what their ops make them is named by its seed.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from pathlib import Path

from fieldapi import ledger
from fieldapi.house import House
from fieldapi.keyring import open_keyring
from fieldapi.packs import load_packs
from fieldapi.services import replay
from fieldapi.settings import Settings
from fieldapi.storage import open_storage
from fieldapi.unit import Database
from tests.sim.asking import asked as asked_for
from tests.support.clock import StoppedClock
from tests.support.databases import SqliteDatabases
from tests.support.histories import Life
from tests.support.personas import found_village


def main() -> int:
    """Live the lives that were asked for; return 1 if any left a record that is not its ops."""
    asked = asked_for(__doc__, lives=500, steps=150)
    began, ops, broken = time.monotonic(), 0, []
    with tempfile.TemporaryDirectory(prefix="fieldapi-lives-") as name:
        databases = SqliteDatabases(Path(name))
        for seed in range(asked.seed, asked.seed + asked.lives):
            with databases.migrated() as there:
                stored, faults = _live(Path(name), there.app, seed, steps=asked.steps)
            ops += stored
            if faults:
                broken.append(seed)
                print(f"seed {seed}: {'; '.join(faults)}", file=sys.stderr, flush=True)
    said = {
        "lives": asked.lives,
        "steps": asked.steps,
        "first_seed": asked.seed,
        "ops": ops,
        "broken_seeds": broken,
        "seconds": round(time.monotonic() - began, 1),
    }
    print(json.dumps(said) if asked.json else "  ".join(f"{k} {v}" for k, v in said.items()))
    return 1 if broken else 0


def _live(folder: Path, url: str, seed: int, *, steps: int) -> tuple[int, list[str]]:
    """Live one life and return how many ops it stored, and what does not fit."""
    settings = Settings.from_env({"FIELDAPI_DATA": str(folder), "FIELDAPI_DATABASE_URL": url})
    keys = open_keyring(settings)
    database = Database(url, keys=keys, clock=StoppedClock())
    storage = open_storage(settings.storage_url, settings.data)
    house = House(settings, database, keys, storage, load_packs())
    try:
        village = found_village(database)
        Life(house, village, random.Random(seed)).live(steps)
        with database.read() as session:
            verified = ledger.verify(session, village.rjk, keys)
            replayed = replay.check(session, village.rjk)
    finally:
        database.close()
    faults = [f"{fault.seq} {fault.detail}" for fault in verified.faults]
    faults += [f"{one.kind} {one.record_id}: {one.columns}" for one in replayed.differences]
    return verified.ops, faults


if __name__ == "__main__":
    sys.exit(main())
