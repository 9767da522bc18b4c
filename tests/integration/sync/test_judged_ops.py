"""Ops that wait, as reviewers see them: listed with what was in them, let in, turned down."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask

from fieldapi.ids import new_id
from fieldapi.services import people
from fieldapi.services.authorise import operator
from fieldapi.unit import Database, Unit
from tests.support.clock import StoppedClock
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.phones import TestPhone, phone_of
from tests.support.reports import push_body

URL = "/api/v1/ops"

pytestmark = pytest.mark.database


def path_of(op: dict[str, Any], verdict: str) -> str:
    return f"{URL}/{op['t'][18:]}/{op['op']}/{verdict}"


def foreign_op(asha: TestPhone, ravi: TestPhone) -> dict[str, Any]:
    """Ravi writes into asha's report: it waits."""
    seizure = new_id()
    create = asha.pen.seizure(seizure)
    asha.push(create)
    base = {"ground": [create["op"]]}
    op = ravi.pen.op("seizure", seizure, set={"ground": "straying"}, base=base)
    assert ravi.push(op)[0]["status"] == "held"
    return op


def test_7_3_reviewer_sees_what_waits_with_what_was_in_it(
    as_person: AsPerson, asha: TestPhone
) -> None:
    partly = asha.pen.seizure(new_id(), location={"lat": 999, "lon": 70})
    ops = f'{json.dumps(partly)},{{"op": NaN}}'
    body = json.dumps(push_body([])).replace('"ops": []', f'"ops": [{ops}]')
    asha.client.post("/api/v1/sync", data=body, content_type="application/json")

    items = as_person("bina").get(f"{URL}?status=quarantined").json["items"]

    told = {one["code"]: one for one in items}
    assert told.keys() == {"invalid-value", "invalid-json"}
    assert told["invalid-value"]["fields"] == {"location": "invalid-value"}
    assert told["invalid-value"]["content"] == partly
    assert (told["invalid-json"]["content"], told["invalid-json"]["raw"]) == (
        None,
        "eyJvcCI6IE5hTn0=",
    )


def test_released_op_is_merged_and_its_author_hears_of_it(
    as_person: AsPerson, asha: TestPhone, ravi: TestPhone
) -> None:
    op = foreign_op(asha, ravi)
    assert [one["op"] for one in as_person("bina").get(URL).json["items"]] == [op["op"]]

    answers = [
        as_person("bina").post(path_of(op, "release"), json={"reason": "He stood beside her."})
        for _ in range(2)
    ]

    assert [(one.status_code, one.json["resolved"]) for one in answers] == [(200, "released")] * 2
    ravi.pull()
    (outcome,) = ravi.outcomes
    assert (outcome["op"], outcome["status"]) == (op["op"], "applied")
    assert outcome["reason"] == "He stood beside her."
    asha.pull()
    assert asha.shown("seizure", op["id"])["ground"] == "straying"
    assert as_person("bina").get(URL).json["items"] == []
    assert len(as_person("bina").get(f"{URL}?status=released").json["items"]) == 1


def test_rejected_op_stays_listed_and_its_author_hears_why(
    as_person: AsPerson, asha: TestPhone, ravi: TestPhone
) -> None:
    op = foreign_op(asha, ravi)

    as_person("bina").post(path_of(op, "reject"), json={"reason": "Not seen by you."})
    late = as_person("bina").post(path_of(op, "release"), json={"reason": "After all."})

    assert (late.status_code, late.json["current"]["resolved"]) == (409, "rejected")
    again = ravi.push(op)[0]
    assert (again["status"], again["reason"]) == ("rejected", "Not seen by you.")
    ravi.pull()
    assert [one["status"] for one in ravi.outcomes] == ["rejected"]
    assert len(as_person("bina").get(f"{URL}?status=rejected").json["items"]) == 1


def test_op_that_nobody_could_read_can_only_be_turned_down(
    as_person: AsPerson, asha: TestPhone
) -> None:
    op = {**asha.pen.seizure(new_id()), "kind": "tractor"}
    assert asha.push(op)[0]["code"] == "unknown-kind"

    let_in = as_person("bina").post(path_of(op, "release"), json={"reason": "x"})
    rejected = as_person("bina").post(path_of(op, "reject"), json={"reason": "No such thing."})

    assert (let_in.status_code, rejected.status_code) == (409, 200)
    asha.pull()
    assert [one["status"] for one in asha.outcomes] == ["rejected"]


def test_verdict_needs_a_reason_and_a_reviewer_who_did_not_write_it(
    as_person: AsPerson, app: Flask, village: Village, asha: TestPhone, ravi: TestPhone
) -> None:
    op = foreign_op(asha, ravi)
    bina = phone_of(app, village["bina"])
    own = bina.pen.op("seizure", op["id"], set={"ground": "straying"})
    assert bina.push(own)[0]["code"] == "not-yours"

    silent = as_person("bina").post(path_of(op, "release"), json={})
    mine = as_person("bina").post(path_of(own, "release"), json={"reason": "Trust me."})
    role = as_person("ravi").post(path_of(op, "release"), json={"reason": "Mine."})

    assert [one.status_code for one in (silent, mine, role)] == [422, 403, 403]


def test_7_6_what_was_captured_before_access_ended_counts_once_it_is_released(
    as_person: AsPerson, database: Database, village: Village, clock: StoppedClock, asha: TestPhone
) -> None:
    seizure = new_id()
    create = asha.pen.seizure(seizure)
    asha.push(create)
    base = {"ground": [create["op"]]}
    late = asha.pen.op("seizure", seizure, set={"ground": "straying"}, base=base)
    clock.move(hours=1)
    end_roles(as_person, database, village)

    held = asha.push(late)[0]

    assert (held["status"], held["code"]) == ("held", "access-ended")
    assert asha.pull() == []
    answer = as_person("bina").post(path_of(late, "release"), json={"reason": "Before she left."})
    assert answer.status_code == 200, answer.json
    shown = as_person("bina").get(f"/api/v1/seizures/{seizure}").json
    assert (shown["ground"], shown["reviews"]) == ("straying", [])


def end_roles(as_person: AsPerson, database: Database, village: Village) -> None:
    asha = village["asha"]
    roles = as_person("admin").get(f"/api/v1/people/{asha.person_id}").json["roles"]

    def work(unit: Unit) -> None:
        for role in roles:
            people.end(unit, operator(village.rjk), role["id"])

    database.transact(work)


def test_list_goes_on_behind_its_last_page(
    as_person: AsPerson, asha: TestPhone, ravi: TestPhone
) -> None:
    ops = {foreign_op(asha, ravi)["op"] for _ in range(5)}
    seen, after = [], ""

    while True:
        page = as_person("bina").get(f"{URL}?limit=2{after}").json
        seen += [one["op"] for one in page["items"]]
        if page["next"] is None:
            break
        after = f"&after={page['next']}"

    assert sorted(seen) == sorted(ops)
