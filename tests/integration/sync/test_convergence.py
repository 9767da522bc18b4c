"""Orders of arrival that change nothing, and conflicts that only a person ends, over HTTP."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from flask import Flask

from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.services import people
from fieldapi.services.authorise import operator
from fieldapi.services.people import Grant
from sync.merge import review_id
from tests.support.house import AsPerson
from tests.support.personas import Village, add_persona
from tests.support.phones import TestPhone, phone_of
from tests.support.reports import FIELD, Body

pytestmark = pytest.mark.database

ORDERS = list(itertools.permutations(range(3)))


def edit(phone: TestPhone, record: str, seen: list[str], **fields: Any) -> Body:
    base = dict.fromkeys(fields, seen)
    return phone.pen.op("seizure", record, set=fields, base=base)


def shown(as_person: AsPerson, seizure: str) -> dict[str, Any]:
    found: dict[str, Any] = as_person("bina").get(f"/api/v1/seizures/{seizure}").json
    return found


def values(document: dict[str, Any]) -> list[Any]:
    """Return the values that stand in the one open review."""
    (review,) = document["reviews"]
    return sorted((head["v"] for head in review["heads"]), key=str)


@pytest.mark.parametrize("order", ORDERS)
def test_7_7_own_edits_in_any_order_are_no_conflict(
    as_person: AsPerson, asha: TestPhone, order: tuple[int, ...]
) -> None:
    seizure = new_id()
    create = asha.pen.seizure(seizure)
    first = edit(asha, seizure, [create["op"]], ground="straying")
    last = edit(asha, seizure, [create["op"], first["op"]], ground="trespass_with_damage")
    ops = (create, first, last)

    for at in order:
        asha.push(ops[at])

    told = shown(as_person, seizure)
    assert (told["ground"], told["reviews"]) == ("trespass_with_damage", [])


def test_7_7_edit_over_a_lost_and_over_a_quarantined_edit_is_no_conflict(
    as_person: AsPerson, asha: TestPhone
) -> None:
    seizure = new_id()
    create = asha.pen.seizure(seizure)
    lost = edit(asha, seizure, [create["op"]], ground="straying")
    bad = edit(asha, seizure, [create["op"], lost["op"]], ground="nonsense")
    seen = [create["op"], lost["op"], bad["op"]]
    last = edit(asha, seizure, seen, ground="trespass_with_damage")

    results = asha.push(create, bad, last)

    assert [one["status"] for one in results] == ["applied", "quarantined", "applied"]
    told = shown(as_person, seizure)
    assert (told["ground"], told["reviews"]) == ("trespass_with_damage", [])
    assert asha.push(lost)[0]["status"] == "applied"
    assert shown(as_person, seizure)["ground"] == "trespass_with_damage"


def test_7_8_child_before_parent_then_both(as_person: AsPerson, asha: TestPhone) -> None:
    seizure, lot = new_id(), new_id()
    cows = asha.pen.animal(lot, seizure, "cow", 3)
    create = asha.pen.seizure(seizure)

    assert [asha.push(op)[0]["status"] for op in (cows, create)] == ["applied", "applied"]

    assert [one["count"] for one in shown(as_person, seizure)["animals"]] == [3]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_7_4_same_value_from_two_phones_needs_no_review(
    as_person: AsPerson, asha: TestPhone, second: TestPhone, order: tuple[int, int]
) -> None:
    seizure = new_id()
    create = asha.pen.seizure(seizure)
    asha.push(create)
    made = [
        (phone, edit(phone, seizure, [create["op"]], ground="straying")) for phone in (asha, second)
    ]

    statuses = [made[at][0].push(made[at][1])[0]["status"] for at in order]

    assert statuses == ["applied", "applied"]
    assert shown(as_person, seizure)["reviews"] == []


def decide(
    as_person: AsPerson, village: Village, record: tuple[str, str, str], value: object
) -> None:
    kind, record_id, field = record
    review = review_id(village.rjk, kind, record_id, field)
    body = {"op": new_id(), "value": value, "reason": "as on the photo"}
    answer = as_person("bina").post(f"/api/v1/reviews/{review}/decision", json=body)
    assert answer.status_code == 200, answer.json


def disputed(asha: TestPhone, second: TestPhone) -> tuple[str, list[Body]]:
    """Let two phones say two grounds over one."""
    seizure = new_id()
    create = asha.pen.seizure(seizure)
    asha.push(create)
    one = edit(asha, seizure, [create["op"]], ground="straying")
    other = edit(second, seizure, [create["op"]], ground="trespass_with_damage")
    assert asha.push(one)[0]["status"] == "applied"
    assert second.push(other)[0]["status"] == "conflict"
    return seizure, [create, one, other]


def test_7_21_decision_and_reason_come_with_the_authors_next_pull(
    as_person: AsPerson, village: Village, asha: TestPhone, second: TestPhone
) -> None:
    seizure, _ = disputed(asha, second)

    decide(as_person, village, ("seizure", seizure, "ground"), "straying")

    asha.pull()
    (review,) = asha.records["seizure", seizure]["reviews"]
    assert (review["state"], review["decided"]["v"]) == ("decided", "straying")
    assert review["decided"]["decision"]["reason"] == "as on the photo"


def test_7_21_edit_after_a_decision_reopens_it_and_the_decision_is_shown(
    as_person: AsPerson, village: Village, asha: TestPhone, second: TestPhone
) -> None:
    seizure, _ = disputed(asha, second)
    decide(as_person, village, ("seizure", seizure, "ground"), "straying")
    asha.pull()
    seen = [one["op"] for one in asha.records["seizure", seizure]["stamps"]["ground"]]

    result = asha.push(edit(asha, seizure, seen, ground="trespass"))[0]

    assert result["status"] == "conflict"
    told = shown(as_person, seizure)
    assert (told["ground"], values(told)) == ("straying", ["straying", "trespass"])


def test_7_21_late_evidence_reopens_a_decision(
    as_person: AsPerson, village: Village, asha: TestPhone, second: TestPhone
) -> None:
    seizure = new_id()
    early = edit(second, seizure, [], seized_at="2026-11-30T04:00:00.000Z")
    create = asha.pen.seizure(seizure)
    other = edit(asha, seizure, [create["op"]], seized_at="2026-11-30T05:20:00.000Z")
    assert [one["status"] for one in asha.push(create, other)] == ["conflict", "conflict"]
    decide(as_person, village, ("seizure", seizure, "seized_at"), "2026-11-30T05:15:00.000Z")
    assert shown(as_person, seizure)["reviews"] == []

    second.push(early)

    told = shown(as_person, seizure)
    assert told["seized_at"] == "2026-11-30T05:15:00.000Z"
    assert "2026-11-30T04:00:00.000Z" in values(told)


def test_7_21_decision_by_op_counts_like_one_by_rest(
    app: Flask, as_person: AsPerson, village: Village, asha: TestPhone, second: TestPhone
) -> None:
    seizure, ops = disputed(asha, second)
    bina = phone_of(app, village["bina"])
    review = review_id(village.rjk, "seizure", seizure, "ground")

    result = bina.push(
        bina.pen.op(
            "seizure",
            seizure,
            set={"ground": "straying"},
            base={"ground": [one["op"] for one in ops[1:]]},
            decision={"review": review, "reason": "as on the photo"},
        )
    )[0]

    assert result["status"] == "applied"
    second.pull()
    (told,) = second.records["seizure", seizure]["reviews"]
    assert told["decided"]["decision"] == {"review": review, "reason": "as on the photo"}
    undecided = bina.pen.op("seizure", seizure, set={"ground": "trespass"})
    assert bina.push(undecided)[0]["code"] == "not-yours"


def test_deciding_officer_decides_like_a_reviewer(
    app: Flask, house: House, village: Village, asha: TestPhone, second: TestPhone
) -> None:
    seizure, ops = disputed(asha, second)
    officer = phone_of(app, add_persona(house.database, village.rjk, "usha", role="decider"))
    review = review_id(village.rjk, "seizure", seizure, "ground")
    decided = edit(officer, seizure, [one["op"] for one in ops[1:]], ground="straying")
    decided["decision"] = {"review": review, "reason": "as on the photo"}

    assert officer.push(decided)[0]["status"] == "applied"

    asha.pull()
    (told,) = asha.records["seizure", seizure]["reviews"]
    assert (told["state"], told["decided"]["v"]) == ("decided", "straying")


@pytest.mark.parametrize("is_created_before", [True, False])
def test_nobody_decides_between_values_of_their_own(
    house: House, village: Village, asha: TestPhone, second: TestPhone, *, is_created_before: bool
) -> None:
    boss, name = operator(village.rjk), village["asha"].person_id
    house.database.transact(
        lambda unit: people.grant(unit, boss, Grant("reviewer"), person_id=name)
    )
    seizure, create = new_id(), asha.pen.seizure(new_id())
    create["id"] = seizure
    one = edit(asha, seizure, [create["op"]], ground="straying")
    other = edit(second, seizure, [create["op"]], ground="trespass_with_damage")
    mine = edit(asha, seizure, [one["op"], other["op"]], ground="straying")
    review = review_id(village.rjk, "seizure", seizure, "ground")
    mine["decision"] = {"review": review, "reason": "mine is right"}
    ops = [(asha, create), (asha, one), (second, other), (asha, mine)]

    for phone, op in ops if is_created_before else reversed(ops):
        phone.push(op)

    assert asha.push(mine)[0]["code"] == "not-yours"
    asha.pull()
    (told,) = asha.records["seizure", seizure]["reviews"]
    assert told["state"] == "open"


@pytest.mark.parametrize("is_itself", [True, False])
def test_7_23_cyclic_and_dishonest_bases_empty_no_field(
    as_person: AsPerson, asha: TestPhone, second: TestPhone, *, is_itself: bool
) -> None:
    seizure = new_id()
    create = asha.pen.seizure(seizure)
    one = edit(asha, seizure, [create["op"]], ground="straying")
    other = edit(second, seizure, [create["op"], one["op"]], ground="trespass_with_damage")
    named = one["op"] if is_itself else other["op"]
    one["base"]["ground"].append(named)

    for phone, op in ((asha, create), (second, other), (asha, one)):
        assert phone.push(op)[0]["status"] in {"applied", "conflict"}

    assert shown(as_person, seizure)["ground"] in {"straying", "trespass_with_damage"}


def test_7_25_two_contents_under_one_key_are_both_kept(
    as_person: AsPerson, asha: TestPhone
) -> None:
    seizure = new_id()
    near = {**FIELD, "accuracy_m": 3}
    ops = [asha.pen.op("seizure", seizure, base={}, add={"fixes": [fix]}) for fix in (FIELD, near)]
    asha.push(asha.pen.seizure(seizure), *ops)

    asha.pull()
    record = asha.records["seizure", seizure]
    assert record["record"]["fixes"] == [near]
    assert [one["op"] for one in record["stamps"]["fixes"]] == [one["op"] for one in ops]


def test_7_25_strike_of_one_who_did_not_see_a_later_add_leaves_it_shown(
    as_person: AsPerson, asha: TestPhone, second: TestPhone
) -> None:
    seizure, lot = new_id(), new_id()
    tag = "340123456789"
    first = asha.pen.op("animal", lot, base={}, add={"ear_tags": [tag]})
    again = second.pen.op("animal", lot, base={}, add={"ear_tags": [tag]})
    gone = {"key": tag, "ops": [first["op"]], "reason": "misread"}
    asha.push(
        asha.pen.seizure(seizure),
        asha.pen.animal(lot, seizure, "cow", 1),
        first,
        asha.pen.op("animal", lot, base={}, strike={"ear_tags": [gone]}),
    )
    asha.pull()
    before = asha.records["animal", lot]["record"]

    second.push(again)
    asha.pull()

    assert (before["ear_tags"], before["struck"]) == ([], {"ear_tags": [tag]})
    assert asha.shown("animal", lot)["ear_tags"] == [tag]


def test_7_27_better_fix_goes_beside_the_first_place(as_person: AsPerson, asha: TestPhone) -> None:
    seizure = new_id()
    better = {**FIELD, "lat": 22.3040, "accuracy_m": 3, "fixed_at": "2026-11-30T05:10:30.000Z"}

    asha.push(
        asha.pen.seizure(seizure),
        asha.pen.op("seizure", seizure, base={}, add={"fixes": [better]}),
    )

    told = shown(as_person, seizure)
    assert (told["location"], told["fixes"], told["reviews"]) == (FIELD, [better], [])


@pytest.mark.parametrize("order", ORDERS)
def test_7_28_values_of_a_copied_phone_are_both_heads(
    as_person: AsPerson, asha: TestPhone, order: tuple[int, ...]
) -> None:
    seizure = new_id()
    asha.push(asha.pen.seizure(seizure))
    first = edit(asha, seizure, [], survey_no="4", capacity="watch_and_ward")
    one = edit(asha, seizure, [first["op"]], capacity="cultivator")
    other = edit(asha, seizure, [first["op"]], capacity="police")
    ops = (first, one, other)

    for at in order:
        asha.push(ops[at])

    told = shown(as_person, seizure)
    assert {"cultivator", "police"} <= set(values(told))


def counted(app: Flask, village: Village, asha: TestPhone) -> tuple[str, list[Body], TestPhone]:
    """Let an officer count five, and the keeper nine having seen that."""
    mohan = phone_of(app, village["mohan"])
    seizure, lot = new_id(), new_id()
    asha.push(asha.pen.seizure(seizure, pound_id=village.pound_id))
    five = asha.pen.animal(lot, seizure, "buffalo", 5)
    nine = mohan.pen.op("animal", lot, set={"count": 9}, base={"count": [five["op"]]})
    return lot, [five, nine], mohan


def test_7_29_officers_five_and_keepers_nine_stand_until_a_decision_and_reopen(
    app: Flask, village: Village, as_person: AsPerson, asha: TestPhone
) -> None:
    lot, (five, nine), mohan = counted(app, village, asha)
    asha.push(five)
    assert mohan.push(nine)[0]["status"] == "conflict"
    decide(as_person, village, ("animal", lot, "count"), 9)

    late = asha.pen.op("animal", lot, set={"count": 6}, base={"count": [five["op"]]})
    result = asha.push(late)[0]

    assert (result["status"], result["fields"]["count"]["shown"]) == ("conflict", 9)


def test_7_29_keepers_nine_that_comes_first_stands_beside_the_five(
    app: Flask, village: Village, asha: TestPhone
) -> None:
    lot, (five, nine), mohan = counted(app, village, asha)

    statuses = [mohan.push(nine)[0]["status"], asha.push(five)[0]["status"]]

    assert statuses == ["applied", "conflict"]
    asha.pull()
    (review,) = asha.records["animal", lot]["reviews"]
    assert sorted(head["v"] for head in review["heads"]) == [5, 9]


def test_7_29_count_of_a_keeper_elsewhere_is_held_once_the_lot_is_known(
    app: Flask, village: Village, asha: TestPhone
) -> None:
    mohan = phone_of(app, village["mohan"])
    seizure, lot = new_id(), new_id()
    nine = mohan.pen.op("animal", lot, set={"count": 9}, base={"count": []})
    assert mohan.push(nine)[0]["status"] == "applied"

    asha.push(
        asha.pen.seizure(seizure, pound_id=village.other_pound_id),
        asha.pen.animal(lot, seizure, "buffalo", 5),
    )

    asha.pull()
    assert asha.shown("animal", lot)["count"] == 5
    assert mohan.push(nine)[0]["code"] == "not-yours"


def test_7_29_keeper_first_then_report_and_lot_together(
    app: Flask, village: Village, asha: TestPhone
) -> None:
    mohan = phone_of(app, village["mohan"])
    seizure, lot = new_id(), new_id()
    mohan.push(mohan.pen.op("animal", lot, set={"count": 9}, base={"count": []}))

    results = asha.push(
        asha.pen.seizure(seizure, pound_id=village.pound_id),
        asha.pen.animal(lot, seizure, "buffalo", 5),
    )

    assert results[1]["status"] == "conflict"


@pytest.mark.parametrize("order", ORDERS)
def test_7_29_own_new_value_that_equals_the_other_closes_the_review(
    app: Flask, village: Village, as_person: AsPerson, asha: TestPhone, order: tuple[int, ...]
) -> None:
    lot, (five, nine), mohan = counted(app, village, asha)
    asha.push(five)
    same = asha.pen.op("animal", lot, set={"count": 9}, base={"count": [five["op"]]})
    made = [(asha, five), (mohan, nine), (asha, same)]

    for at in order:
        made[at][0].push(made[at][1])

    asha.pull()
    record = asha.records["animal", lot]
    assert (record["record"]["count"], record["reviews"]) == (9, [])
