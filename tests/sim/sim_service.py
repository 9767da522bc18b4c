"""Lives histories by chance with the real service, on both databases, and checks every promise.

    ./dev soak service                         500 histories, half of them on PostgreSQL
    ./dev soak service --histories 40 --database sqlite --seed 7

Phones are those of the reference client; requests end in the app of this process.
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
from tests.sim.service.histories import STEPS, Violation, run
from tests.sim.service.installation import Ground
from tests.support.databases import Databases, PostgresDatabases, SqliteDatabases
from tests.support.memory import in_memory
from tests.support.postgres import Postgres

KINDS = ("sqlite", "postgresql")
PER_LINE = 50  # histories between two words on how it goes


def main() -> int:
    """Live the histories that were asked for; return 1 if any promise was broken."""
    logs.configure("error")
    logging.disable(logging.CRITICAL)
    asked = _asked()
    kinds = [asked.database] if asked.database else KINDS
    print(f"from seed {asked.seed} on", file=sys.stderr, flush=True)
    broken: list[int] = []
    began = time.monotonic()
    for at, kind in enumerate(kinds):
        seeds = range(asked.seed + at, asked.seed + asked.histories, len(kinds))
        broken += _live(kind, seeds, asked.steps)
    said = {
        "histories": asked.histories,
        "steps": asked.steps,
        "first_seed": asked.seed,
        "databases": list(kinds),
        "violations": len(broken),
        "broken_seeds": broken,
        "seconds": round(time.monotonic() - began, 1),
    }
    print(json.dumps(said) if asked.json else "  ".join(f"{k} {v}" for k, v in said.items()))
    return 1 if broken else 0


def _live(kind: str, seeds: range, steps: int) -> list[int]:
    broken: list[int] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=in_memory())))
        ground = Ground(_databases(kind, folder, stack), folder, stack)
        for done, seed in enumerate(seeds, 1):
            try:
                run(ground, seed, steps=steps)
            except Violation as violation:
                print(f"{kind}: {violation}", file=sys.stderr, flush=True)
                broken.append(seed)
            if done % PER_LINE == 0:
                print(f"{kind}: {done}, broken {broken}", file=sys.stderr, flush=True)
    return broken


def _databases(kind: str, folder: Path, stack: ExitStack) -> Databases:
    if kind == "sqlite":
        return SqliteDatabases(folder)
    return PostgresDatabases(stack.enter_context(Postgres()))


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--histories", type=int, default=500)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--seed", type=int, default=None, help="of the first; drawn if not given")
    parser.add_argument("--database", choices=KINDS, default=None, help="both if not given")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    asked.seed = secrets.randbelow(10**9) if asked.seed is None else asked.seed
    return asked


if __name__ == "__main__":
    sys.exit(main())
