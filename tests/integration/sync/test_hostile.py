"""What broken and hostile phones send is answered, kept and known again; nothing of it stumbles."""

from __future__ import annotations

import random
import secrets
import sys
from typing import Any

import pytest
from flask import Flask

from fieldapi import ledger
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.services import replay
from tests.support.hostile import bent, envelope, report
from tests.support.personas import Village
from tests.support.phones import TestPhone, phone_of
from tests.support.reports import push_body

pytestmark = pytest.mark.database

NAMES = ("asha", "ravi", "mohan", "bina", "chetan")
ROUNDS = 12
REFUSED = {400, 409, 426}


def test_bent_ops_are_kept_known_again_and_verified(
    app: Flask, house: House, village: Village
) -> None:
    seed = secrets.randbelow(10**9)
    sys.stdout.write(f"seed {seed}\n")
    rng = random.Random(seed)
    phones = [phone_of(app, village[name]) for name in NAMES]
    known = [new_id() for _ in range(ROUNDS // 2)]

    for _ in range(ROUNDS):
        phone = rng.choice(phones)
        ops = [bent(rng, op) for op in report(phone.pen, rng.choice(known), village.pound_id)]
        ask_twice(phone, push_body([*ops, rng.choice(ops)], **envelope(rng, village.rjk)))

    for phone in phones:
        phone.pull()
    assert wrongs(house, {village[name].authority_id for name in NAMES}) == []


def ask_twice(phone: TestPhone, body: dict[str, Any]) -> None:
    """Push and push again: the second time all is a replay of what was stored the first."""
    first, second = (phone.client.post("/api/v1/sync", json=body) for _ in range(2))
    if first.status_code in REFUSED:
        return
    assert (first.status_code, second.status_code) == (200, 200)
    told, again = first.json["results"], second.json["results"]
    assert "retry" not in {one["status"] for one in told}
    assert [one["seq"] for one in told] == [one["seq"] for one in again]
    assert all(one["replayed"] for one in again)
    assert len(told) == len(body["ops"])


def wrongs(house: House, authorities: set[str]) -> list[object]:
    """Return what the verification of the ledgers and a replay of all records find."""
    with house.database.read() as session:
        found: list[object] = []
        for at in sorted(authorities):
            found += ledger.verify(session, at, house.keys).faults
            found += replay.check(session, at).differences
        return found


def test_decision_makes_nobody_the_author(app: Flask, house: House, village: Village) -> None:
    asha, bina = (phone_of(app, village[name]) for name in ("asha", "bina"))
    record = new_id()
    asha.push(asha.pen.op("seizure", record, set={"ground": "straying"}))
    said = {"review": new_id(), "reason": "looked"}
    bina.push(bina.pen.op("seizure", record, new=True, set={"ground": "trespass"}, decision=said))

    (result,) = asha.push(asha.pen.seizure(record))

    assert result["status"] in {"applied", "conflict"}
    assert wrongs(house, {village.rjk}) == []


def test_schema_beyond_any_release_is_refused(app: Flask, village: Village) -> None:
    asha = phone_of(app, village["asha"])
    body = push_body([asha.pen.seizure(new_id())], schema=2**40)

    assert asha.client.post("/api/v1/sync", json=body).status_code == 400


def test_unreadable_op_of_a_newer_phone_verifies(
    app: Flask, house: House, village: Village
) -> None:
    asha = phone_of(app, village["asha"])

    (result,) = asha.push({"op": "x"}, schema=2)

    assert result["status"] == "quarantined"
    assert wrongs(house, {village.rjk}) == []
