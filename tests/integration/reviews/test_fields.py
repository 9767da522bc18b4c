"""Decisions on fields in which two values stand: the officer's count and the keeper's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask

from fieldapi.ids import new_id
from sync.wire import JSON
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.phones import TestPhone, phone_of

URL = "/api/v1/reviews"

pytestmark = pytest.mark.database


@dataclass(frozen=True, slots=True)
class Dispute:
    """Asha counted five buffaloes, Mohan nine. `asha`: her phone."""

    asha: TestPhone
    seizure: str
    animal: str
    officers: str
    keepers: str


@pytest.fixture
def dispute(app: Flask, village: Village) -> Dispute:
    """Two counts of one lot."""
    asha, mohan = phone_of(app, village["asha"]), phone_of(app, village["mohan"])
    seizure, animal = new_id(), new_id()
    create = asha.pen.seizure(seizure, pound_id=village.pound_id)
    five = asha.pen.animal(animal, seizure, "buffalo", 5)
    asha.push(create, five)
    nine = mohan.pen.op("animal", animal, set={"count": 9}, base={"count": [five["op"]]})
    mohan.push(nine)
    return Dispute(asha, seizure, animal, str(five["op"]), str(nine["op"]))


def open_one(as_person: AsPerson) -> dict[str, Any]:
    (item,) = as_person("bina").get(f"{URL}?about=field").json["items"]
    found: dict[str, Any] = item
    return found


def test_two_counts_are_listed_with_both_values(as_person: AsPerson, dispute: Dispute) -> None:
    item = open_one(as_person)

    assert (item["about"], item["field"], item["state"]) == ("field", "count", "open")
    assert (item["record"], item["seizure"]) == (dispute.animal, dispute.seizure)
    assert {head["op"]: head["v"] for head in item["heads"]} == {
        dispute.officers: 5,
        dispute.keepers: 9,
    }


def test_decided_value_and_reason_reach_the_phone(as_person: AsPerson, dispute: Dispute) -> None:
    path = f"{URL}/{open_one(as_person)['id']}"
    body = {"op": new_id(), "head": dispute.keepers, "reason": "Counted in daylight."}

    answer = as_person("bina").post(f"{path}/decision", json=body)

    assert (answer.status_code, answer.json["state"]) == (200, "decided")
    dispute.asha.pull()
    assert dispute.asha.shown("animal", dispute.animal)["count"] == 9
    assert as_person("bina").get(path).json["decided"]["decision"]["reason"] == body["reason"]


def test_another_value_than_both_can_be_decided(as_person: AsPerson, dispute: Dispute) -> None:
    path = f"{URL}/{open_one(as_person)['id']}/decision"

    answer = as_person("bina").post(path, json={"op": new_id(), "value": 7, "reason": "Recount."})

    assert (answer.status_code, answer.json["decided"]["v"]) == (200, 7)


def test_identical_resend_of_a_decision_changes_nothing(
    as_person: AsPerson, dispute: Dispute
) -> None:
    path = f"{URL}/{open_one(as_person)['id']}/decision"
    body = {"op": new_id(), "head": dispute.keepers, "reason": "Counted in daylight."}
    first = as_person("bina").post(path, json=body)

    again = as_person("bina").post(path, json=body)

    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json == first.json


def test_what_was_decided_can_be_decided_anew(as_person: AsPerson, dispute: Dispute) -> None:
    path = f"{URL}/{open_one(as_person)['id']}/decision"
    bina = as_person("bina")
    bina.post(path, json={"op": new_id(), "head": dispute.keepers, "reason": "Daylight."})

    answer = bina.post(path, json={"op": new_id(), "value": 5, "reason": "The photos show five."})

    assert (answer.status_code, answer.json["decided"]["v"]) == (200, 5)


@pytest.mark.parametrize(
    "body, status",
    [
        ({"value": 7}, 422),
        ({"reason": "Recount."}, 422),
        ({"value": 7, "head": "x", "reason": "Recount."}, 422),
        ({"value": -5, "reason": "Recount."}, 422),
        ({"head": "00000000-0000-7000-8000-000000000000", "reason": "Recount."}, 404),
    ],
)
def test_decision_that_names_no_value_or_no_reason_is_refused(
    as_person: AsPerson, dispute: Dispute, body: dict[str, Any], status: int
) -> None:
    path = f"{URL}/{open_one(as_person)['id']}/decision"

    answer = as_person("bina").post(path, json={"op": new_id(), **body})

    assert answer.status_code == status
    assert open_one(as_person)["state"] == "open"


def test_withdrawal_that_did_not_know_an_edit_is_decided(
    app: Flask, as_person: AsPerson, village: Village
) -> None:
    asha, mohan = phone_of(app, village["asha"]), phone_of(app, village["mohan"])
    seizure, animal = new_id(), new_id()
    asha.push(
        asha.pen.seizure(seizure, pound_id=village.pound_id),
        lot := asha.pen.animal(animal, seizure, "cow", 3),
    )
    mohan.push(mohan.pen.op("animal", animal, set={"marks": "white star"}))
    blind: JSON = {"withdrawn": [], "*": [lot["op"]]}
    asha.push(asha.pen.op("animal", animal, retract={"reason": "counted twice"}, base=blind))
    item = open_one(as_person)

    answer = as_person("bina").post(
        f"{URL}/{item['id']}/decision",
        json={"op": new_id(), "value": False, "reason": "The keeper holds it."},
    )

    assert (item["field"], answer.status_code, answer.json["state"]) == (
        "withdrawn",
        200,
        "decided",
    )
    asha.pull()
    assert asha.shown("animal", animal)["withdrawn"] is False


def test_pages_of_reviews_come_to_an_end(as_person: AsPerson, dispute: Dispute) -> None:
    bina = as_person("bina")
    bina.post(URL, json={"id": new_id(), "seizure": dispute.seizure, "outcome": "under_review"})

    first = bina.get(f"{URL}?limit=1").json
    second = bina.get(f"{URL}?limit=1&after={first['next']}").json

    assert [one["about"] for one in (*first["items"], *second["items"])] == ["field", "report"]
    assert second["next"] is None
