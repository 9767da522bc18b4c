"""R29: lets phones come and go for a long time and looks whether memory, open files and connections
of the server stay flat after it is warm.

    ./dev soak endurance                     30 minutes
    ./dev soak endurance --minutes 2 --phones 4
"""

from __future__ import annotations

import json
import logging
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from sqlalchemy import text

from fieldapi import logs
from fieldapi.crowd import Plan, gather
from tests.sim.asking import asked as asked_for
from tests.support.cluster import Cluster, cluster
from tests.support.memory import in_memory
from tests.support.personas import found_village, issue
from tests.support.weighing import memory_mib, open_files, processes_of

_MEMORY_MIB, _FILES, _CONNECTIONS = 16, 16, 8  # what the second half may have more than the first


@dataclass(frozen=True, slots=True)
class Look:
    """What host and worker hold at one moment, all processes of each together."""

    host_mib: float
    worker_mib: float
    files: int
    connections: int


def main() -> int:
    """Live for as long as was asked; return 1 if something grew or was lost."""
    logs.configure("error")
    logging.disable(logging.CRITICAL)
    ask = asked_for(__doc__, minutes=30, phones=8)
    began, lost, ops = time.monotonic(), 0, 0
    looks: list[Look] = []
    with (
        tempfile.TemporaryDirectory(dir=in_memory()) as folder,
        cluster(Path(folder, "c"), hosts=1, workers=1) as made,
    ):
        asha = found_village(made.house.database)["asha"]
        while time.monotonic() - began < ask.minutes * 60 or len(looks) < 4:
            codes = [
                issue(made.house.database, asha.authority_id, asha.person_id)
                for _ in range(ask.phones)
            ]
            plan = Plan(3, 1, "flaky", ask.seed + len(looks), most_wait_s=1.0)
            tally, _ = gather([made.hosts[0].address], codes, plan, folder=made.folder)
            lost += 0 if tally.is_whole else 1
            ops += tally.sent
            looks.append(_look(made))
    wrong = _grown(looks)
    said = {
        "seed": ask.seed,
        "minutes": round((time.monotonic() - began) / 60, 1),
        "rounds": len(looks),
        "ops": ops,
        "rounds_with_loss": lost,
        "every_tenth": [asdict(one) for one in looks[:: max(len(looks) // 10, 1)]],
        "first": asdict(looks[0]),
        "middle": asdict(looks[len(looks) // 2]),
        "last": asdict(looks[-1]),
        "grew": wrong,
    }
    print(json.dumps(said) if ask.json else "  ".join(f"{k} {v}" for k, v in said.items()))
    return 1 if wrong or lost else 0


def _look(made: Cluster) -> Look:
    with made.house.database.read() as session:
        count = session.scalar(
            text("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        )
    hosts, workers = processes_of(made.hosts), processes_of(made.workers)
    host_mib, worker_mib = (round(memory_mib(one), 1) for one in (hosts, workers))
    return Look(host_mib, worker_mib, open_files([*hosts, *workers]), int(count or 0))


def _grown(looks: list[Look]) -> list[str]:
    """Say what the second half has more of than the first, once it was warm (a quarter)."""
    warm = looks[len(looks) // 4 :]
    early, late = warm[: len(warm) // 2], warm[len(warm) // 2 :]
    bars = {
        "host_mib": _MEMORY_MIB,
        "worker_mib": _MEMORY_MIB,
        "files": _FILES,
        "connections": _CONNECTIONS,
    }
    more = {
        name: max(getattr(one, name) for one in late) - max(getattr(one, name) for one in early)
        for name in bars
    }
    return [f"{name} by {more[name]:.0f}" for name, bar in bars.items() if more[name] > bar]


if __name__ == "__main__":
    sys.exit(main())
