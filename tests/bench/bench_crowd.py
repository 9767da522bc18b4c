"""A crowd of phones that comes back at once, against one app host, a worker, PostgreSQL and S3: how
long until all is in, what a report costs in CPU and on disks.

    ./dev bench crowd [--phones 1000] [--reports 20] [--photos 2] [--together 25] [--net good]

Each phone is another officer's, `--together` of them in each authority: those hear of each other's
reports. All reports are written first, out of reach; seconds count from where the line is back.
The phones run in this process and are not counted; neither is the S3 (rclone).
"""

from __future__ import annotations

import argparse
import json
import logging
import resource
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from string import ascii_uppercase

from sqlalchemy import text

from fieldapi import logs
from fieldapi.crowd import Plan, gather
from fieldapi.crowd.line import NETS
from fieldapi.services import authorities, people
from fieldapi.services.authorise import operator
from fieldapi.services.authorities import NewAuthority
from fieldapi.services.people import Grant, NewPerson
from fieldapi.unit import Database, Unit
from tests.support.cluster import Cluster, cluster
from tests.support.memory import in_memory
from tests.support.personas import issue
from tests.support.postgres import Postgres
from tests.support.weighing import cpu_s, database_processes, processes_of, watching

_PATIENCE_S = 600


def main() -> int:
    """Print the numbers of one run; return 1 if anything was lost."""
    ask = _asked()
    logs.configure("error")
    logging.disable(logging.CRITICAL)
    with (
        tempfile.TemporaryDirectory(dir=in_memory()) as folder,
        Postgres(is_durable=True) as server,
        cluster(
            Path(folder, "c"),
            hosts=1,
            workers=1,
            postgres=server,
            processes=2,
            at_once=None,
            is_measured=True,
        ) as made,
    ):
        found = measure(made, ask)
    print(json.dumps(found, indent=None if ask.json else 2))
    return 0 if found["is_whole"] else 1


def measure(made: Cluster, ask: argparse.Namespace) -> dict[str, object]:
    """Let them come, and weigh everything before and after."""
    codes = _codes(made.house.database, ask.phones, ask.together)
    plan = Plan(ask.reports, ask.photos, ask.net, ask.seed, ask.within, is_return=True)
    before, size = _cpu_s(made), _database_bytes(made)
    with watching(made) as peak:
        tally, seconds = gather([made.hosts[0].address], codes, plan, folder=made.folder)
        told = ", ".join(tally.wrongs()) or "nothing lost"
        print(f"all in after {seconds:.0f} s: {told}; pictures are being drawn", file=sys.stderr)
        analysed = _wait_for_pictures(made)
    reports = max(tally.reports, 1)
    cpu = {
        part: round((after - before[part]) / reports * 1000, 1)
        for part, after in _cpu_s(made).items()
    }
    return {
        **tally.as_json(seconds),
        "seconds_until_pictures_were_drawn": round(seconds + analysed, 1),
        "cpu_ms_per_report": round(sum(cpu.values()), 1),
        "cpu_ms_per_report_by_process": cpu,
        "database_bytes_per_report": round((_database_bytes(made) - size) / reports),
        "memory_mib_together": round(peak.mib),
        "memory_mib_of_the_phones": round(
            resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        ),
    }


def _codes(database: Database, phones: int, together: int) -> list[str]:
    """Return a code for the phone of each officer."""
    offices = [database.transact(partial(_found, number)) for number in range(0, phones, together)]
    return [_code(database, offices[number // together], number) for number in range(phones)]


def _found(number: int, unit: Unit) -> str:
    code = "".join(ascii_uppercase[number // 26**place % 26] for place in (2, 1, 0))
    return authorities.found(unit, NewAuthority(code, f"Panchayat {code}", "gujarat")).id


def _code(database: Database, authority_id: str, number: int) -> str:
    officer = NewPerson(f"Officer {number}", (Grant("reporter"),), capacity="police")
    who = operator(authority_id)
    person_id = database.transact(lambda unit: people.add(unit, who, officer)).id
    return issue(database, authority_id, person_id)


def _cpu_s(made: Cluster) -> dict[str, float]:
    """Return the CPU seconds that each part took so far, with those of ended children."""
    return {
        "app host": cpu_s(processes_of(made.hosts)),
        "worker": cpu_s(processes_of(made.workers)),
        "database": cpu_s(database_processes(made)),
    }


def _database_bytes(made: Cluster) -> int:
    with made.house.database.read() as session:
        return int(session.scalar(text("SELECT pg_database_size(current_database())")) or 0)


def _wait_for_pictures(made: Cluster) -> float:
    """Return the seconds until the worker had looked into every photo, or would not."""
    began = time.monotonic()
    query = text("SELECT count(*) FROM original WHERE analysed_at IS NULL")
    while time.monotonic() < began + _PATIENCE_S:
        with made.house.database.read() as session:
            if not session.scalar(query):
                break
        time.sleep(0.5)
    return time.monotonic() - began


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, size in (
        ("phones", 1000),
        ("reports", 20),
        ("photos", 2),
        ("together", 25),
        ("within", 3600),
        ("seed", 1),
    ):
        parser.add_argument(f"--{name}", type=int, default=size)
    parser.add_argument("--net", choices=tuple(NETS), default="good")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
