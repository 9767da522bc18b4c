"""Lives histories by chance with the real service, on both databases, and checks every promise.

    ./dev soak service                         500 histories, half of them on PostgreSQL
    ./dev soak service --histories 40 --database sqlite --seed 7

Phones are those of the reference client; requests end in the app of this process.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from fieldapi import logs
from tests.sim.asking import KINDS, databases_of, parser_of, seeded
from tests.sim.service.histories import STEPS, Violation, run
from tests.sim.service.installation import Ground
from tests.support.memory import in_memory

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
        ground = Ground(databases_of(kind, folder, stack), folder, stack)
        for done, seed in enumerate(seeds, 1):
            try:
                run(ground, seed, steps=steps)
            except Violation as violation:
                print(f"{kind}: {violation}", file=sys.stderr, flush=True)
                broken.append(seed)
            if done % PER_LINE == 0:
                print(f"{kind}: {done}, broken {broken}", file=sys.stderr, flush=True)
    return broken


def _asked() -> argparse.Namespace:
    parser = parser_of(__doc__, histories=500, steps=STEPS)
    parser.add_argument("--database", choices=KINDS, default=None, help="both if not given")
    return seeded(parser)


if __name__ == "__main__":
    sys.exit(main())
