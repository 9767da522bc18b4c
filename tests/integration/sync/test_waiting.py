"""Ops that wait for a person: kept, shown to nobody else, merged in order or turned down."""

from __future__ import annotations

import pytest
from flask import Flask

from fieldapi.ids import new_id
from fieldapi.unit import Database
from tests.support.house import AsPerson
from tests.support.personas import Village, add_persona
from tests.support.phones import TestPhone, phone_of
from tests.support.reports import seizure_body

pytestmark = pytest.mark.database


@pytest.fixture
def pending(app: Flask, database: Database, village: Village) -> TestPhone:
    """A constable's phone that nobody has confirmed yet."""
    persona = add_persona(
        database, village.rjk, "usha", role="reporter", capacity="police", is_confirmed=False
    )
    return phone_of(app, persona)


def _device(phone: TestPhone) -> str:
    return str(phone.client.environ_base["HTTP_AUTHORIZATION"]).split("_")[1]


def test_7_30_ops_of_a_pending_device_are_held_and_released_in_order(
    app: Flask, village: Village, pending: TestPhone, as_person: AsPerson
) -> None:
    seizure, lot = new_id(), new_id()
    create = pending.pen.seizure(seizure)
    edit = pending.pen.op(
        "seizure", seizure, set={"ground": "straying"}, base={"ground": [create["op"]]}
    )
    results = pending.push(create, edit, pending.pen.animal(lot, seizure, "cow", 1))
    assert {(one["status"], one["code"]) for one in results} == {("held", "device-pending")}
    bina = phone_of(app, village["bina"])
    assert bina.pull() == []

    answer = as_person("admin").post(f"/api/v1/devices/{_device(pending)}/confirm", json={})

    assert answer.status_code == 200, answer.json
    pending.pull()
    assert [one["status"] for one in pending.outcomes] == ["applied"] * 3
    assert pending.shown("seizure", seizure)["ground"] == "straying"
    bina.pull()
    assert bina.shown("animal", lot)["count"] == 1
    assert [one["status"] for one in pending.push(create, edit)] == ["applied", "applied"]


def test_7_30_ops_of_a_rejected_device_are_turned_down_with_the_reason(
    app: Flask, village: Village, pending: TestPhone, as_person: AsPerson
) -> None:
    seizure = new_id()
    pending.push(pending.pen.seizure(seizure))

    answer = as_person("admin").post(
        f"/api/v1/devices/{_device(pending)}/reject", json={"reason": "not our phone"}
    )

    assert answer.status_code == 200, answer.json
    assert phone_of(app, village["bina"]).pull() == []
    assert pending.client.get("/api/v1/me").status_code == 401


def test_report_by_rest_from_a_pending_device_is_accepted_as_held(pending: TestPhone) -> None:
    body = seizure_body(capacity="police")

    first = pending.client.post("/api/v1/seizures", json=body)
    again = pending.client.post("/api/v1/seizures", json=body)

    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json == again.json == {"id": body["id"], "state": "held"}


def test_report_by_rest_from_a_pending_device_is_released_on_confirmation(
    pending: TestPhone, as_person: AsPerson
) -> None:
    body = seizure_body(capacity="police")
    pending.client.post("/api/v1/seizures", json=body)

    as_person("admin").post(f"/api/v1/devices/{_device(pending)}/confirm", json={})

    answer = pending.client.get(f"/api/v1/seizures/{body['id']}")
    assert answer.status_code == 200, answer.json
    assert [one["count"] for one in answer.json["animals"]] == [
        one["count"] for one in body["animals"]
    ]
