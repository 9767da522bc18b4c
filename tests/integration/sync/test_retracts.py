"""Withdrawals over HTTP: against an edit they did not know of, undone, and too late."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.pending import runner_of
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.phones import TestPhone, phone_of
from tests.support.reports import Body

pytestmark = pytest.mark.database


def retract(phone: TestPhone, record: str, *seen: Any, kind: str = "seizure") -> Body:
    base = {"withdrawn": [], "*": [one["op"] for one in seen]}
    return phone.pen.op(kind, record, retract={"reason": "twice"}, base=base)


def edit(phone: TestPhone, seizure: str, base: dict[str, list[str]]) -> Body:
    return phone.pen.op("seizure", seizure, set={"ground": "straying"}, base=base)


def review_of(as_person: AsPerson, seizure: str) -> list[str]:
    found = as_person("bina").get(f"/api/v1/seizures/{seizure}").json["reviews"]
    return [one["field"] for one in found]


@pytest.mark.parametrize("is_edit_first", [True, False])
def test_7_24_withdrawal_and_an_edit_that_did_not_know_of_each_other_are_reviewed(
    as_person: AsPerson, asha: TestPhone, second: TestPhone, *, is_edit_first: bool
) -> None:
    seizure = new_id()
    create = asha.pen.seizure(seizure)
    asha.push(create)
    gone = (asha, retract(asha, seizure, create))
    changed = (second, edit(second, seizure, {"ground": [create["op"]]}))
    order = (changed, gone) if is_edit_first else (gone, changed)

    statuses = [phone.push(op)[0]["status"] for phone, op in order]

    assert review_of(as_person, seizure) == ["withdrawn"]
    assert statuses == ["applied", "conflict"]


def test_7_24_edit_by_one_who_saw_the_withdrawal_is_no_conflict(
    as_person: AsPerson, asha: TestPhone, second: TestPhone
) -> None:
    seizure = new_id()
    create = asha.pen.seizure(seizure)
    gone = retract(asha, seizure, create)
    asha.push(create, gone)

    seen = {"ground": [create["op"]], "withdrawn": [gone["op"]]}
    result = second.push(edit(second, seizure, seen))[0]

    assert result["status"] == "applied"
    assert review_of(as_person, seizure) == []


def test_7_24_withdrawal_is_undone(asha: TestPhone) -> None:
    seizure = new_id()
    create = asha.pen.seizure(seizure)
    gone = retract(asha, seizure, create)
    asha.push(create, gone)
    asha.pull()
    before = asha.shown("seizure", seizure)["withdrawn"]

    asha.push(asha.pen.op("seizure", seizure, retract=False, base={"withdrawn": [gone["op"]]}))
    asha.pull()

    assert (before, asha.shown("seizure", seizure)["withdrawn"]) == (True, False)


def received(app: Flask, village: Village, seizure: str) -> None:
    """Mohan receives the cattle at his pound."""
    mohan = phone_of(app, village["mohan"])
    values: Body = {
        "seizure_id": seizure,
        "pound_id": village.pound_id,
        "received_at": "2026-11-30T05:40:00.000Z",
        "counts": [{"kind": "cow", "count": 2}],
    }
    assert mohan.push(mohan.pen.op("intake", new_id(), new=True, set=values))[0]["status"] == (
        "applied"
    )


def test_withdrawal_of_cattle_at_the_pound_is_only_a_statement(
    app: Flask, village: Village, as_person: AsPerson, asha: TestPhone
) -> None:
    seizure, lot = new_id(), new_id()
    create = asha.pen.seizure(seizure, pound_id=village.pound_id)
    cows = asha.pen.animal(lot, seizure, "cow", 2)
    asha.push(create, cows)
    received(app, village, seizure)

    results = asha.push(retract(asha, seizure, create), retract(asha, lot, cows, kind="animal"))

    assert [(one["status"], one["code"]) for one in results] == [("held", "too-late")] * 2
    asha.pull()
    assert asha.shown("seizure", seizure)["withdrawn"] is False
    waiting = as_person("bina").get("/api/v1/ops").json["items"]
    assert [one["content"]["retract"]["reason"] for one in waiting] == ["twice"] * 2


def test_reviewer_lets_a_late_withdrawal_in(
    app: Flask, village: Village, as_person: AsPerson, asha: TestPhone
) -> None:
    seizure = new_id()
    create = asha.pen.seizure(seizure, pound_id=village.pound_id)
    asha.push(create)
    received(app, village, seizure)
    late = retract(asha, seizure, create)
    asha.push(late)

    path = f"/api/v1/ops/{asha.pen.actor}/{late['op']}/release"
    answer = as_person("bina").post(path, json={"reason": "The same cattle twice."})

    assert answer.status_code == 200, answer.json
    asha.pull()
    assert asha.shown("seizure", seizure)["withdrawn"] is True


def test_withdrawal_before_the_cattle_arrive_stands(
    app: Flask, village: Village, asha: TestPhone
) -> None:
    seizure = new_id()
    create = asha.pen.seizure(seizure, pound_id=village.pound_id)
    asha.push(create, retract(asha, seizure, create))

    received(app, village, seizure)

    asha.pull()
    assert asha.shown("seizure", seizure)["withdrawn"] is True


@pytest.mark.parametrize("said", [{}, {"reason": ""}, {"reason": " "}, {"reason": 5}])
def test_withdrawal_without_a_reason_waits_for_one(
    as_person: AsPerson, asha: TestPhone, said: Body
) -> None:
    seizure = new_id()
    create = asha.pen.seizure(seizure)
    base = {"withdrawn": [], "*": [create["op"]]}

    asha.push(create)
    (result,) = asha.push(asha.pen.op("seizure", seizure, retract=said, base=base))

    assert result["fields"]["withdrawn"]["code"] == "invalid-value"
    assert as_person("bina").get(f"/api/v1/seizures/{seizure}").json["withdrawn"] is False


def is_lot_marked(as_person: AsPerson, seizure: str) -> bool:
    (lot,) = as_person("bina").get(f"/api/v1/seizures/{seizure}").json["animals"]
    return "parent_withdrawn" in lot["flags"]


def test_what_hangs_on_a_withdrawn_report_says_so_for_as_long(
    house: House, as_person: AsPerson, asha: TestPhone
) -> None:
    seizure = new_id()
    create = asha.pen.seizure(seizure)
    asha.push(create, asha.pen.animal(new_id(), seizure, "cow", 2))
    gone = retract(asha, seizure, create)
    asha.push(gone)

    runner_of(house).run_once()
    was_marked = is_lot_marked(as_person, seizure)
    back = asha.pen.op("seizure", seizure, retract=False, base={"withdrawn": [gone["op"]]})
    asha.push(back)
    runner_of(house).run_once()

    assert was_marked
    assert not is_lot_marked(as_person, seizure)
