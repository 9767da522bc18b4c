"""What a migration that only adds costs while others write, on a large table of PostgreSQL: the
time of each statement, and the longest that anybody waited for a lock.

    ./dev bench migrate [--rows 1000000] [--json]
"""

from __future__ import annotations

import argparse
import threading
import time

from sqlalchemy import Engine, text

from fieldapi.engine import open_engine
from tests.bench.running import run_on_postgres
from tests.sim.chaos.migrating import Watch, expand
from tests.support.personas import found_village
from tests.support.serving import Served


def main() -> None:
    """Print the numbers of one run."""
    run_on_postgres(__doc__, measure, rows=1_000_000)


def measure(served: Served, ask: argparse.Namespace) -> dict[str, object]:
    """Fill the table, then expand it while a writer inserts and a reader reads."""
    engine = open_engine(served.settings.owner_database_url)
    asha = found_village(served.database)["asha"]
    _fill(engine, asha.authority_id, ask.rows)
    watch, is_over = Watch(engine), threading.Event()
    slowest: list[float] = [0.0]
    others = [
        threading.Thread(target=watch.look),
        threading.Thread(target=_write, args=(engine, asha.authority_id, is_over, slowest)),
    ]
    for other in others:
        other.start()
    statements = expand(engine)
    watch.end()
    is_over.set()
    for other in others:
        other.join()
    engine.dispose()
    return {
        "rows": ask.rows,
        "statement_ms": statements,
        "longest_lock_wait_ms": round(watch.longest_s * 1000, 1),
        "slowest_update_of_others_ms": round(slowest[0] * 1000, 1),
    }


def _fill(engine: Engine, authority: str, rows: int) -> None:
    """Make so many rows of the table, as alike as they may be."""
    with engine.connect() as connection:
        columns = connection.execute(
            text(
                "SELECT column_name, data_type, is_nullable FROM information_schema.columns"
                " WHERE table_schema = 'public' AND table_name = 'seizure'"
            )
        ).all()
        needed = [(name, kind) for name, kind, nullable in columns if nullable == "NO"]
        told = {"authority_id": f"'{authority}'", "id": "'row-' || n", "state": "'accepted'"}
        values = [told.get(name) or _plain(kind) for name, kind in needed]
        names = ", ".join(f'"{name}"' for name, _ in needed)
        connection.execute(
            text(
                f"INSERT INTO seizure ({names}) SELECT {', '.join(values)}"
                f" FROM generate_series(1, {rows}) AS n"
            )
        )
        connection.commit()


def _plain(kind: str) -> str:
    if kind.startswith("timestamp"):
        return "now()"
    if kind == "boolean":
        return "false"
    return "0" if kind in {"integer", "bigint", "double precision"} else "'{}'"


def _write(engine: Engine, authority: str, is_over: threading.Event, slowest: list[float]) -> None:
    """Change one row after the other, as reviewers do, and note the slowest."""
    at = 0
    with engine.connect() as connection:
        while not is_over.wait(0.01):
            began = time.perf_counter()
            at += 1
            row = {"id": f"row-{at}", "at": authority}
            connection.execute(
                text("UPDATE seizure SET reference = :id WHERE authority_id = :at AND id = :id"),
                row,
            )
            connection.commit()
            slowest[0] = max(slowest[0], time.perf_counter() - began)


if __name__ == "__main__":
    main()
