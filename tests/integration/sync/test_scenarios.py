"""Numbered scenarios of docs/protocol/sync.md section 7 that have no file about their subject."""

from __future__ import annotations

import itertools
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask

from fieldapi import ledger
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.services import replay
from sync.merge import review_id
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.phones import TestPhone, phone_of
from tests.support.reports import FIELD, Body, push_body

pytestmark = pytest.mark.database


def change_of(phone: TestPhone, kind: str, record: str) -> dict[str, Any]:
    phone.pull()
    return phone.records[kind, record]


def test_7_2_resends_in_other_batches_leave_one_entry_for_each_op(
    house: House, village: Village, asha: TestPhone
) -> None:
    ops = [asha.pen.seizure(new_id()) for _ in range(6)]
    first = {one["op"]: one for one in asha.push(*ops)}

    batches = [ops[3:], ops[::-1], ops[:1], [ops[5], ops[0]], ops]
    later = [one for batch in batches for one in asha.push(*batch)]

    assert {(one["status"], one["replayed"]) for one in later} == {("applied", True)}
    assert all(one["seq"] == first[one["op"]]["seq"] for one in later)
    assert all(one["fields"] == first[one["op"]]["fields"] for one in later)
    with house.database.read() as session:
        names = [f"{asha.pen.actor}/{op['op']}" for op in ops]
        assert len(ledger.entries_of_ops(session, village.rjk, names)) == len(ops)


def test_7_4_two_counts_from_one_base_are_the_same_in_either_order(
    asha: TestPhone, second: TestPhone
) -> None:
    told = []
    for is_swapped in (False, True):
        seizure, lot = new_id(), new_id()
        create = asha.pen.animal(lot, seizure, "cow", 4)
        asha.push(asha.pen.seizure(seizure), create)
        made = [
            (phone, phone.pen.op("animal", lot, set={"count": n}, base={"count": [create["op"]]}))
            for phone, n in ((asha, 5), (second, 9))
        ]
        for phone, op in reversed(made) if is_swapped else made:
            phone.push(op)
        change = change_of(asha, "animal", lot)
        (review,) = change["reviews"]
        heads = sorted(head["v"] for head in review["heads"])
        told.append((change["record"]["count"], heads, review["field"], review["state"]))

    assert told[0] == told[1]
    assert told[0][1:] == ([5, 9], "count", "open")


def test_7_8_a_thousand_first_writes_of_one_new_id_lose_none(
    app: Flask, house: House, village: Village, as_person: AsPerson, asha: TestPhone
) -> None:
    seizure = new_id()
    ops = [
        asha.pen.op("seizure", seizure, base={}, add={"fixes": [{**FIELD, "fixed_at": at}]})
        for at in (f"2026-11-30T05:{n // 60:02}:{n % 60:02}.000Z" for n in range(1000))
    ]

    def push(part: list[Body]) -> list[dict[str, Any]]:
        return phone_of(app, village["asha"]).push(*part)

    with ThreadPoolExecutor(8) as pool:
        told = [one for part in pool.map(push, (ops[n::16] for n in range(16))) for one in part]

    assert {one["status"] for one in told} == {"applied"}
    asha.push(asha.pen.seizure(seizure))
    assert len(as_person("bina").get(f"/api/v1/seizures/{seizure}").json["fixes"]) == 1000
    with house.database.read() as session:
        assert replay.check(session, village.rjk).differences == ()


def test_7_9_first_sync_comes_in_bounded_pages_and_goes_on_after_a_kill(
    app: Flask, village: Village, asha: TestPhone
) -> None:
    ids, long = [new_id() for _ in range(300)], "r" * 2_000
    for some in (ids[:150], ids[150:]):
        asha.push(*(asha.pen.seizure(one, remarks=long, place_text=long) for one in some))
    bina, cursor, came, sizes = phone_of(app, village["bina"]), None, [], []

    for page in itertools.count():
        answer = bina.client.post("/api/v1/sync", json=push_body([], cursor=cursor, limit=500))
        sizes.append(len(json.dumps(answer.json["changes"]).encode()))
        came.append([change["id"] for change in answer.json["changes"]])
        # Killed before it saved the first page: it asks again from where it was.
        cursor = cursor if page == 0 else answer.json["cursor"]
        if not answer.json["more"]:
            break

    assert came[0] == came[1]
    assert sorted(one for page in came[1:] for one in page) == sorted(ids)
    assert len(came) > 2
    assert max(sizes) < 1.05 * (1 << 20)


def test_7_12_push_that_comes_again_undoes_nothing_newer(
    asha: TestPhone, second: TestPhone
) -> None:
    seizure = new_id()
    create = asha.pen.seizure(seizure, survey_no="1")
    asha.push(create)
    before = change_of(asha, "seizure", seizure)
    base = {"survey_no": [create["op"]]}
    second.push(second.pen.op("seizure", seizure, set={"survey_no": "2"}, base=base))

    again = asha.push(create)[0]

    assert (again["replayed"], again["fields"]["survey_no"]) == (True, {"shown": "2"})
    after = change_of(asha, "seizure", seizure)
    assert (after["record"]["survey_no"], after["seq"] > before["seq"]) == ("2", True)


def test_7_15_equal_ids_of_two_devices_both_stand(asha: TestPhone, second: TestPhone) -> None:
    seizure = new_id()
    create = asha.pen.seizure(seizure)
    one = asha.pen.op("seizure", seizure, set={"survey_no": "1"})
    other = {**second.pen.op("seizure", seizure, set={"survey_no": "2"}), "op": one["op"]}

    statuses = [
        *(told["status"] for told in asha.push(create, one)),
        second.push(other)[0]["status"],
    ]

    assert statuses == ["applied"] * 3
    named = sorted(f"{phone.pen.actor}/{one['op']}" for phone in (asha, second))
    change = change_of(asha, "seizure", seizure)
    assert sorted(head["op"] for head in change["stamps"]["survey_no"]) == named


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 0, 1, 2), (0, 3, 2, 1), (2, 1, 0, 3)])
def test_7_28_late_third_value_reopens_what_was_decided(
    app: Flask, village: Village, asha: TestPhone, second: TestPhone, order: tuple[int, ...]
) -> None:
    seizure = new_id()
    late = second.pen.op("seizure", seizure, set={"ground": "trespass"})
    create = asha.pen.op("seizure", seizure, new=True, set={"survey_no": "1"})
    one = asha.pen.op("seizure", seizure, set={"ground": "straying"})
    other = second.pen.op("seizure", seizure, set={"ground": "trespass_with_damage"})
    bina = phone_of(app, village["bina"])
    bina.pen.now_ms = asha.pen.now_ms + 1000
    review = review_id(village.rjk, "seizure", seizure, "ground")
    decided = bina.pen.op(
        "seizure",
        seizure,
        set={"ground": "straying"},
        base={"ground": [one["op"], other["op"]]},
        decision={"review": review, "reason": "seen"},
    )
    made = [(asha, one), (second, other), (bina, decided), (second, late)]
    asha.push(create)

    for at in order:
        made[at][0].push(made[at][1])

    change = change_of(asha, "seizure", seizure)
    assert change["record"]["ground"] == "straying"
    assert [(told["field"], told["state"]) for told in change["reviews"]] == [("ground", "open")]
