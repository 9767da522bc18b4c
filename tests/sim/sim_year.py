"""Lives a year in a pound under each Act and checks that every case ends as the Act wants.

    ./dev soak year                       500 seizures under each of four versions
    ./dev soak year --seizures 50 --statute gujarat --seed 7

Requests end in the app of this process; the clock is the story's own.
"""

from __future__ import annotations

import argparse
import json
import logging
import secrets
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from fieldapi import logs
from fieldapi.app import app_of
from fieldapi.house import House
from fieldapi.keyring import open_keyring
from fieldapi.packs import load_packs
from fieldapi.settings import Settings
from fieldapi.storage import open_storage
from fieldapi.unit import Database
from tests.sim.year import FIRST_DAY, Year
from tests.support.clock import StoppedClock
from tests.support.databases import SqliteDatabases
from tests.support.memory import in_memory
from tests.support.pound_house import found_pound, load_sample

STATUTES = ("gujarat", "kerala-1961", "kerala", "karnataka")


def main() -> int:
    """Live the years that were asked for; return 1 if anything went wrong in one."""
    logs.configure("error")
    logging.disable(logging.CRITICAL)
    asked = _asked()
    began, faults, blocked = time.monotonic(), 0, 0
    for statute in [asked.statute] if asked.statute else STATUTES:
        year = _year(statute, asked.seizures, asked.seed)
        for fault in year.faults:
            print(f"{statute}: {fault}", file=sys.stderr, flush=True)
        faults += len(year.faults)
        blocked += sum(year.blocked.values())
        print(f"{statute}: {dict(year.ends)}", file=sys.stderr, flush=True)
    said = {
        "seizures": asked.seizures,
        "seed": asked.seed,
        "faults": faults,
        "refused_acts": blocked,
        "seconds": round(time.monotonic() - began, 1),
    }
    print(json.dumps(said) if asked.json else "  ".join(f"{k} {v}" for k, v in said.items()))
    return 1 if faults else 0


def _year(statute: str, seizures: int, seed: int) -> Year:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=in_memory())))
        addresses = stack.enter_context(SqliteDatabases(folder).migrated())
        settings = Settings.from_env(
            {
                "FIELDAPI_DATA": str(folder / "data"),
                "FIELDAPI_DATABASE_URL": addresses.app,
                "FIELDAPI_SECRET_KEY": "a secret of a year, long enough to be one",
                "FIELDAPI_TESTING": "1",
            }
        )
        clock = StoppedClock(FIRST_DAY)
        keys = open_keyring(settings)
        database = Database(settings.database_url, keys=keys, clock=clock)
        stack.callback(database.close)
        storage = open_storage(settings.storage_url, settings.data)
        app = app_of(House(settings, database, keys, storage, load_packs()))
        logs.configure("error")
        house = found_pound(app, database, clock, statute)
        load_sample(house, database)
        year = Year(house, database, seed=seed)
        year.live(seizures)
        return year


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev soak year", description=__doc__)
    parser.add_argument("--seizures", type=int, default=500)
    parser.add_argument("--statute", choices=STATUTES)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
