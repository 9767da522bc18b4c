"""Scenarios around a whole installation: app hosts, worker, PostgreSQL and S3 in processes of their
own, a crowd of phones against them, and something that goes wrong meanwhile.
"""

from __future__ import annotations

import json
import random
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.client import HTTPConnection
from typing import Any

from fieldapi import ledger
from fieldapi.crowd import Plan, gather
from fieldapi.house import House
from fieldapi.services import replay
from fieldapi.services.photos import audit as photo_audit
from fieldapi.services.photos.audit import Share
from tests.sim.chaos.scenario import Found, Ground
from tests.support.cluster import Cluster, Host, cluster
from tests.support.personas import Village, found_village, issue
from tests.support.weighing import watching

Nemesis = Callable[[Cluster, Ground], None]


def storm(ground: Ground) -> Found:
    """PostgreSQL crashes, S3 goes away, an app host and the worker are killed, phones go on."""
    return against(ground, all_of_it, hosts=2, workers=1, net="flaky")


def crashes(ground: Ground) -> Found:
    """R4: PostgreSQL is stopped as `pg_ctl -m immediate` does, again and again, under writers."""
    return against(ground, _crash_often, hosts=1, workers=0, net="good")


def rolling(ground: Ground) -> Found:
    """R30: hosts are told to end in turn and come back; what was under way is finished."""
    return against(ground, _roll, hosts=2, workers=0, net="good")


def flood(ground: Ground) -> Found:
    """R18: everybody comes back at once: drained in ten minutes, text first, below 1 GiB."""
    plan = replace(_plan(ground), net="good", photos=2, offline=0.0, most_wait_s=120.0)
    found = against(ground, lambda _made, _ground: None, hosts=1, workers=1, plan=plan)
    counts: dict[str, Any] = found.counts
    texts, all_ = (counts["latency_ms"][f"until {what} in"] for what in ("reports were", "all was"))
    counts["turned_away"] = sum(counts["statuses"].get(status, 0) for status in ("429", "503"))
    found.claim(counts["seconds"] < 600, f"drained after {counts['seconds']} s")
    found.claim(counts["memory_mib"] < 1024, f"host and worker took {counts['memory_mib']} MiB")
    found.claim(texts["p50"] < all_["p50"], "photos went before reports")
    return found


# ---- what goes wrong ----------------------------------------------------------------------------


def all_of_it(made: Cluster, ground: Ground) -> None:
    for turn in range(ground.times):
        host = made.hosts[turn % len(made.hosts)]
        time.sleep(ground.pause_s)
        made.postgres.crash()
        made.store.fault = "500"
        host.kill()
        made.workers[0].kill()
        time.sleep(ground.pause_s)
        made.postgres.again()
        host.start()
        made.workers[0].start()
        # The store stays away for as long as was asked in the first turn: phones go on meanwhile.
        time.sleep(ground.outage_s if turn == 0 else 0.0)
        made.store.fault = None
        host.wait_ready()


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
            return live_through(made, village, ground, nemesis, plan=wanted)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def live_through(
    made: Cluster, village: Village, ground: Ground, nemesis: Nemesis, *, plan: Plan | None = None
) -> Found:
    """Let a crowd live in an installation that is there, and look at all of it afterwards."""
    before = len(_receipts(made.house, village.rjk))
    with watching(made) as peak:
        tally, seconds = gather(
            [host.address for host in made.hosts],
            _codes(made.house, village, ground.phones),
            plan or _plan(ground),
            folder=made.folder,
            while_they_live=lambda: nemesis(made, ground),
        )
    found = Found({**tally.as_json(seconds), "memory_mib": round(peak.mib)}, tally.wrongs())
    found.wrong += [fault for host in made.hosts for fault in _failures(host)]
    _hold_against(found, made.house, village.rjk, handed_in=before + tally.sent)
    return found


def _codes(house: House, village: Village, phones: int) -> list[str]:
    asha = village["asha"]
    return [issue(house.database, asha.authority_id, asha.person_id) for _ in range(phones)]


def _failures(host: Host) -> Iterator[str]:
    """Yield where a host failed, as its log says."""
    for line in host.log.read_bytes().splitlines():
        if b'"request_failed"' in line:
            entry = json.loads(line)
            yield f"{entry['route']}: {entry['error']} {entry['trace'][-4:]}"


def _hold_against(found: Found, house: House, authority: str, *, handed_in: int) -> None:
    """One receipt for each op; the ledger verifies; a replay finds no difference; photos whole."""
    with house.database.read() as session:
        verified = ledger.verify(session, authority, house.keys)
        differences = replay.check(session, authority).differences
    receipts = _receipts(house, authority)
    found.counts |= {"ledger": verified.size, "receipts": len(receipts)}
    found.claim(not verified.faults, f"the ledger does not verify: {verified.faults[:1]}")
    found.claim(not differences, f"{len(differences)} records are not what their ops make")
    found.claim(len(receipts) == len(set(receipts)), "an op has two receipts")
    found.claim(len(receipts) == handed_in, f"{handed_in} ops sent, {len(receipts)} receipts")
    found.claim(photo_audit.audit(house, Share()).is_sound, "photos are not sound")


def _receipts(house: House, authority: str) -> list[object]:
    """Return the op of each receipt in the ledger."""
    with house.database.read() as session:
        return [
            entry["op"]
            for kind in ("op.applied", "op.held", "op.quarantined")
            for entry in ledger.entries_of_kind(session, authority, kind)
            if "sha256" in entry
        ]


# ---- others around the same installation --------------------------------------------------------


def outage(ground: Ground) -> Found:
    """R5: PostgreSQL is away for a while: 503 with Retry-After, no 500, and back by itself."""
    with one_host(ground) as made:
        made.postgres.crash()
        statuses: list[int] = []
        waits: set[str | None] = set()
        began = time.monotonic()
        while len(statuses) < 10 * ground.times or time.monotonic() < began + ground.outage_s / 2:
            status, wait = _ask(made, "/api/v1/me")
            statuses.append(status)
            waits.add(wait)
        away_s = time.monotonic() - began
        made.postgres.again()
        ends = time.monotonic() + 20
        while _ask(made, "/readyz")[0] != 200 and time.monotonic() < ends:
            time.sleep(0.1)
        back = _ask(made, "/readyz")[0]
    counts = {"away_s": round(away_s, 1), "asked": len(statuses)}
    found = Found({**counts, "answers": sorted(set(statuses)), "then": back})
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


@contextmanager
def one_host(ground: Ground) -> Iterator[Cluster]:
    folder = ground.folder / f"host-{random.Random().getrandbits(32):08x}"
    try:
        with cluster(folder, hosts=1, workers=0, postgres=ground.postgres) as made:
            yield made
    finally:
        shutil.rmtree(folder, ignore_errors=True)
