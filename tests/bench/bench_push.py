"""Sync push and pull on PostgreSQL over real HTTP: ops a second, CPU per op, p99, pages a second.

    ./dev bench push [--ops 20000] [--batch 100] [--writers 2] [--rate 0] [--json]

Starts its own PostgreSQL (fsync on) and gunicorn on free loopback ports, enrols one phone per
writer, and counts the CPU of server and database together: up to the last answer, and once more
when the work behind the pushes is done. Each statement is spelt out once before, by a few batches.
The same again with phones that sign every op (ES256, JWS): what is told of them begins `signed_`.
Then one reader pulls 10,000 of these records, or all there are, thrice from nothing, from a server
at rest: told is the median by the clock, what the reader takes to read JSON included, and the CPU
of the server. Beside it, in the same run, the raw limit: the three rows of an op inserted by one
connection without any product code. With `--rate` the writers together send so many ops a second
and no more: latencies at a load, not at the limit.
"""

from __future__ import annotations

import argparse
import http.client
import json
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import psutil
import psycopg
from sqlalchemy import select

from fieldapi.ids import new_id
from fieldapi.models import LedgerHead, Scan, Urgency
from tests.bench.running import run_on_postgres
from tests.support.personas import Persona, add_persona, found_village
from tests.support.reports import Body, Pen, push_body
from tests.support.serving import Served
from tests.support.signing import Key, enrol_with_key, sign


@dataclass(slots=True)
class Run:
    """What one writer measured; latencies in seconds."""

    latencies: list[float] = field(default_factory=list)
    applied: int = 0


@dataclass(frozen=True, slots=True)
class Pace:
    """When a writer sends: the first batch after `first_s`, one more `every_s`."""

    every_s: float = 0.0
    first_s: float = 0.0


AT_ONCE = Pace()
PULLED = 10_000
_PULLS = 3
_WARM_OPS = 400
_PATIENCE_S = 3600


def main() -> None:
    """Print the numbers of one run."""
    run_on_postgres(__doc__, measure, ops=20_000, batch=100, writers=2, rate=0)


def measure(served: Served, ask: argparse.Namespace) -> dict[str, object]:
    """Run the writers, then those who sign, then one reader and the raw insert; return every
    number.
    """
    village = found_village(served.database)
    phones = [
        add_persona(served.database, village.rjk, f"writer{i}", role="reporter", capacity="police")
        for i in range(ask.writers)
    ]
    plain = _pushed(served, [(one, None) for one in phones], ask)
    signing = [enrol_with_key(served.database, one) for one in phones]
    signed = {f"signed_{name}": told for name, told in _pushed(served, signing, ask).items()}
    return {
        "writers": ask.writers,
        "batch": ask.batch,
        "asked_ops_per_s": ask.rate,
        **plain,
        **signed,
        **_read(served, village["bina"]),
        "raw_rows_per_s": raw_rows_per_s(served, 5_000),
    }


def _pushed(
    served: Served, phones: list[tuple[Persona, Key | None]], ask: argparse.Namespace
) -> dict[str, object]:
    """Let each phone push its part; return what that took."""
    at = phones[0][0].authority_id
    batches = [
        [*batches_of(one, ask.ops // len(phones), ask.batch, key=key)] for one, key in phones
    ]
    warm = [[*batches_of(one, _WARM_OPS, 100, key=key)] for one, key in phones]
    senders = [one for one, _ in phones]
    _write(served, senders, warm)
    await_rest(served, at)
    before, began = served.cpu_s(), time.perf_counter()
    runs = _write(served, senders, batches, every_s=_interval_s(ask))
    took, cpu = time.perf_counter() - began, served.cpu_s() - before
    await_rest(served, at)
    behind, cpu_at_rest = time.perf_counter() - began - took, served.cpu_s() - before
    applied = sum(run.applied for run in runs)
    latencies = sorted(one for run in runs for one in run.latencies)
    return {
        "ops": applied,
        "push_ops_per_s": round(applied / took),
        "push_cpu_ms_per_op": round(cpu / applied * 1000, 3),
        "push_cpu_ms_per_op_at_rest": round(cpu_at_rest / applied * 1000, 3),
        "at_rest_after_s": round(behind, 1),
        "push_p50_ms": round(statistics.median(latencies) * 1000),
        "push_p99_ms": round(latencies[int(len(latencies) * 0.99)] * 1000),
    }


def batches_of(phone: Persona, ops: int, size: int, *, key: Key | None = None) -> Iterator[bytes]:
    """Yield bodies of creates and, one op in four, edits of them; signed if there is a key."""
    pen = Pen(phone.actor, phone.person_id)
    written: list[Body] = []
    for _ in range(ops // 4):
        seizure, lot = new_id(), new_id()
        written += [
            pen.seizure(seizure),
            pen.animal(lot, seizure, "buffalo", 2),
            pen.op("seizure", seizure, set={"owner.name": "Ramesh", "remarks": "near the well"}),
        ]
        base = {"count": [written[-2]["op"]]}
        written.append(pen.op("animal", lot, set={"count": 3}, base=base))
    header = {"alg": "ES256", "kid": phone.device_id}
    sent = written if key is None else [{"jws": sign(op, key, header)} for op in written]
    for start in range(0, len(sent), size):
        yield json.dumps(push_body(sent[start : start + size], limit=1)).encode()


def await_rest(served: Served, authority_id: str) -> None:
    """Return once every report is ranked and held against the others."""
    deadline = time.monotonic() + _PATIENCE_S
    while not _is_at_rest(served, authority_id):
        if time.monotonic() > deadline:
            sys.exit("the work behind the pushes came to no end")
        time.sleep(0.1)


def _is_at_rest(served: Served, authority_id: str) -> bool:
    unranked = select(Urgency.seizure_id).where(Urgency.is_ranked.is_(False)).limit(1)
    scans = select(Scan.seq).where(Scan.authority_id == authority_id)
    with served.database.read() as session:
        size = session.get_one(LedgerHead, authority_id).size
        return session.scalar(unranked) is None and set(session.scalars(scans)) == {size}


def _interval_s(ask: argparse.Namespace) -> float:
    """Return how long a writer lets pass from one batch to the next, 0 for none."""
    return ask.batch * ask.writers / ask.rate if ask.rate else 0.0


def _write(
    served: Served, phones: list[Persona], batches: list[list[bytes]], *, every_s: float = 0.0
) -> list[Run]:
    runs = [Run() for _ in phones]
    paces = [Pace(every_s, every_s * at / len(phones)) for at in range(len(phones))]
    threads = [
        threading.Thread(target=push_all, args=(served.port, *one))
        for one in zip(phones, batches, runs, paces, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return runs


def push_all(
    port: int, phone: Persona, batches: list[bytes], run: Run, pace: Pace = AT_ONCE
) -> None:
    """Push one batch after the other, as soon as the pace lets it."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    due = time.perf_counter() + pace.first_s
    for body in batches:
        time.sleep(max(0.0, due - time.perf_counter()))
        due += pace.every_s
        began = time.perf_counter()
        answer = post(connection, phone, body)
        run.latencies.append(time.perf_counter() - began)
        run.applied += sum(1 for one in answer["results"] if one["status"] == "applied")
    connection.close()


def post(connection: http.client.HTTPConnection, phone: Persona, body: bytes) -> dict:
    headers = {"Content-Type": "application/json", **phone.headers}
    connection.request("POST", "/api/v1/sync", body, headers)
    response = connection.getresponse()
    content = response.read()
    if response.status != 200:
        sys.exit(f"the server answered {response.status}: {content[:300]!r}")
    return json.loads(content)


def _read(served: Served, reader: Persona) -> dict[str, object]:
    """Pull in pages of 500, some times from nothing; tell what 10,000 records take."""
    before = served.cpu_s()
    pulls = [_pull(served, reader) for _ in range(_PULLS)]
    cpu = served.cpu_s() - before
    records = pulls[0].records
    return {
        "pulled_records": records,
        "pull_pages": pulls[0].pages,
        "pull_s_per_10000": round(
            statistics.median(one.took_s / one.records for one in pulls) * PULLED, 2
        ),
        "pull_cpu_s_per_10000": round(cpu / _PULLS / records * PULLED, 2),
    }


@dataclass(frozen=True, slots=True)
class Pull:
    """A pull from nothing: seconds by the clock."""

    records: int
    pages: int
    took_s: float


def _pull(served: Served, reader: Persona) -> Pull:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    cursor, more, records, pages = None, True, 0, 0
    began = time.perf_counter()
    while more and records < PULLED:
        body = json.dumps(push_body([], cursor=cursor, limit=500)).encode()
        page = post(connection, reader, body)
        cursor, more = page["cursor"], page["more"]
        records, pages = records + len(page["changes"]), pages + 1
    return Pull(records, pages, time.perf_counter() - began)


def raw_rows_per_s(served: Served, count: int) -> int:
    """Return how many triples of rows like ours one connection inserts a second, 100 a commit."""
    with psycopg.connect(served.owner_dsn, autocommit=False) as connection:
        connection.execute("CREATE TABLE raw (a text, b text, c text, d bytea, PRIMARY KEY (a, b))")
        connection.execute("CREATE TABLE raw2 (LIKE raw INCLUDING ALL)")
        connection.execute("CREATE TABLE raw3 (LIKE raw INCLUDING ALL)")
        connection.commit()
        row = ("x" * 36, "", "y" * 400, b"z" * 400)
        began = time.perf_counter()
        for start in range(0, count, 100):
            rows = [(row[0], str(start + i), *row[2:]) for i in range(100)]
            with connection.cursor() as cursor:
                for table in ("raw", "raw2", "raw3"):
                    cursor.executemany(f"INSERT INTO {table} VALUES (%s, %s, %s, %s)", rows)
            connection.commit()
        return round(count / (time.perf_counter() - began))


def cpu_of(processes: list[psutil.Process]) -> float:
    """Return the CPU seconds that processes and their children have used."""
    return sum(sum(one.cpu_times()[:2]) for one in processes)


if __name__ == "__main__":
    main()
