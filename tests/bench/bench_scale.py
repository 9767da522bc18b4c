"""Whether a push costs more when there is much, and whether a first sync stays flat in memory.

    ./dev bench scale [--records 1000000] [--ops 4000] [--pull 200000] [--json]

Starts two PostgreSQL with a server each, as `bench push` does: one with 1,000 records, the other
filled to `--records` (rows copied from real ones, each with a time and a place of its own, their
ledger entries appended by the product itself). When the work behind that is done, pushes go to one
and the other in turn, so that a busy machine is as busy for both; told is the median of the turns.
Then one phone pulls `--pull` records from nothing out of the many, and the memory of the server's
processes is read on the way.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import statistics
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
from sqlalchemy import func, select

from fieldapi.ids import new_id
from fieldapi.models import OpRow, Seizure
from fieldapi.models.bulk import insert_many
from fieldapi.unit import Unit
from tests.bench.bench_push import Run, await_rest, batches_of, post, push_all
from tests.bench.running import run_on_postgres
from tests.support.personas import Persona, Village, add_persona, found_village
from tests.support.reports import push_body
from tests.support.serving import Served, serve_on_postgres

FEW = 1_000
_CHUNK = 10_000
_WARM_OPS = 800
_TURNS = 5


def main() -> None:
    """Print the numbers of one run."""
    run_on_postgres(__doc__, measure, records=1_000_000, ops=4_000, pull=200_000)


def measure(served: Served, ask: argparse.Namespace) -> dict[str, object]:
    """Return the cost of a push with few records and with many, and the memory of a long pull."""
    with TemporaryDirectory() as folder, serve_on_postgres(Path(folder)) as other:
        few = Side(other, found_village(other.database))
        many = Side(served, found_village(served.database))
        few.grow(FEW)
        took = many.grow(ask.records)
        for _ in range(_TURNS):
            few.push(ask.ops // _TURNS)
            many.push(ask.ops // _TURNS)
        return {
            "records_few": _count(other, few.village.rjk),
            "records": _count(served, many.village.rjk),
            "filled_in_s": round(took),
            "turns": _TURNS,
            **_compared(few, many),
            **_pull(served, many.village["bina"], ask.pull),
        }


@dataclass(slots=True)
class Side:
    """A server that is pushed to. `to_answer`, `to_rest`: CPU milliseconds of server and database
    per op, up to the last answer and up to the end of the work behind it; one of each a turn.
    """

    served: Served
    village: Village
    to_answer: list[float] = field(default_factory=list)
    to_rest: list[float] = field(default_factory=list)

    def grow(self, wanted: int) -> float:
        """Bring it to `wanted` records, spell out each statement and wait until it is at rest;
        return the seconds that took.
        """
        began = time.perf_counter()
        self.push(_WARM_OPS)
        _fill(self.served, self.village.rjk, wanted)
        self.push(_WARM_OPS)
        self.to_answer, self.to_rest = [], []
        return time.perf_counter() - began

    def push(self, ops: int) -> None:
        """Push with a phone of its own, and wait for what follows."""
        capacity, database = "police", self.served.database
        phone = add_persona(
            database, self.village.rjk, new_id(), role="reporter", capacity=capacity
        )
        batches, run = list(batches_of(phone, ops, 100)), Run()
        before = self.served.cpu_s()
        push_all(self.served.port, phone, batches, run)
        if run.applied != ops:
            sys.exit(f"{run.applied} of {ops} ops were applied")
        self.to_answer.append((self.served.cpu_s() - before) / ops * 1000)
        await_rest(self.served, self.village.rjk)
        self.to_rest.append((self.served.cpu_s() - before) / ops * 1000)


def _compared(few: Side, many: Side) -> dict[str, object]:
    """Return what an op costs with few records and with many, as medians over the turns."""
    answers = [statistics.median(one.to_answer) for one in (few, many)]
    rests = [statistics.median(one.to_rest) for one in (few, many)]
    return {
        "push_cpu_ms_per_op_few": round(answers[0], 3),
        "push_cpu_ms_per_op_many": round(answers[1], 3),
        "ratio": round(answers[1] / answers[0], 2),
        "push_cpu_ms_per_op_few_at_rest": round(rests[0], 3),
        "push_cpu_ms_per_op_many_at_rest": round(rests[1], 3),
        "ratio_at_rest": round(rests[1] / rests[0], 2),
    }


@dataclass(frozen=True, slots=True)
class Template:
    """A real record and the op that created it, as rows."""

    seizure: Mapping[str, object]
    op: Mapping[str, object]

    def write(self, unit: Unit, count: int) -> None:
        """Write copies under new ids, each with its ledger entry."""
        ids = [new_id() for _ in range(count)]
        seizures = [{**self.seizure, "id": one, **_elsewhere(unit.now)} for one in ids]
        insert_many(unit.session, Seizure, seizures)
        ops = [{**self.op, "record_id": one, "op": new_id()} for one in ids]
        insert_many(unit.session, OpRow, ops)
        for record_id, op in zip(ids, ops, strict=True):
            unit.enter(
                str(op["authority_id"]),
                "op.applied",
                subject=f"seizure/{record_id}",
                actor=str(op["actor"]),
                op=f"{op['actor']}/{op['op']}",
                moves=True,
                by=str(op["by"]),
                via="sync",
                sha256="0" * 64,
            )


def _elsewhere(now: datetime) -> dict[str, object]:
    """Return a time in the last two years and a place in the state, as columns of a report."""
    back = timedelta(minutes=random.randrange(2 * 365 * 24 * 60))
    return {
        "seized_at": now - back,
        "lat": random.uniform(20.0, 24.0),
        "lon": random.uniform(68.5, 74.0),
    }


def _fill(served: Served, authority_id: str, wanted: int) -> None:
    """Bring an authority to `wanted` seizures."""
    template = _template(served, authority_id)
    missing = wanted - _count(served, authority_id)
    for start in range(0, missing, _CHUNK):
        with served.database.unit() as unit:
            template.write(unit, min(_CHUNK, missing - start))
        if sys.stderr.isatty():
            print(f"\r{start + _CHUNK:>9,} of {missing:,} records", end="", file=sys.stderr)
    # What autovacuum does within minutes.
    with psycopg.connect(served.owner_dsn, autocommit=True) as connection:
        connection.execute("ANALYZE")


def _template(served: Served, authority_id: str) -> Template:
    with served.database.read() as session:
        seizure = select(Seizure.__table__).where(Seizure.authority_id == authority_id)
        row = session.execute(seizure.where(Seizure.heads != "").limit(1)).mappings().one()
        op = select(OpRow.__table__).where(
            OpRow.authority_id == authority_id,
            OpRow.record_id == row["id"],
            OpRow.payload.is_not(None),
        )
        return Template({**row}, {**session.execute(op.limit(1)).mappings().one()})


def _count(served: Served, authority_id: str) -> int:
    query = select(func.count()).select_from(Seizure).where(Seizure.authority_id == authority_id)
    with served.database.read() as session:
        return session.scalar(query) or 0


def _pull(served: Served, reader: Persona, wanted: int) -> dict[str, object]:
    """Pull from nothing; tell the time per 10,000 records and the memory early and at the end."""
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    cursor, more, records = None, True, 0
    early = late = 0.0
    began = time.perf_counter()
    while more and records < wanted:
        body = json.dumps(push_body([], cursor=cursor, limit=500)).encode()
        page = post(connection, reader, body)
        cursor, more = page["cursor"], page["more"]
        records += len(page["changes"])
        late = max(late, served.memory_mib())
        early = late if records <= wanted // 10 else early
    took = time.perf_counter() - began
    return {
        "pulled_records": records,
        "pull_s_per_10000": round(took / max(records, 1) * 10_000, 2),
        "memory_mib_after_a_tenth": round(early, 1),
        "memory_mib_at_most": round(late, 1),
    }


if __name__ == "__main__":
    main()
