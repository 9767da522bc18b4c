"""Exports over real HTTP: seconds to the first byte and to the last, for reports with animals.

    ./dev bench exports [--reports 5000] [--postgres 1] [--json]

Starts its own database and gunicorn on free loopback ports; SQLite unless `--postgres` is given.
"""

from __future__ import annotations

import argparse
import http.client
import json
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory

from fieldapi.ids import new_id
from tests.bench.bench_push import post
from tests.support.personas import Persona, found_village
from tests.support.reports import Body, Pen, push_body
from tests.support.serving import Served, serve_on_postgres, serve_on_sqlite

NAMES = ("seizures.csv", "animals.csv", "seizures.geojson")
TIMES = 5


def main() -> None:
    """Print the numbers of one run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=5000)
    parser.add_argument("--postgres", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    ask = parser.parse_args()
    with TemporaryDirectory() as folder, _serve(Path(folder), is_postgres=ask.postgres) as served:
        village = found_village(served.database)
        _fill(served, village["asha"], ask.reports)
        found = {name: _best(served, village["bina"], name) for name in NAMES}
    print(json.dumps({"reports": ask.reports, **found}, indent=None if ask.json else 2))


def _serve(folder: Path, *, is_postgres: bool) -> AbstractContextManager[Served]:
    return serve_on_postgres(folder) if is_postgres else serve_on_sqlite(folder)


def _fill(served: Served, phone: Persona, reports: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    written = [*_ops(phone, reports)]
    for start in range(0, len(written), 300):
        post(connection, phone, json.dumps(push_body(written[start : start + 300])).encode())
    connection.close()


def _ops(phone: Persona, reports: int) -> Iterator[Body]:
    """Yield reports with two lots each."""
    pen = Pen(phone.actor, phone.person_id)
    for _ in range(reports):
        seizure = new_id()
        yield pen.seizure(seizure)
        yield pen.animal(new_id(), seizure, "buffalo", 2)
        yield pen.animal(new_id(), seizure, "cow", 3)


def _best(served: Served, reader: Persona, name: str) -> dict[str, float]:
    """Return the quickest of some runs."""
    found = [_measured(served, reader, name) for _ in range(TIMES)]
    return min(found, key=lambda one: one["last_byte_s"])


def _measured(served: Served, reader: Persona, name: str) -> dict[str, float]:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    began = time.perf_counter()
    connection.request("GET", f"/api/v1/exports/{name}", headers=reader.headers)
    response = connection.getresponse()
    response.read(1)
    first = time.perf_counter() - began
    size = 1 + len(response.read())
    last = time.perf_counter() - began
    connection.close()
    return {"first_byte_s": round(first, 3), "last_byte_s": round(last, 3), "bytes": size}


if __name__ == "__main__":
    main()
