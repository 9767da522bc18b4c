"""Lets writers push at once and readers poll meanwhile on PostgreSQL, and compares what readers
were told with the tables: a pull skips nothing.

    ./dev soak feed                          8 writers, 4 readers, about 20,000 ops
"""

from __future__ import annotations

import json
import logging
import sys
import tempfile
import time
from pathlib import Path

from fieldapi import logs
from tests.sim.asking import asked as asked_for
from tests.sim.feed import crowd
from tests.sim.sim_kills import settings_of
from tests.support.databases import PostgresDatabases
from tests.support.memory import in_memory
from tests.support.postgres import Postgres

BATCH = 20


def main() -> int:
    """Write and read as much as was asked; return 1 if a reader missed anything."""
    logs.configure("error")
    logging.disable(logging.CRITICAL)
    asked = asked_for(__doc__, ops=20_000, writers=8, readers=4)
    batches = max(asked.ops * 2 // (BATCH * asked.writers), 1)
    with (
        tempfile.TemporaryDirectory(dir=in_memory()) as folder,
        Postgres() as server,
        PostgresDatabases(server).migrated() as addresses,
        crowd(
            settings_of(Path(folder), addresses),
            asked.seed,
            writers=asked.writers,
            readers=asked.readers,
        ) as made,
    ):
        began = time.monotonic()
        made.run(batches, BATCH)
        took = time.monotonic() - began
        wrong = made.wrongs()
    for one in wrong:
        print(f"seed {asked.seed}: {one}", file=sys.stderr)
    said = {
        "seed": asked.seed,
        "writers": asked.writers,
        "readers": asked.readers,
        "ops": sum(len(one.pen.written) for one in made.writers),
        "records": max(len(one.revisions) for one in made.readers),
        "puts": sum(one.puts for one in made.readers),
        "violations": len(wrong),
        "seconds": round(took, 1),
    }
    print(json.dumps(said) if asked.json else "  ".join(f"{k} {v}" for k, v in said.items()))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
