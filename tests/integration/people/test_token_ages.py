"""How long a token is good, and how little a phone behind a shared address is held up."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from flask import Flask

from fieldapi.api import auth
from fieldapi.ids import new_id
from fieldapi.models import Device
from fieldapi.services import budgets
from fieldapi.services.attempts import Limit
from fieldapi.services.authorise import new_token, token_hash
from fieldapi.unit import Database, Unit
from tests.support.clock import StoppedClock
from tests.support.house import Answer, AsPerson, client_with
from tests.support.personas import Village, enrol, persona_of
from tests.support.phones import phone_of
from tests.support.reports import push_body

ME = "/api/v1/me"
DAY = 24
PHONES = 500


def status(app: Flask, token: str) -> int:
    return client_with(app, token).get(ME).status_code


@pytest.mark.parametrize("days, expected", [(179, 200), (180, 401)])
def test_token_that_rests_half_a_year_ends(
    app: Flask, village: Village, clock: StoppedClock, days: int, expected: int
) -> None:
    assert status(app, village["asha"].token) == 200
    clock.move(hours=days * DAY)

    assert status(app, village["asha"].token) == expected


@pytest.mark.database
def test_token_in_use_lasts_two_years_and_no_longer(
    app: Flask, village: Village, clock: StoppedClock
) -> None:
    token = village["asha"].token
    for _ in range(5):
        assert status(app, token) == 200
        clock.move(hours=145 * DAY)
    refused = client_with(app, token).get(ME)
    clock.move(hours=6 * DAY)

    assert refused.status_code == 200
    assert client_with(app, token).get(ME).get_json()["reason"] == "expired"


def test_renewed_token_begins_a_new_age(app: Flask, village: Village, clock: StoppedClock) -> None:
    token = village["asha"].token
    for _ in range(5):
        assert status(app, token) == 200
        clock.move(hours=140 * DAY)
    new = client_with(app, token).post(f"{ME}/token").get_json()["token"]
    assert status(app, new) == 200
    clock.move(hours=100 * DAY)

    assert status(app, new) == 200


def test_guesses_slow_an_address_down_and_no_phone_behind_it(
    app: Flask, village: Village, clock: StoppedClock
) -> None:
    guess = new_token(new_id())
    answers = [status(app, guess) for _ in range(auth.GUESSES.tries + 1)]

    assert answers == [401] * auth.GUESSES.tries + [429]
    assert status(app, village["asha"].token) == 200
    clock.move(seconds=60)
    assert status(app, guess) == 401


def test_ended_phone_hears_that_it_ended_however_many_guess_beside_it(
    app: Flask, as_person: AsPerson, village: Village
) -> None:
    as_person("admin").post(f"/api/v1/devices/{village['asha'].device_id}/revoke", json={})
    for _ in range(auth.GUESSES.tries + 1):
        status(app, new_token(new_id()))

    assert client_with(app, village["asha"].token).get(ME).get_json()["reason"] == "revoked"


def _enrol_many(database: Database, village: Village) -> list[str]:
    """Copy asha's phone: enrolling five hundred by code takes a minute of hashing."""
    first = enrol(database, village.rjk, village["asha"].person_id)
    one = first.device
    columns = {column.key for column in Device.__table__.columns}
    same = {name: getattr(one, name) for name in columns}
    tokens: list[str] = []

    def work(unit: Unit) -> None:
        for number in range(PHONES):
            device_id = new_id()
            tokens.append(new_token(device_id))
            own = {"id": device_id, "number": 100 + number, "actor": f"{number:016x}"}
            kept = {"token_hash": token_hash(tokens[-1]), "next_hash": None}
            unit.session.add(Device(**{**same, **own, **kept}))
        unit.enter(
            village.rjk, "device.enrolled", subject="device/many", actor=one.actor, standing=""
        )

    database.transact(work)
    assert persona_of("asha", first).token
    return tokens


@pytest.mark.database
def test_five_hundred_phones_behind_one_address_sync(
    app: Flask, database: Database, village: Village
) -> None:
    tokens = _enrol_many(database, village)
    for _ in range(auth.GUESSES.tries + 1):
        status(app, new_token(new_id()))

    def sync(token: str) -> Answer:
        return client_with(app, token).post("/api/v1/sync", json=push_body([]))

    with ThreadPoolExecutor(8) as crowd:
        statuses = [answer.status_code for answer in crowd.map(sync, tokens)]

    assert statuses == [200] * PHONES


def test_phone_that_runs_wild_waits_a_minute_and_loses_nothing(
    app: Flask, village: Village, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budgets, "COUNTED_FROM", 2)
    monkeypatch.setattr(budgets, "PER_DEVICE", Limit("push.device", 2, timedelta(minutes=1)))
    asha, ravi = phone_of(app, village["asha"]), phone_of(app, village["ravi"])
    ops = [asha.pen.seizure(new_id()) for _ in range(4)]
    asha.push(*ops[:2])
    slowed = asha.client.post("/api/v1/sync", json=push_body(ops[2:]))

    assert slowed.status_code == 429
    assert 0 < int(slowed.headers["Retry-After"]) <= 61
    assert ravi.push(ravi.pen.seizure(new_id()), ravi.pen.seizure(new_id()))
    clock.move(seconds=61)
    assert [one["status"] for one in asha.push(*ops[2:])] == ["applied", "applied"]
