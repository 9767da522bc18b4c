"""Scenarios of one server or one database: full disks, one writer, locks."""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from fieldapi import ledger, migrate
from fieldapi.crowd import Plan, gather
from fieldapi.house import House, open_house
from fieldapi.ids import new_id
from fieldapi.services import replay
from fieldapi.settings import Settings
from tests.sim.chaos.scenario import Found, Ground
from tests.sim.sim_kills import settings_of
from tests.support.deliveries import deliver, pen_of
from tests.support.personas import Village, enrol, found_village, issue, persona_of
from tests.support.reports import seizure_body
from tests.support.server import Server, serving

_DISK = "6m"


@contextmanager
def house_of(
    ground: Ground, kind: str, home: Path | None = None
) -> Iterator[tuple[House, Village]]:
    """Give an installation of its own, with the village in it."""
    folder = home or ground.folder / f"small-{new_id()[-12:]}"
    folder.mkdir(exist_ok=True)
    databases = ground.databases if kind == "postgresql" else ground.embedded
    with databases.migrated() as addresses:
        house = open_house(settings_of(folder, addresses))
        try:
            yield house, found_village(house.database)
        finally:
            house.database.close()


# ---- R7 -----------------------------------------------------------------------------------------


def full_disk(ground: Ground) -> Found:
    """R7: the disk of database and logs fills: 503 or 507, nothing breaks, it recovers."""
    disk = ground.folder / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={_DISK}", "tmpfs", disk],
        check=False,
        capture_output=True,
    )
    if mounted.returncode != 0:
        return Found({"not_run": "no right to mount a small disk here"})
    try:
        return _on_a_small_disk(ground, disk)
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)


def _on_a_small_disk(ground: Ground, disk: Path) -> Found:

    (disk / "logs").mkdir()
    told = {"FIELDAPI_DATA": str(disk / "data"), "FIELDAPI_TESTING": "1"}
    told["FIELDAPI_SECRET_KEY"] = "a secret of the simulations, long enough to be one"
    settings = Settings.from_env(told)
    migrate.upgrade(settings.database_url)
    house = open_house(settings)
    asha = found_village(house.database)["asha"]
    statuses: Counter[int] = Counter()
    with serving(settings, FIELDAPI_LOG_FOLDER=str(disk / "logs")) as server:
        statuses[_report(server, asha.token)] += 1
        ballast = disk / "ballast"
        _fill(ballast)
        during = Counter(_report(server, asha.token) for _ in range(20 * ground.times))
        ballast.unlink()
        after = _report(server, asha.token)
    with house.database.read() as session:
        faults = ledger.verify(session, asha.authority_id, house.keys).faults
    house.database.close()
    with closing(sqlite3.connect(settings.data / "fieldapi.sqlite3")) as database:
        whole = database.execute("PRAGMA integrity_check").fetchone()[0]
    found = Found({"while_full": dict(during), "after": after, "integrity": whole})
    found.claim(set(during) <= {201, 503, 507}, f"an answer on a full disk was {set(during)}")
    found.claim(set(during) - {201}, "the disk never filled")
    found.claim(after == 201, f"with room again a report is answered {after}")
    found.claim(whole == "ok" and not faults, "the database or the ledger is damaged")
    return found


def _fill(ballast: Path) -> None:
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))


def _report(server: Server, token: str) -> int:
    body = json.dumps({**seizure_body(photos=[]), "remarks": "x" * 1000})
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    return server.ask("POST", "/api/v1/seizures", body=body, **headers)[0]


# ---- R8 -----------------------------------------------------------------------------------------


def one_writer(ground: Ground) -> Found:
    """R8: SQLite under many writers: none hears that it is locked; a commit means the disk."""
    with house_of(ground, "sqlite") as (house, village), serving(house.settings) as server:
        asha = village["asha"]
        codes = [
            issue(house.database, asha.authority_id, asha.person_id) for _ in range(ground.phones)
        ]
        plan = Plan(ground.reports, 0, "good", ground.seed, within_s=120, offline=0.0)
        tally, seconds = gather(
            [f"http://127.0.0.1:{server.port}"], codes, plan, folder=ground.folder
        )
        with house.database.engine.connect() as connection:
            journal = connection.exec_driver_sql("PRAGMA journal_mode").scalar()
            durable = connection.exec_driver_sql("PRAGMA synchronous").scalar()
    found = Found({**tally.as_json(seconds), "journal": journal, "synchronous": durable})
    found.claim((journal, durable) == ("wal", 2), "the database is not in WAL with full syncs")
    found.claim(tally.is_whole, "something is lost")
    found.claim(set(tally.statuses) <= {200, 201}, f"answers were {dict(tally.statuses)}")
    return found


# ---- R12 ----------------------------------------------------------------------------------------


def one_herd_of_writers(ground: Ground) -> Found:
    """R12: pushers of overlapping records in random order; none hears of a deadlock."""
    with house_of(ground, "postgresql") as (house, village):
        asha = village["asha"]
        opener = pen_of(asha)
        records = [new_id() for _ in range(12)]
        deliver(house, asha, *[opener.seizure(one) for one in records])
        statuses: Counter[str] = Counter()
        wrong: list[str] = []
        pushers = [
            threading.Thread(
                target=_push_all, args=(house, village, records, at, (statuses, wrong))
            )
            for at in range(max(ground.phones, 8))
        ]
        for pusher in pushers:
            pusher.start()
        for pusher in pushers:
            pusher.join()
        with house.database.read() as session:
            faults = ledger.verify(session, village.rjk, house.keys).faults
            differences = replay.check(session, village.rjk).differences
    found = Found({"pushers": len(pushers), "results": dict(statuses)}, wrong)
    found.claim(not faults, "the ledger does not verify")
    found.claim(not differences, "a record is not what its ops make")
    return found


def _push_all(
    house: House,
    village: Village,
    records: list[str],
    at: int,
    heard: tuple[Counter[str], list[str]],
) -> None:
    """Push edits of all records, shuffled, as one phone of its own."""

    statuses, wrong = heard
    asha = village["asha"]
    phone = persona_of("asha", enrol(house.database, asha.authority_id, asha.person_id))
    pen, rng = pen_of(phone), random.Random(at)
    try:
        for _ in range(3):
            order = rng.sample(records, len(records))
            ops = [pen.op("seizure", one, set={"survey_no": str(at)}, base={}) for one in order]
            statuses.update(str(one["status"]) for one in deliver(house, phone, *ops))
    except Exception as exc:  # noqa: BLE001 - a finding
        wrong.append(f"a pusher heard {type(exc).__name__}: {exc}")
