"""Scenarios around a whole installation: app hosts, worker, PostgreSQL and S3 in processes of their
own, a crowd of phones against them, and something that goes wrong meanwhile.
"""

from __future__ import annotations

import json
import random
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from zipfile import ZipFile

from sqlalchemy import select

from fieldapi import ledger
from fieldapi.backup import make_backup, restore
from fieldapi.crowd import Plan, Tally, gather
from fieldapi.house import House, open_house
from fieldapi.models import OpRow
from fieldapi.services import photo_audit, replay
from fieldapi.services.photo_audit import Share
from fieldapi.settings import Settings
from sync.client.device import Phone
from sync.client.transport import Backoff, Transport
from tests.sim.chaos.scenario import Found, Ground
from tests.support.cluster import Cluster, Host, cluster
from tests.support.personas import Village, found_village, issue
from tests.support.reports import FIELD, SEIZED_AT

Nemesis = Callable[[Cluster, Ground], None]


def storm(ground: Ground) -> Found:
    """PostgreSQL crashes, S3 goes away, an app host and the worker are killed, phones go on."""
    return against(ground, _all_of_it, hosts=2, workers=1, net="flaky")


def crashes(ground: Ground) -> Found:
    """R4: PostgreSQL is stopped as `pg_ctl -m immediate` does, again and again, under writers."""
    return against(ground, _crash_often, hosts=1, workers=0, net="good")


def rolling(ground: Ground) -> Found:
    """R30: hosts are told to end in turn and come back; what was under way is finished."""
    return against(ground, _roll, hosts=2, workers=0, net="good")


def flood(ground: Ground) -> Found:
    """R18: everybody comes back at once."""
    plan = replace(_plan(ground), net="good", offline=0.0)
    return against(ground, lambda _made, _ground: None, hosts=1, workers=1, plan=plan)


def second_generation(ground: Ground) -> Found:
    """R15: a slow, far, lossy line; a report without photos is acknowledged within 15 s."""
    plan = replace(_plan(ground), net="2g", photos=0, reports=2)
    found = against(ground, lambda _made, _ground: None, hosts=1, workers=0, plan=plan)
    latencies = found.counts["latency_ms"]
    assert isinstance(latencies, dict)
    told = latencies["all of a sync"]
    found.claim(told["p95"] < 15_000, f"p95 of a sync is {told['p95']} ms")
    return found


# ---- what goes wrong ----------------------------------------------------------------------------


def _all_of_it(made: Cluster, ground: Ground) -> None:
    for _ in range(ground.times):
        time.sleep(ground.pause_s)
        made.postgres.crash()
        made.store.fault = "500"
        made.hosts[0].kill()
        made.workers[0].kill()
        time.sleep(ground.pause_s)
        made.postgres.again()
        made.hosts[0].start()
        made.workers[0].start()
        made.store.fault = None
        made.hosts[0].wait_ready()


def _crash_often(made: Cluster, ground: Ground) -> None:
    for _ in range(ground.times):
        time.sleep(ground.pause_s)
        made.postgres.crash()
        made.postgres.again()


def _roll(made: Cluster, ground: Ground) -> None:
    for turn in range(ground.times):
        host = made.hosts[turn % len(made.hosts)]
        time.sleep(ground.pause_s)
        code = host.stop()
        assert code == 0, f"the host left with {code}"
        host.start()
        host.wait_ready()


# ---- what must be true then ---------------------------------------------------------------------


def _plan(ground: Ground) -> Plan:
    return Plan(
        ground.reports,
        1,
        "flaky",
        ground.seed,
        within_s=ground.patience_s,
        most_wait_s=ground.wait_s,
    )


def against(
    ground: Ground,
    nemesis: Nemesis,
    *,
    hosts: int,
    workers: int,
    net: str = "good",
    plan: Plan | None = None,
) -> Found:
    """Let the crowd live while the nemesis works; nothing may be lost, nothing stands twice."""
    folder = ground.folder / f"storm-{random.Random().getrandbits(32):08x}"
    wanted = plan or replace(_plan(ground), net=net)
    try:
        with cluster(folder, hosts=hosts, workers=workers, postgres=ground.postgres) as made:
            village = found_village(made.house.database)
            codes = _codes(made.house, village, ground.phones)
            addresses = [host.address for host in made.hosts]
            tally, seconds = gather(
                addresses,
                codes,
                wanted,
                folder=folder,
                while_they_live=lambda: nemesis(made, ground),
            )
            found = _told(tally, seconds)
            found.wrong += [fault for host in made.hosts for fault in _failures(host)]
            _hold_against(found, made.house, village.rjk, tally)
            return found
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _codes(house: House, village: Village, phones: int) -> list[str]:
    asha = village["asha"]
    return [issue(house.database, asha.authority_id, asha.person_id) for _ in range(phones)]


def _told(tally: Tally, seconds: float) -> Found:
    found = Found(tally.as_json(seconds))
    found.claim(tally.lost == 0, f"{tally.lost} acknowledged ops are lost")
    found.claim(tally.photos_lost == 0, f"{tally.photos_lost} photos are lost")
    found.claim(tally.unfinished == 0, f"{tally.unfinished} ops were not handed in")
    found.claim(tally.statuses[500] == 0, f"{tally.statuses[500]} answers were 500")
    found.wrong += tally.broken[:5]
    return found


def _failures(host: Host) -> Iterator[str]:
    """Yield where a host failed, as its log says."""
    for line in host.log.read_bytes().splitlines():
        if b'"request_failed"' in line:
            entry = json.loads(line)
            yield f"{entry['route']}: {entry['error']} {entry['trace'][-4:]}"


def _hold_against(found: Found, house: House, authority: str, tally: Tally) -> None:
    """One receipt for each op; the ledger verifies; a replay finds no difference; photos whole."""
    with house.database.read() as session:
        verified = ledger.verify(session, authority, house.keys)
        differences = replay.check(session, authority).differences
        receipts = [
            entry["op"]
            for kind in ("op.applied", "op.held", "op.quarantined")
            for entry in ledger.entries_of_kind(session, authority, kind)
            if "sha256" in entry
        ]
    found.counts |= {"ledger": verified.size, "receipts": len(receipts)}
    found.claim(not verified.faults, f"the ledger does not verify: {verified.faults[:1]}")
    found.claim(not differences, f"{len(differences)} records are not what their ops make")
    found.claim(len(receipts) == len(set(receipts)), "an op has two receipts")
    found.claim(len(receipts) == tally.sent, f"{tally.sent} ops sent, {len(receipts)} receipts")
    found.claim(photo_audit.audit(house, Share()).is_sound, "photos are not sound")


# ---- others around the same installation --------------------------------------------------------


def outage(ground: Ground) -> Found:
    """R5: PostgreSQL is away for a while: 503 with Retry-After, no 500, and back by itself."""
    with _one_host(ground) as made:
        made.postgres.crash()
        statuses: list[int] = []
        waits: set[str | None] = set()
        for _ in range(10 * ground.times):
            status, wait = _ask(made, "/api/v1/me")
            statuses.append(status)
            waits.add(wait)
        made.postgres.again()
        ends = time.monotonic() + 20
        while _ask(made, "/readyz")[0] != 200 and time.monotonic() < ends:
            time.sleep(0.1)
        back = _ask(made, "/readyz")[0]
    found = Found({"asked": len(statuses), "answers": sorted(set(statuses)), "then": back})
    found.claim(set(statuses) == {503}, "an answer was not 503")
    found.claim(None not in waits, "a 503 came without Retry-After")
    found.claim(back == 200, "it was not ready again without a restart")
    return found


def _ask(made: Cluster, path: str) -> tuple[int, str | None]:
    connection = HTTPConnection("127.0.0.1", made.hosts[0].port, timeout=40)
    try:
        connection.request("GET", path, headers={"Authorization": "Bearer x"})
        answer = connection.getresponse()
        return answer.status, answer.headers["Retry-After"]
    finally:
        connection.close()


def older_point(ground: Ground) -> Found:
    """R22, R23: a backup while phones push, the database lost, restored; phones hold newer ops."""
    with _one_host(ground) as made:
        village = found_village(made.house.database)
        phones = [
            _enrolled(made, village, number) for number in range(max(2, min(ground.phones, 8)))
        ]
        _push(phones, 2)
        made_backup = _back_up(made, phones)
        _push(phones, 2)
        made.hosts[0].stop()
        wrong = _restored(made, made_backup, phones, village)
        ops = sum(phone.next_number("written") - 1 for phone in phones)
        for phone in phones:
            phone.close()
    return Found({"phones": len(phones), "reports": ops, "is_whole": not wrong}, wrong)


def _enrolled(made: Cluster, village: Village, number: int) -> Phone:
    asha = village["asha"]
    code = issue(made.house.database, asha.authority_id, asha.person_id)
    phone = Phone(made.folder / f"phone-{number}", connect=_line)
    phone.enrol(made.hosts[0].address, code, {"make": "Nokia"})
    return phone


def _line(base_url: str, token: str | None) -> Transport:
    return Transport(base_url, token, backoff=Backoff(tries=3, first_s=0.05))


def _push(phones: list[Phone], reports: int) -> None:
    for phone in phones:
        for _ in range(reports):
            phone.next_number("written")
            fields = {"seized_at": SEIZED_AT, "capacity": "watch_and_ward", "ground": "trespass"}
            phone.create(
                "seizure", {**fields, "place_kind": "private_land", "location": dict(FIELD)}
            )
        phone.sync()


def _back_up(made: Cluster, phones: list[Phone]) -> Path:
    """Make a backup beside phones that push; in a thread, as phones belong to this one."""
    thread = threading.Thread(target=make_backup, args=(made.house, made.folder / "backup"))
    thread.start()
    while thread.is_alive():
        _push(phones[:1], 1)
    thread.join()
    return made.folder / "backup"


def _restored(made: Cluster, backup: Path, phones: list[Phone], village: Village) -> list[str]:
    """Restore into an empty database, serve it, and let phones come back; return what is wrong."""
    made.postgres.create("older_point")
    host = made.hosts[0]
    environ = dict(host.environ)
    for name in ("FIELDAPI_DATABASE_URL", "FIELDAPI_OWNER_DATABASE_URL"):
        environ[name] = environ[name].rpartition("/")[0] + "/older_point"
    restore(backup, made.folder / "restored", environ=environ)
    host.environ = {**environ, "FIELDAPI_DATA": str(made.folder / "restored")}
    host.start()
    host.wait_ready()
    house = open_house(Settings.from_env(host.environ))
    wrong = []
    for phone in phones:
        phone.sync()
        wrong += [f"{phone.state().waiting} ops wait"] if phone.state().waiting else []
        wrong += [f"alarms {phone.state().alarms}"] if phone.state().alarms else []
    with house.database.read() as session:
        verified = ledger.verify(session, village.rjk, house.keys)
        stored = set(session.scalars(select(OpRow.op)))
    wrong += [f"ledger: {one}" for one in verified.faults]
    for phone in phones:
        wrong += [f"{one} is lost" for one in set(_kept(phone, made.folder)) - stored]
    host.stop()
    house.database.close()
    made.postgres.drop("older_point")
    return wrong


def _kept(phone: Phone, folder: Path) -> Iterator[str]:
    phone.export(folder / "kept.zip")
    with ZipFile(folder / "kept.zip") as opened:
        for line in opened.read("ops.jsonl").splitlines():
            yield json.loads(line)["op"]


@contextmanager
def _one_host(ground: Ground) -> Iterator[Cluster]:
    folder = ground.folder / f"host-{random.Random().getrandbits(32):08x}"
    try:
        with cluster(folder, hosts=1, workers=0, postgres=ground.postgres) as made:
            yield made
    finally:
        shutil.rmtree(folder, ignore_errors=True)
