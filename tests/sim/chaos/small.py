"""Scenarios of one server or one database: full disks, one writer, locks, broken lines, a model."""

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
from typing import Any

from fieldapi import ledger, migrate
from fieldapi.app import app_of
from fieldapi.crowd import Plan, gather
from fieldapi.house import House, open_house
from fieldapi.ids import new_id
from fieldapi.services import replay
from fieldapi.settings import Settings
from sync.client.device import Phone
from sync.client.transport import Backoff, Timeouts, Transport
from tests.sim.chaos.scenario import Found, Ground
from tests.sim.sim_kills import settings_of
from tests.support.deliveries import deliver, pen_of
from tests.support.flaky_proxy import Plan as Cut
from tests.support.flaky_proxy import flaky_proxy
from tests.support.house import client_with
from tests.support.personas import Village, enrol, found_village, issue, persona_of
from tests.support.reports import FIELD, SEIZED_AT, push_body, seizure_body
from tests.support.server import Server, serving

_DISK = "6m"
_PHOTO = 300_000


@contextmanager
def _house(ground: Ground, kind: str, home: Path | None = None) -> Iterator[tuple[House, Village]]:
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
    with _house(ground, "sqlite") as (house, village), serving(house.settings) as server:
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
    with _house(ground, "postgresql") as (house, village):
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


# ---- R16 ----------------------------------------------------------------------------------------


def resets(ground: Ground) -> Found:
    """R16: the line of a photo is reset again and again; little is sent twice."""
    rng = random.Random(ground.seed)
    cuts = [Cut(reset_up_at=rng.randint(30_000, 150_000)) for _ in range(3 * ground.times)]
    with _house(ground, "sqlite") as (house, village), serving(house.settings) as server:
        asha = village["asha"]
        code = issue(house.database, asha.authority_id, asha.person_id)
        with Phone(ground.folder / f"phone-{new_id()[-12:]}", connect=_patient) as phone:
            phone.enrol(f"http://127.0.0.1:{server.port}", code, {"make": "Nokia"})
            photo = _photograph(phone, ground.folder, rng.randbytes(_PHOTO * ground.times))
            phone.sync()
            with flaky_proxy(("127.0.0.1", server.port), *cuts) as proxy:
                phone.move(proxy.address)
                stored = phone.upload().stored
                up = proxy.up
    share = up / (_PHOTO * ground.times)
    found = Found({"cuts": len(cuts), "bytes": _PHOTO * ground.times, "sent": up})
    found.claim(stored == (photo,), "the photo was not stored")
    found.claim(share < 1.2, f"{share:.2f} times its bytes were sent")
    return found


def _patient(base_url: str, token: str | None) -> Transport:
    return Transport(base_url, token, Timeouts(5, 10, 30), Backoff(tries=30, first_s=0.01))


def _photograph(phone: Phone, folder: Path, content: bytes) -> str:
    fields: dict[str, Any] = {
        "seized_at": SEIZED_AT,
        "capacity": "watch_and_ward",
        "ground": "trespass",
        "place_kind": "private_land",
        "location": dict(FIELD),
    }
    seizure = phone.create("seizure", fields)
    (folder / "camera.jpg").write_bytes(content)
    about = {"seizure_id": seizure, "media_type": "image/jpeg", "taken_at": SEIZED_AT}
    return phone.attach_photo(
        folder / "camera.jpg", {**about, "source": "camera", "subject": "animals"}
    )


# ---- R28 ----------------------------------------------------------------------------------------


def model(ground: Ground) -> Found:
    """R28: what the API shows is what a model of it says, for each role and authority."""
    rng = random.Random(ground.seed)
    steps: Counter[str] = Counter()
    wrong: list[str] = []
    with _house(ground, "sqlite") as (house, village):
        app = app_of(house)
        clients = {each.name: client_with(app, each.token) for each in village}
        written: dict[str, tuple[str, dict[str, Any]]] = {}
        for _ in range(60 * ground.times):
            step = rng.choice((_create, _resend, _other_content, _read, _push))
            steps[step.__name__.strip("_")] += 1
            wrong += step(clients, written, village, rng)
    return Found({"steps": dict(steps), "reports": len(written)}, wrong)


Clients = dict[str, Any]
Written = dict[str, tuple[str, dict[str, Any]]]
_WRITERS = ("asha", "ravi", "kanta", "chetan")


def _create(clients: Clients, written: Written, village: Village, rng: random.Random) -> list[str]:
    by, body = rng.choice(_WRITERS), seizure_body(photos=[], survey_no=str(rng.randint(1, 99)))
    status = clients[by].post("/api/v1/seizures", json=body).status_code
    written[body["id"]] = (by, body)
    return [] if status == 201 else [f"a new report is answered {status}"]


def _resend(clients: Clients, written: Written, village: Village, rng: random.Random) -> list[str]:
    if not written:
        return []
    by, body = written[rng.choice(list(written))]
    status = clients[by].post("/api/v1/seizures", json=body).status_code
    return [] if status == 200 else [f"an identical resend is answered {status}"]


def _other_content(
    clients: Clients, written: Written, village: Village, rng: random.Random
) -> list[str]:
    if not written:
        return []
    by, body = written[rng.choice(list(written))]
    status = clients[by].post("/api/v1/seizures", json={**body, "survey_no": "x"}).status_code
    return [] if status == 409 else [f"other content under a known id is answered {status}"]


def _read(clients: Clients, written: Written, village: Village, rng: random.Random) -> list[str]:
    """A reviewer reads all of her authority; nobody reads another's."""
    if not written:
        return []
    seizure = rng.choice(list(written))
    by, body = written[seizure]
    reader = rng.choice((*_WRITERS, "bina"))
    answer = clients[reader].get(f"/api/v1/seizures/{seizure}")
    is_here = (by == "chetan") == (reader == "chetan")
    may = is_here and reader in {by, "bina"}
    if may and (answer.status_code, answer.json["survey_no"]) != (200, body["survey_no"]):
        return [f"{reader} reads {answer.status_code} of a report by {by}"]
    if not is_here and answer.status_code != 404:
        return [f"{reader} reads {answer.status_code} of another authority"]
    return []


def _push(clients: Clients, written: Written, village: Village, rng: random.Random) -> list[str]:
    """A push k times is a push once."""
    who = village[rng.choice(("asha", "ravi"))]
    pen = pen_of(who)
    pen.now_ms += rng.randint(0, 10**9)
    op = pen.seizure(new_id())
    told = [
        clients[who.name].post("/api/v1/sync", json=push_body([op])).json["results"][0]
        for _ in range(rng.randint(2, 4))
    ]
    seen = {(one["status"], one.get("seq")) for one in told}
    return [] if len(seen) == 1 else [f"resends of one op were answered {seen}"]
