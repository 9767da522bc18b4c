"""Values that were erased are gone everywhere; everything still verifies, and says what is gone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import inspect, select

from fieldapi import ledger
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.models import OpErasure, OpPayload, OpRow
from fieldapi.services import erasures, outside, replay
from sync.wire import JSON
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.phones import TestPhone
from tests.support.reports import Body, push_body
from tests.support.signing import signing_phone

URL = "/api/v1/erasures"
MOBILE, NAME = "9876543210", "Rameshbhai Solanki"

pytestmark = pytest.mark.database


def report(asha: TestPhone) -> tuple[str, Body]:
    """Hand in a seizure whose owner is known; returns it and the personal op."""
    seizure = new_id()
    create = asha.pen.seizure(seizure)
    owner = asha.pen.op("seizure", seizure, set={"owner.name": NAME, "owner.mobile": MOBILE})
    assert [one["status"] for one in asha.push(create, owner)] == ["applied"] * 2
    return seizure, owner


def erase(as_person: AsPerson, record: str, **what: object) -> dict[str, Any]:
    body = {"id": new_id(), "record": record, "reason": "asked by the owner", **what}
    answer = as_person("admin").post(URL, json=body)
    assert answer.status_code == 201, answer.json
    made: dict[str, Any] = answer.json
    return made


def tables_with(house: House, text: str) -> set[str]:
    """Return the tables that hold a text anywhere."""
    engine, found = house.database.engine, set()
    with house.database.read() as session:
        for name in inspect(engine).get_table_names():
            rows = session.connection().exec_driver_sql(f'SELECT * FROM "{name}"').all()
            cells = [
                bytes(cell).decode(errors="replace") if isinstance(cell, bytes) else str(cell)
                for row in rows
                for cell in row
            ]
            found |= {name} if any(text in cell for cell in cells) else set()
    return found


def assert_integrity(house: House, village: Village, *, erased: int) -> None:
    with house.database.read() as session:
        verified = ledger.verify(session, village.rjk, house.keys)
        assert (verified.faults, verified.erased) == ((), erased)
        assert replay.check(session, village.rjk).differences == ()


def test_7_26_erased_field_is_gone_everywhere_and_all_verifies(
    house: House, village: Village, as_person: AsPerson, asha: TestPhone
) -> None:
    seizure, owner = report(asha)
    assert tables_with(house, MOBILE) == {"op_payload", "seizure"}

    made = erase(as_person, f"seizure/{seizure}", fields=["owner.mobile"])

    assert tables_with(house, MOBILE) == set()
    assert tables_with(house, NAME) == {"op_payload", "seizure"}
    assert made["ops"] == [f"{asha.pen.actor}/{owner['op']}"]
    assert made["fields"] == ["owner.mobile"]
    assert_integrity(house, village, erased=1)


def test_7_26_phones_hear_that_a_value_is_gone(as_person: AsPerson, asha: TestPhone) -> None:
    seizure, owner = report(asha)
    asha.pull()

    erase(as_person, seizure, fields=["owner.mobile"])

    (change,) = asha.pull()
    assert change["record"]["owner.mobile"] is None
    assert change["record"]["owner.name"] == NAME
    assert [(one["op"], one["erased"]) for one in change["stamps"]["owner.mobile"]] == [
        (owner["op"], True)
    ]


def test_7_26_erased_op_keeps_its_structure_alone(
    house: House, village: Village, as_person: AsPerson, asha: TestPhone
) -> None:
    seizure, owner = report(asha)

    erase(as_person, f"seizure/{seizure}", ops=[owner["op"]])

    assert tables_with(house, MOBILE) == tables_with(house, NAME) == set()
    with house.database.read() as session:
        key = (village.rjk, asha.pen.actor, owner["op"])
        row, left = session.get_one(OpRow, key), session.get_one(OpPayload, key)
        assert (left.salt, row.payload) == (b"", None)
        assert json.loads(left.payload) == {
            **owner,
            "set": {"owner.name": None, "owner.mobile": None},
        }
    assert_integrity(house, village, erased=1)


def test_7_26_resend_of_an_erased_op_answers_what_it_did_and_stores_nothing(
    house: House, as_person: AsPerson, asha: TestPhone
) -> None:
    seizure, owner = report(asha)
    erase(as_person, seizure, fields=["owner.mobile"])
    with house.database.read() as session:
        before = ledger.head(session, asha_authority(house, asha)).size

    again = asha.push(owner)[0]

    assert (again["status"], again["replayed"]) == ("applied", True)
    assert again["fields"]["owner.mobile"] == {"shown": None}
    assert tables_with(house, MOBILE) == set()
    with house.database.read() as session:
        assert ledger.head(session, asha_authority(house, asha)).size == before


def asha_authority(house: House, asha: TestPhone) -> str:
    with house.database.read() as session:
        query = select(OpRow.authority_id).where(OpRow.actor == asha.pen.actor)
        return session.scalars(query).first() or ""


def test_7_26_later_value_stands_after_an_earlier_one_was_erased(
    house: House, village: Village, as_person: AsPerson, asha: TestPhone
) -> None:
    seizure, owner = report(asha)
    base = {"owner.mobile": [owner["op"]]}
    asha.push(asha.pen.op("seizure", seizure, set={"owner.mobile": "9000000001"}, base=base))

    erase(as_person, seizure, ops=[owner["op"]])

    asha.pull()
    assert asha.shown("seizure", seizure)["owner.mobile"] == "9000000001"
    assert_integrity(house, village, erased=1)


def test_7_26_elements_strikes_and_reasons_go_as_well(
    house: House, village: Village, as_person: AsPerson, asha: TestPhone
) -> None:
    seizure, _ = report(asha)
    witness = {"id": new_id(), "name": NAME, "residence": "Moti Tanki"}
    added = asha.pen.op("seizure", seizure, base={}, add={"witnesses": [witness]})
    taken = {"key": witness["id"], "ops": [added["op"]], "reason": f"{NAME} was away"}
    struck = asha.pen.op("seizure", seizure, base={}, strike={"witnesses": [taken]})
    gone = asha.pen.op("seizure", seizure, retract={"reason": f"by {NAME}"}, base={"withdrawn": []})
    asha.push(added, struck, gone)

    erase(as_person, seizure, fields=["witnesses", "owner.name", "withdrawn"])

    assert tables_with(house, NAME) == set()
    asha.pull()
    shown = asha.shown("seizure", seizure)
    assert (shown["withdrawn"], shown["witnesses"]) == (True, [])
    assert_integrity(house, village, erased=4)


def test_7_26_conflict_over_an_erased_value_does_not_close_by_itself(
    app: Flask, house: House, village: Village, as_person: AsPerson, asha: TestPhone
) -> None:
    """Who overruled two others stands beside them, also when one of their values is gone."""
    seizure = new_id()
    create = asha.pen.seizure(seizure)
    asha.push(create)
    phones = [signing_phone(app, house.database, village["asha"]).phone for _ in range(2)]
    said = [
        phone.pen.op("seizure", seizure, set={"seizer": {"name": name, "residence": "Here"}})
        for phone, name in zip(phones, (NAME, "Somebody else"), strict=True)
    ]
    third = asha.pen.op(
        "seizure",
        seizure,
        set={"seizer": {"name": "A third", "residence": "There"}},
        base={"seizer": [one["op"] for one in said]},
    )
    for phone, op in zip((*phones, asha), (*said, third), strict=True):
        phone.push(op)
    before = heads(as_person, seizure)

    erase(as_person, seizure, ops=[said[0]["op"]])
    asha.push(asha.pen.op("seizure", seizure, set={"survey_no": "17"}))

    assert before == {said[0]["op"], said[1]["op"], third["op"]}
    assert heads(as_person, seizure) == before
    with house.database.read() as session:
        (told,) = ledger.entries_of_kind(session, village.rjk, "person.erased")
    assert told["beside"] == {"seizer": [f"{asha.pen.actor}/{third['op']}"]}
    assert_integrity(house, village, erased=1)


def heads(as_person: AsPerson, seizure: str) -> set[str]:
    (review,) = as_person("bina").get(f"/api/v1/seizures/{seizure}").json["reviews"]
    return {head["op"] for head in review["heads"]}


def test_op_that_nobody_could_read_is_erased_by_its_hash(
    house: House, village: Village, as_person: AsPerson, asha: TestPhone
) -> None:
    seizure, _ = report(asha)
    raw = f'{{"owner": "{NAME}", "n": NaN}}'
    body = json.dumps(push_body([])).replace('"ops": []', f'"ops": [{raw}]')
    sent = {"data": body, "content_type": "application/json"}
    key = asha.client.post("/api/v1/sync", **sent).json["results"][0]["op"]

    erase(as_person, seizure, ops=[key])

    assert tables_with(house, "NaN") == set()
    assert asha.client.post("/api/v1/sync", **sent).json["results"][0]["replayed"] is True
    assert_integrity(house, village, erased=1)


def test_signature_by_which_a_value_could_be_guessed_goes_as_well(
    app: Flask, house: House, village: Village, as_person: AsPerson
) -> None:
    asha = signing_phone(app, house.database, village["asha"])
    seizure = new_id()
    owner = asha.phone.pen.op("seizure", seizure, set={"owner.mobile": MOBILE})
    asha.push(asha.phone.pen.seizure(seizure), owner)

    erase(as_person, seizure, fields=["owner.mobile"])

    with house.database.read() as session:
        key = (village.rjk, asha.phone.pen.actor, owner["op"])
        assert session.get_one(OpPayload, key).signature is None
    assert_integrity(house, village, erased=1)


def test_erasure_is_made_once(as_person: AsPerson, asha: TestPhone) -> None:
    seizure, _ = report(asha)
    body = {"id": new_id(), "record": seizure, "fields": ["owner.name"], "reason": "asked"}

    answers = [as_person("admin").post(URL, json=body) for _ in range(2)]
    other = as_person("admin").post(URL, json={**body, "fields": ["owner.mobile"]})

    assert [one.status_code for one in answers] == [201, 200]
    assert answers[0].json == answers[1].json
    assert other.status_code == 409


@pytest.mark.parametrize(
    "what, field",
    [
        ({}, "fields"),
        ({"fields": ["owner.name"], "ops": ["x"]}, "fields"),
        ({"fields": ["ground"]}, "fields"),
        ({"fields": ["remarks"]}, "fields"),
        ({"ops": ["0193a5c0-0000-7000-8000-000000000000"]}, "ops"),
        ({"fields": ["owner.name"], "record": "tractor/1"}, "record"),
    ],
)
def test_erasure_of_nothing_personal_is_sent_back(
    as_person: AsPerson, asha: TestPhone, what: Body, field: str
) -> None:
    seizure, _ = report(asha)
    body = {"id": new_id(), "record": seizure, "reason": "asked", **what}

    answer = as_person("admin").post(URL, json=body)

    assert (answer.status_code, list(answer.json["errors"])) == (422, [field])


def test_7_26_op_that_comes_again_after_a_restore_comes_without_its_values(
    app: Flask, house: House, village: Village, as_person: AsPerson, asha: TestPhone
) -> None:
    seizure, _ = report(asha)
    erase(as_person, seizure, fields=["owner.mobile"])
    lost = asha.pen.op("seizure", seizure, set={"owner.mobile": "9000000002"})
    (line,) = outside.read(house.settings.outside_log)
    ops: dict[str, JSON] = {f"{asha.pen.actor}/{lost['op']}": ["owner.mobile"]}
    told = {**line, "id": new_id(), "ops": ops}

    # The restored database never had the op; its erasure is known from the log outside.
    assert house.database.transact(lambda unit: erasures.reapply(unit, [line, told])) == 1
    result = asha.push(lost)[0]

    assert (result["status"], result["fields"]["owner.mobile"]) == ("applied", {"shown": None})
    assert tables_with(house, "9000000002") == set()
    with house.database.read() as session:
        assert session.get(OpErasure, (village.rjk, asha.pen.actor, lost["op"])) is not None
    assert_integrity(house, village, erased=2)


def test_7_26_restored_database_forgets_again_what_was_erased_since(
    house: House, village: Village, as_person: AsPerson, asha: TestPhone
) -> None:
    seizure, owner = report(asha)
    line: dict[str, JSON] = {
        "what": "erased",
        "authority": village.rjk,
        "id": new_id(),
        "kind": "seizure",
        "record": seizure,
        "ops": {f"{asha.pen.actor}/{owner['op']}": ["owner.mobile", "owner.name"]},
        "beside": {},
    }

    counts = [
        house.database.transact(lambda unit: erasures.reapply(unit, [line])) for _ in range(2)
    ]

    assert counts == [1, 0]
    assert tables_with(house, MOBILE) == tables_with(house, NAME) == set()
    assert_integrity(house, village, erased=1)
