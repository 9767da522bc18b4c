"""How a phone gets in: by a code that is good once, told to nobody else, and never guessed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select
from werkzeug.test import TestResponse

from fieldapi.ids import new_id
from fieldapi.models import Device, Enrolment
from fieldapi.services import enrolments
from fieldapi.unit import Database, Unit
from tests.support.clock import StoppedClock
from tests.support.house import client_with
from tests.support.personas import Village, issue

PHONE = {"make": "Nokia", "model": "C12", "colour": "grey", "os": "Android 12", "app_version": "1"}


@pytest.fixture
def code(database: Database, village: Village) -> str:
    """A fresh code for asha, for a phone that has to be confirmed."""
    return issue(database, village.rjk, village["asha"].person_id, is_confirmed=False)


def redeem(client: FlaskClient, code: str, **more: object) -> TestResponse:
    return client.post("/api/v1/devices", json={"code": code, "device": PHONE, **more})


def slug(answer: TestResponse) -> str:
    return answer.get_json()["type"].rsplit(":", 1)[1]


def wrong_tries(code: str) -> list[str]:
    """Codes that begin like `code` and are not."""
    rest = [code[4:10][::-1], "000000", "ZZZZZZ", "0A0A0A", "7Q7Q7Q"]
    return [f"{code[:4]}{six}{code[10]}" for six in rest]


def guessed_much(database: Database) -> None:
    """A hundred wrong tries from the address of the test."""
    limit = enrolments.PER_ADDRESS

    def work(unit: Unit) -> None:
        for _ in range(limit.tries):
            limit.note(unit, "127.0.0.1")

    database.transact(work)


@pytest.mark.database
def test_code_enrols_a_phone(client: FlaskClient, village: Village, code: str) -> None:
    answer = redeem(client, code)
    body = answer.get_json()
    assert answer.status_code == 201
    assert body["device"]["number"] == 7
    assert body["device"]["confirmed"] is False
    assert body["person"]["id"] == village["asha"].person_id
    assert body["authority"]["code"] == "RJK"
    assert body["authority"]["statute"] == "gujarat"
    assert body["token"].startswith(f"csd1_{body['device']['id']}_")
    assert body["server_now"] == "2026-11-30T04:30:00.000Z"


def test_token_opens_the_door(app: Flask, client: FlaskClient, code: str) -> None:
    token = redeem(client, code).get_json()["token"]
    me = client_with(app, token).get("/api/v1/me").get_json()
    assert me["device"]["standing"] == "pending"


@pytest.mark.parametrize("typed", ["lower", "hyphens", "letters"])
def test_code_is_read_as_people_type_it(client: FlaskClient, code: str, typed: str) -> None:
    forms = {
        "lower": code.lower(),
        "hyphens": f"{code[:4]}-{code[4:8]}-{code[8:]}",
        "letters": code.replace("0", "O").replace("1", "l"),
    }
    assert redeem(client, forms[typed]).status_code == 201


@pytest.mark.database
def test_used_code_is_refused(client: FlaskClient, code: str) -> None:
    redeem(client, code)
    again = redeem(client, code)
    assert (again.status_code, slug(again)) == (422, "code-refused")


def test_expired_code_is_refused(client: FlaskClient, code: str, clock: StoppedClock) -> None:
    clock.move(hours=24)
    assert slug(redeem(client, code)) == "code-refused"


def test_unknown_used_burnt_and_expired_codes_get_one_answer(
    client: FlaskClient, database: Database, village: Village, clock: StoppedClock
) -> None:
    used, burnt, late = (issue(database, village.rjk, village["asha"].person_id) for _ in range(3))
    redeem(client, used)
    for wrong in wrong_tries(burnt):
        redeem(client, wrong)
    answers = [redeem(client, one).get_json() for one in ("00000000000", used, burnt)]
    clock.move(hours=25)
    answers.append(redeem(client, late).get_json())
    said = {(one["type"], one["status"], one["title"], one["detail"]) for one in answers}
    assert len(said) == 1


@pytest.mark.database
def test_five_wrong_tries_burn_the_code(client: FlaskClient, code: str) -> None:
    for wrong in wrong_tries(code):
        assert slug(redeem(client, wrong)) == "code-refused"
    assert slug(redeem(client, code)) == "code-refused"


def test_four_wrong_tries_do_not_burn_the_code(client: FlaskClient, code: str) -> None:
    for wrong in wrong_tries(code)[:4]:
        redeem(client, wrong)
    assert redeem(client, code).status_code == 201


def test_wrong_tries_elsewhere_do_not_burn_the_code(client: FlaskClient, code: str) -> None:
    other = "0" if code[0] != "0" else "1"
    for wrong in wrong_tries(other + code[1:]) * 2:
        redeem(client, wrong)
    assert redeem(client, code).status_code == 201


def test_mistyped_code_is_named_as_one(client: FlaskClient, code: str) -> None:
    other = "0" if code[5] != "0" else "1"
    answer = redeem(client, code[:5] + other + code[6:]).get_json()
    assert "code" in answer["errors"]


def test_guessing_is_slowed_but_a_right_code_is_not(
    client: FlaskClient, database: Database, code: str
) -> None:
    guess = f"{'0' if code[0] != '0' else '1'}{code[1:]}"
    assert redeem(client, guess).status_code == 422
    guessed_much(database)
    slowed = redeem(client, guess)
    assert slowed.status_code == 429
    assert 0 < int(slowed.headers["Retry-After"]) <= 3600
    assert redeem(client, code).status_code == 201


@pytest.mark.database
def test_hundred_phones_with_one_code_give_one_device(
    app: Flask, database: Database, code: str
) -> None:
    with ThreadPoolExecutor(20) as crowd:
        answers = list(crowd.map(lambda _: redeem(app.test_client(), code), range(100)))
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses == [201] + [422] * 99
    with database.read() as session:
        used = session.scalar(select(Enrolment.device_id).order_by(Enrolment.id.desc()).limit(1))
        assert session.scalar(select(func.count()).where(Device.id == used)) == 1


@pytest.mark.database
def test_parallel_enrolments_get_different_numbers(
    app: Flask, database: Database, village: Village
) -> None:
    codes = [issue(database, village.rjk, village["asha"].person_id) for _ in range(8)]
    with ThreadPoolExecutor(8) as crowd:
        answers = list(crowd.map(lambda one: redeem(app.test_client(), one), codes))
    assert sorted(one.get_json()["device"]["number"] for one in answers) == list(range(7, 15))


@pytest.mark.database
def test_phone_whose_answer_was_lost_asks_again(app: Flask, client: FlaskClient, code: str) -> None:
    name = new_id()
    lost, again = (redeem(client, code, id=name) for _ in range(2))
    assert (lost.status_code, again.status_code) == (201, 200)
    assert again.get_json()["device"]["id"] == lost.get_json()["device"]["id"] == name
    assert client_with(app, again.get_json()["token"]).get("/api/v1/me").status_code == 200
    assert client_with(app, lost.get_json()["token"]).get("/api/v1/me").status_code == 401


def test_nobody_asks_again_once_the_token_was_used(
    app: Flask, client: FlaskClient, code: str
) -> None:
    name = new_id()
    client_with(app, redeem(client, code, id=name).get_json()["token"]).get("/api/v1/me")
    assert slug(redeem(client, code, id=name)) == "code-refused"


def test_another_phone_cannot_ask_again(client: FlaskClient, code: str) -> None:
    name = new_id()
    redeem(client, code, id=name)
    assert slug(redeem(client, code, id=new_id())) == "code-refused"
    other = {"code": code, "id": name, "device": {**PHONE, "model": "C21"}}
    assert slug(client.post("/api/v1/devices", json=other)) == "code-refused"


def test_asking_again_ends_after_ten_minutes(
    client: FlaskClient, code: str, clock: StoppedClock
) -> None:
    name = new_id()
    redeem(client, code, id=name)
    clock.move(seconds=600)
    assert slug(redeem(client, code, id=name)) == "code-refused"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"code": 7},
        {"code": ""},
        {"code": "A" * 65},
        {"code": "0" * 11, "device": "Nokia"},
        {"code": "0" * 11, "device": {"imei": "1"}},
        {"code": "0" * 11, "surprise": 1},
        {"code": "0" * 11, "previous": {"device": "x"}},
        {"code": "0" * 11, "id": "not-an-id"},
    ],
)
def test_body_that_says_something_else_is_named_field_by_field(
    client: FlaskClient, village: Village, body: dict[str, object]
) -> None:
    answer = client.post("/api/v1/devices", json=body)
    assert (answer.status_code, slug(answer)) == (422, "invalid-body")
    assert answer.get_json()["errors"]


def test_bad_phone_data_leaves_the_code_good(client: FlaskClient, code: str) -> None:
    bad = client.post("/api/v1/devices", json={"code": code, "device": {"make": "x" * 65}})
    assert bad.get_json()["errors"].keys() == {"device.make"}
    assert redeem(client, code).status_code == 201


def test_enrolled_confirmed_phone_need_not_wait(
    client: FlaskClient, database: Database, village: Village
) -> None:
    code = issue(database, village.rjk, village["asha"].person_id, is_confirmed=True)
    assert redeem(client, code).get_json()["device"]["confirmed"] is True
