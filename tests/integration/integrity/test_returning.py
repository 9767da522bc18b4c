"""A phone comes back by the key it had: after a restore that knows nothing of it, or of its token.

docs/protocol/sync.md section 7, number 31.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from fieldapi.app import app_of
from fieldapi.backup import make_backup, restore
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.services import devices
from fieldapi.services.authorise import operator
from tests.support.house import Answer, client_with
from tests.support.personas import Village, issue
from tests.support.phones import TestPhone, phone_of
from tests.support.restores import assert_sound, environ_of, opened
from tests.support.signing import SigningPhone, sign, signing_phone

Environ = Mapping[str, str]


@pytest.fixture
def environ(tmp_path: Path) -> Environ:
    """The environment of the new host."""
    return environ_of(tmp_path)


def come_back(house: House, phone: SigningPhone, **changed: Any) -> Answer:
    """Enrol by a fresh code as the device that it was."""
    return client_with(app_of(house)).post("/api/v1/devices", json=request(house, phone, **changed))


def request(house: House, phone: SigningPhone, **changed: Any) -> dict[str, Any]:
    """Return what a phone asks that comes back by a fresh code."""
    was = phone.persona
    code = issue(house.database, was.authority_id, was.person_id, is_confirmed=True)
    proof = sign({"code": code}, phone.key, {"alg": phone.alg})
    said = {"device": was.device_id, "actor": was.actor, "number": was.number, "proof": proof}
    return {
        "code": code,
        "public_key": phone.key.as_dict(private=False),
        "proof": proof,
        "previous": said | changed,
    }


def again(house: House, phone: SigningPhone, token: str) -> SigningPhone:
    """Return the same phone with its new token on another host; it keeps its pen."""
    client = client_with(app_of(house), token)
    return SigningPhone(TestPhone(client, phone.phone.pen), phone.persona, phone.key, phone.alg)


def test_7_31_phone_enrolled_after_the_backup_comes_back_and_loses_nothing(
    app: Flask, house: House, village: Village, environ: Environ, tmp_path: Path
) -> None:
    make_backup(house, tmp_path / "backup")
    phone = signing_phone(app, house.database, village["asha"])
    ops = [phone.phone.pen.seizure(new_id()) for _ in range(3)]
    assert [one["status"] for one in phone.push(*ops)] == ["applied"] * 3
    restore(tmp_path / "backup", tmp_path / "new", environ=environ)

    with opened(tmp_path / "new", environ) as restored:
        other = phone_of(app_of(restored), village["ravi"])
        brought = other.push(phone.seal(ops[0]))[0]
        answer = come_back(restored, phone)
        results = again(restored, phone, answer.json["token"]).push(*ops)
        bina = phone_of(app_of(restored), village["bina"])
        bina.pull()
        assert_sound(restored, village.rjk)

    assert (brought["status"], brought["code"]) == ("held", "unknown-device")
    assert answer.status_code == 201, answer.json
    told, was = answer.json["device"], phone.persona
    assert (told["id"], told["actor"], told["number"]) == (was.device_id, was.actor, was.number)
    assert [(one["status"], one["replayed"]) for one in results] == [
        ("applied", True),
        ("applied", False),
        ("applied", False),
    ]
    assert {op["id"] for op in ops} <= {record for _, record in bina.records}


def test_7_31_phone_that_was_revoked_since_the_backup_does_not_come_back(
    app: Flask, house: House, village: Village, environ: Environ, tmp_path: Path
) -> None:
    make_backup(house, tmp_path / "backup")
    phone, log = signing_phone(app, house.database, village["asha"]), house.settings.outside_log
    boss, name = operator(village.rjk), phone.persona.device_id
    house.database.transact(lambda unit: devices.judge(unit, boss, name, verdict="revoke", log=log))
    restored_to = restore(tmp_path / "backup", tmp_path / "new", environ=environ, logs=[log])

    with opened(restored_to.folder, environ) as restored:
        answer = come_back(restored, phone)

    assert (answer.status_code, answer.json["reason"]) == (403, "ended")


def test_7_31_forged_signature_of_a_lost_phone_stays_held(
    app: Flask, house: House, village: Village, environ: Environ, tmp_path: Path
) -> None:
    make_backup(house, tmp_path / "backup")
    phone = signing_phone(app, house.database, village["asha"])
    forger = signing_phone(app, house.database, village["ravi"])
    op = phone.phone.pen.seizure(new_id())
    forged = forger.seal(op, kid=phone.persona.device_id)
    restore(tmp_path / "backup", tmp_path / "new", environ=environ)

    with opened(tmp_path / "new", environ) as restored:
        other = phone_of(app_of(restored), village["ravi"])
        other.push(forged)
        come_back(restored, phone)
        again = other.push(forged)[0]
        desk = client_with(app_of(restored), village["bina"].token)
        held = desk.get("/api/v1/ops?status=held").json["items"]

    assert [(one["op"], one["code"]) for one in held] == [(op["op"], "unknown-device")]
    assert (again["status"], again["code"]) == ("quarantined", "bad-signature")


def test_phone_that_lost_its_token_comes_back_as_it_was(
    app: Flask, house: House, village: Village
) -> None:
    phone = signing_phone(app, house.database, village["asha"])

    answer = come_back(house, phone)

    told, was = answer.json["device"], phone.persona
    assert (told["id"], told["actor"], told["number"]) == (was.device_id, was.actor, was.number)
    assert phone.phone.client.get("/api/v1/me").status_code == 401
    op = phone.phone.pen.seizure(new_id())
    assert again(house, phone, answer.json["token"]).push(op)[0]["status"] == "applied"


def test_answer_to_a_phone_that_comes_back_can_be_had_again_until_it_is_used(
    app: Flask, house: House, village: Village
) -> None:
    phone = signing_phone(app, house.database, village["asha"])
    body = request(house, phone)
    ask = client_with(app).post

    lost, told = (ask("/api/v1/devices", json=body) for _ in range(2))
    other = ask("/api/v1/devices", json=body | {"device": {"os": "another"}})
    is_in = [client_with(app, one.json["token"]).get("/api/v1/me") for one in (lost, told)]
    late = ask("/api/v1/devices", json=body)

    assert [one.status_code for one in (lost, told, *is_in)] == [201, 200, 401, 200]
    assert told.json["device"] == lost.json["device"]
    assert [one.json["type"][-12:] for one in (other, late)] == ["code-refused"] * 2


@pytest.mark.parametrize(
    "changed",
    [{"device": new_id()}, {"actor": "0" * 16}, {"proof": "a.b.c"}],
    ids=["never-lost", "another-actor", "no-proof"],
)
def test_phone_that_proves_nothing_does_not_come_back(
    app: Flask, house: House, village: Village, changed: dict[str, str]
) -> None:
    phone = signing_phone(app, house.database, village["asha"])

    answer = come_back(house, phone, **changed)

    assert answer.status_code == 422, answer.json
    assert phone.phone.client.get("/api/v1/me").status_code == 200


def test_phone_of_another_person_does_not_come_back(
    app: Flask, house: House, village: Village
) -> None:
    phone = signing_phone(app, house.database, village["asha"])
    ravi = village["ravi"].person_id
    taken = replace(phone.persona, person_id=ravi)

    answer = come_back(house, SigningPhone(phone.phone, taken, phone.key, phone.alg))

    assert (answer.status_code, answer.json["reason"]) == (403, "ended")
