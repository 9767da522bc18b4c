"""Throws what the OpenAPI document allows, and what not, at every operation, on both databases.

./dev soak contract                                 20 examples × 4 people × every operation
./dev soak contract --examples 100 --seed 7
"""

from __future__ import annotations

import argparse
import logging
import secrets
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from fieldapi import logs
from fieldapi.app import app_of
from fieldapi.house import open_house
from fieldapi.settings import Settings
from tests.sim.asking import databases_of
from tests.support.memory import in_memory
from tests.support.personas import found_village
from tests.support.walls import Walk, walk


def main() -> int:
    """Walk on both databases; return 1 if anything failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=20)
    parser.add_argument("--seed", type=int, default=None)
    asked = parser.parse_args()
    seed = secrets.randbelow(10**6) if asked.seed is None else asked.seed
    logs.configure("error")
    logging.disable(logging.CRITICAL)
    failed = 0
    for kind in ("sqlite", "postgresql"):
        began = time.monotonic()
        found = _walk(kind, examples=asked.examples, seed=seed)
        for title, said in found.failures.items():
            print(f"{kind}: {title}\n{said}\n", file=sys.stderr)
        failed += len(found.failures)
        took = time.monotonic() - began
        print(
            f"{kind}: {sum(found.asked.values())} requests to {len(found.asked)} operations,"
            f" {len(found.failures)} failures, seed {seed}, {took:.0f} s"
        )
    return 1 if failed else 0


def _walk(kind: str, *, examples: int, seed: int) -> Walk:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=in_memory())))
        databases = databases_of(kind, folder, stack)
        addresses = stack.enter_context(databases.migrated())
        environ = {
            "FIELDAPI_DATA": str(folder / "data"),
            "FIELDAPI_DATABASE_URL": addresses.app,
            "FIELDAPI_OWNER_DATABASE_URL": addresses.owner,
            "FIELDAPI_TESTING": "1",
        }
        house = open_house(Settings.from_env(environ))
        stack.callback(house.database.close)
        village = found_village(house.database)
        return walk(app_of(replace(house)), village, examples=examples, start=seed)


if __name__ == "__main__":
    sys.exit(main())
