"""Ops that wait for a person: kept, shown to nobody else, merged in order or turned down."""

from __future__ import annotations

import pytest
from flask import Flask

from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.services import replay
from fieldapi.unit import Database
from tests.support.house import AsPerson
from tests.support.personas import Persona, Village, add_persona
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
    (told,) = as_person("bina").get("/api/v1/ops?status=rejected").json["items"]
    assert (told["record"], told["reason"]) == (seizure, "not our phone")
    assert phone_of(app, village["bina"]).pull() == []
    assert pending.client.get("/api/v1/me").status_code == 401


def test_released_op_leaves_out_what_its_author_may_not_write(
    app: Flask, database: Database, house: House, village: Village, as_person: AsPerson
) -> None:
    asha, lot, seizure = phone_of(app, village["asha"]), new_id(), new_id()
    five = asha.pen.animal(lot, seizure, "cow", 5)
    asha.push(asha.pen.seizure(seizure, pound_id=village.pound_id), five)
    keeper = phone_of(app, waiting_keeper(database, village))
    base = {"count": [five["op"]], "colour": []}
    nine = keeper.pen.op("animal", lot, set={"count": 9, "colour": "red"}, base=base)
    assert keeper.push(nine)[0]["code"] == "device-pending"

    as_person("admin").post(f"/api/v1/devices/{_device(keeper)}/confirm", json={})

    keeper.pull()
    assert [one["status"] for one in keeper.outcomes] == ["quarantined"]
    assert "colour" not in keeper.shown("animal", lot)
    (review,) = keeper.records["animal", lot]["reviews"]
    assert sorted(head["v"] for head in review["heads"]) == [5, 9]
    again = keeper.push(nine)[0]
    assert (again["status"], again["applied"]) == ("quarantined", True)
    assert again["fields"]["colour"]["code"] == "not-yours"
    with house.database.read() as session:
        assert replay.check(session, village.rjk).differences == ()


def waiting_keeper(database: Database, village: Village) -> Persona:
    role = {"role": "pound_keeper", "pound_id": village.pound_id}
    return add_persona(database, village.rjk, "hari", **role, is_confirmed=False)


def test_confirmed_phone_does_not_write_in_the_name_of_others(
    app: Flask, database: Database, village: Village, pending: TestPhone, as_person: AsPerson
) -> None:
    op = pending.pen.seizure(new_id())
    forged = {**op, "by": village["asha"].person_id}
    assert pending.push(forged)[0]["code"] == "device-pending"

    as_person("admin").post(f"/api/v1/devices/{_device(pending)}/confirm", json={})

    told = pending.push(forged)[0]
    assert (told["status"], told["code"]) == ("held", "not-yours")


def test_op_that_a_reviewer_lets_in_keeps_its_bad_field_out(
    house: House, village: Village, as_person: AsPerson, pending: TestPhone
) -> None:
    seizure = new_id()
    op = pending.pen.seizure(seizure, location={"lat": 999, "lon": 70})
    pending.push(op)
    path = f"/api/v1/ops/{pending.pen.actor}/{op['op']}"

    verdicts = [
        as_person("bina").post(f"{path}/{verdict}", json={"reason": "seen"}).status_code
        for verdict in ("release", "release", "reject")
    ]

    assert verdicts == [200, 200, 409]
    again = pending.push(op)[0]
    assert again["fields"]["location"]["code"] == "invalid-value"
    waiting = as_person("bina").get("/api/v1/ops?status=quarantined").json["items"]
    assert [one["op"] for one in waiting] == [op["op"]]
    with house.database.read() as session:
        assert replay.check(session, village.rjk).differences == ()


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
