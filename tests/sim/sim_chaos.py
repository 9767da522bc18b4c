"""Runs the reliability scenarios, R1 to R32: each prints what it counted and what was wrong.

    ./dev soak chaos                             all, at full size
    ./dev soak chaos --only R4,R18 --size small  two of them, in a minute
    ./dev soak chaos --only storm --phones 20    as many phones, or --reports, or --times of faults
    ./dev soak chaos --list

R19, R25, R26, R27 and R29 have scripts and tests of their own: faketime and the clock tests, `soak
pure` and `service`, the merge laws, `soak feed`, and `soak endurance`.
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
from typing import Any

from fieldapi import logs
from tests.sim.asking import parser_of, seeded
from tests.sim.chaos import existing, lines, migrating, model, restoring, small, storms
from tests.sim.chaos.existing import tests
from tests.sim.chaos.scenario import Found, Ground, Scenario
from tests.support.databases import PostgresDatabases, SqliteDatabases
from tests.support.memory import in_memory
from tests.support.postgres import Postgres

_PHOTOS = "tests/integration/photos"
_SYNC = "tests/integration/sync"
_WHOLE = "tests/integration/integrity"
_CLIENT = "tests/unit/sync_client"

SCENARIOS = (
    Scenario("R1", "killed at every place of a push, nothing is lost or doubled", existing.kills),
    Scenario("R2", "killed at every place of a photo, no wrong bytes", existing.photo_kills),
    Scenario(
        "R3",
        "a killed phone loses nothing it showed as saved",
        tests(f"{_CLIENT}/test_kill.py", "tests/web/test_phone_kills.py"),
    ),
    Scenario("R4", "PostgreSQL crashes under writers, nothing is lost", storms.crashes),
    Scenario("R5", "PostgreSQL is away: 503, no 500, back by itself", storms.outage),
    Scenario(
        "R6",
        "a commit whose outcome nobody heard has one effect",
        tests(f"{_SYNC}/test_stumbles.py", f"{_CLIENT}/test_sync.py"),
    ),
    Scenario("R7", "a full disk breaks nothing and is got over", small.full_disk),
    Scenario("R8", "SQLite under many writers", small.one_writer),
    Scenario(
        "R9",
        "a photo store that is down, slow or refuses",
        tests(f"{_PHOTOS}/test_faulty_store.py", f"{_PHOTOS}/test_hanging_store.py"),
    ),
    Scenario(
        "R10",
        "a photo store that lies is found out",
        tests(f"{_PHOTOS}/test_faulty_store.py", f"{_WHOLE}/test_photos.py"),
    ),
    Scenario(
        "R11", "both kinds of checksums against S3-compatibles", tests("tests/contract/storage")
    ),
    Scenario("R12", "overlapping pushers hear of no deadlock", small.one_herd_of_writers),
    Scenario("R13", "a cursor never skips", existing.feed),
    Scenario(
        "R14",
        "cut at every byte, sent twice, out of order",
        tests(f"{_CLIENT}/test_bad_line.py", "tests/integration/sim/test_service_histories.py"),
    ),
    Scenario("R15", "a report over 2G within 15 s", lines.second_generation),
    Scenario("R16", "resets send little twice", lines.resets),
    Scenario(
        "R17",
        "answers of others are never taken for receipts",
        tests(f"{_CLIENT}/test_sync.py", f"{_CLIENT}/test_transport.py"),
    ),
    Scenario("R18", "all phones come back at once", storms.flood),
    Scenario("R20", "older apps are served", tests("tests/integration/phone/test_old_apps.py")),
    Scenario("R21", "the schema moves on while serving", migrating.serving),
    Scenario(
        "R22",
        "backup under load, restore, all verified",
        tests(f"{_WHOLE}/test_restore_drill.py", f"{_WHOLE}/test_restore_postgres.py"),
    ),
    Scenario("R23", "restored to an older point, phones lose nothing", restoring.older_point),
    Scenario(
        "R24",
        "a bucket that was not restored is named and asked for",
        tests(f"{_WHOLE}/test_restore_postgres.py", f"{_WHOLE}/test_photos.py"),
    ),
    Scenario("R28", "the API is what its model says", model.model),
    Scenario("R30", "hosts end gently under load", storms.rolling),
    Scenario("R31", "every flipped bit is found and put right", tests(f"{_WHOLE}/test_photos.py")),
    Scenario(
        "R32",
        "one bad op stops no neighbour",
        tests(f"{_SYNC}/test_stumbles.py", f"{_SYNC}/test_judged_ops.py"),
    ),
    Scenario("storm", "all of it at once: database, store, host and worker", storms.storm),
)
SIZES: dict[str, dict[str, Any]] = {
    "small": {"phones": 6, "times": 1, "reports": 2},
    "full": {
        "phones": 100,
        "times": 20,
        "reports": 10,
        "patience_s": 900.0,
        "wait_s": 30.0,
        "outage_s": 60.0,
    },
}

_OWN_SIZES = ("phones", "reports", "times")


def main() -> int:
    """Run what was asked for; return 1 if anything was not as it should be."""
    asked = _asked()
    if asked.list:
        print("\n".join(f"{one.number:<6}{one.claim}" for one in SCENARIOS))
        return 0
    logs.configure("error")
    logging.disable(logging.CRITICAL)
    wanted = set(asked.only.split(",")) if asked.only else {one.number for one in SCENARIOS}
    if unknown := wanted - {one.number for one in SCENARIOS}:
        sys.exit(f"there is no {', '.join(sorted(unknown))}")
    wrong = 0
    with ExitStack() as stack:
        ground = ground_of(stack, _sizes(asked), asked.seed)
        for scenario in SCENARIOS:
            if scenario.number in wanted:
                wrong += len(_run(scenario, ground).wrong)
    print(f"seed {asked.seed}: {len(wanted)} scenarios, {wrong} wrong")
    return 1 if wrong else 0


def _sizes(asked: argparse.Namespace) -> dict[str, Any]:
    told = {name: getattr(asked, name) for name in _OWN_SIZES}
    return SIZES[asked.size] | {name: size for name, size in told.items() if size}


def ground_of(stack: ExitStack, sizes: dict[str, Any], seed: int) -> Ground:
    """Return what the scenarios stand on; it ends with `stack`."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=in_memory())))
    server = stack.enter_context(Postgres())
    (folder / "sqlite").mkdir()
    return Ground(
        folder,
        server,
        PostgresDatabases(server),
        SqliteDatabases(folder / "sqlite"),
        seed,
        **sizes,
    )


def _run(scenario: Scenario, ground: Ground) -> Found:
    began = time.monotonic()
    try:
        found = scenario.run(ground)
    except Exception as exc:  # noqa: BLE001 - the next scenario runs all the same
        found = Found({}, [f"{type(exc).__name__}: {exc}"])
    told = json.dumps(found.counts, default=str)
    verdict = "held" if not found.wrong else "BROKEN"
    print(f"{scenario.number:<6}{verdict:<8}{time.monotonic() - began:6.1f} s  {scenario.claim}")
    print(f"      {told}", flush=True)
    for one in found.wrong:
        print(f"      wrong: {one}", flush=True)
    return found


def _asked() -> argparse.Namespace:
    parser = parser_of(__doc__)
    parser.add_argument("--only", help="numbers, with commas: R4,R18,storm")
    parser.add_argument("--size", choices=sorted(SIZES), default="full")
    for name in _OWN_SIZES:
        parser.add_argument(f"--{name}", type=int, help="instead of what the size says")
    parser.add_argument("--list", action="store_true")
    return seeded(parser)


if __name__ == "__main__":
    sys.exit(main())
