"""A crowd of phones that comes back at once, against one app host, a worker, PostgreSQL and S3: how
long until all is in, what a report costs in CPU and on disks.

    ./dev bench crowd [--phones 1000] [--reports 20] [--photos 2] [--net good] [--json]

The phones run in this process and are not counted; neither is the S3 (rclone).
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import tempfile
import threading
from pathlib import Path

import psutil
from sqlalchemy import text

from fieldapi import logs
from fieldapi.crowd import Plan, gather
from fieldapi.crowd.line import NETS
from tests.support.cluster import Cluster, cluster
from tests.support.memory import in_memory
from tests.support.personas import found_village, issue
from tests.support.postgres import Postgres

_WATCH_S = 0.5


def main() -> int:
    """Print the numbers of one run; return 1 if anything was lost."""
    ask = _asked()
    logs.configure("error")
    logging.disable(logging.CRITICAL)
    with (
        tempfile.TemporaryDirectory(dir=in_memory()) as folder,
        Postgres(is_durable=True) as server,
        cluster(Path(folder, "c"), hosts=1, workers=1, postgres=server, processes=2) as made,
    ):
        found = measure(made, ask)
    print(json.dumps(found, indent=None if ask.json else 2))
    return 0 if found["is_whole"] else 1


def measure(made: Cluster, ask: argparse.Namespace) -> dict[str, object]:
    """Let them come, and weigh everything before and after."""
    asha = found_village(made.house.database)["asha"]
    codes = [
        issue(made.house.database, asha.authority_id, asha.person_id) for _ in range(ask.phones)
    ]
    plan = Plan(ask.reports, ask.photos, ask.net, ask.seed, within_s=3600, offline=0.0)
    scale = Scale(made)
    cpu, size = scale.cpu_s(), scale.database_bytes()
    scale.watch()
    address = [made.hosts[0].address]
    tally, seconds = gather(address, codes, plan, folder=made.folder)
    scale.wait_for_pictures()
    peak = scale.end()
    reports = max(tally.reports, 1)
    return {
        **tally.as_json(seconds),
        "cpu_ms_per_report": round((scale.cpu_s() - cpu) / reports * 1000, 1),
        "database_bytes_per_report": round((scale.database_bytes() - size) / reports),
        "memory_mib_together": round(peak),
    }


class Scale:
    """Weighs the processes of a cluster: hosts, worker, database."""

    def __init__(self, made: Cluster) -> None:
        self._made = made
        self._peak = 0.0
        self._is_over = threading.Event()
        self._watcher = threading.Thread(target=self._look)

    def cpu_s(self) -> float:
        """Return the CPU seconds of all so far, of ended children too."""
        return sum(sum(one.cpu_times()[:4]) for one in self._processes())

    def database_bytes(self) -> int:
        """Return what the database takes on its disk."""
        with self._made.house.database.read() as session:
            return int(session.scalar(text("SELECT pg_database_size(current_database())")) or 0)

    def wait_for_pictures(self) -> None:
        """Return once the worker has looked into every photo."""
        query = text("SELECT count(*) FROM original WHERE analysed_at IS NULL")
        while True:
            with self._made.house.database.read() as session:
                if not session.scalar(query):
                    return
            self._is_over.wait(_WATCH_S)

    def watch(self) -> None:
        """Begin to note how much memory hosts and worker take together."""
        self._watcher.start()

    def end(self) -> float:
        """Return the most it was, in MiB."""
        self._is_over.set()
        self._watcher.join()
        return self._peak

    def _look(self) -> None:
        while not self._is_over.wait(_WATCH_S):
            sizes = (_unique_bytes(one) for one in self._own())
            self._peak = max(self._peak, sum(sizes) / 2**20)

    def _own(self) -> list[psutil.Process]:
        roots = [
            psutil.Process(one.process.pid)
            for one in (*self._made.hosts, *self._made.workers)
            if one.process is not None
        ]
        return [each for root in roots for each in (root, *root.children(recursive=True))]

    def _processes(self) -> list[psutil.Process]:
        postmaster = self._made.postgres.folder / "data" / "postmaster.pid"
        server = psutil.Process(int(postmaster.read_text().split()[0]))
        return [*self._own(), server, *server.children(recursive=True)]


def _unique_bytes(process: psutil.Process) -> int:
    try:
        return int(process.memory_full_info().uss)
    except psutil.Error:
        return 0


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, size in (("phones", 1000), ("reports", 20), ("photos", 2), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=size)
    parser.add_argument("--net", choices=tuple(NETS), default="good")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
