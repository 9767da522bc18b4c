"""What a record shows beside its values: stamps ready for a base, reviews with their heads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from sync.merge import (
    Field,
    Kind,
    State,
    StateInvalid,
    apply,
    fold,
    review_id,
    stood_beside,
    view,
)
from sync.op import Decision, Op, Strike
from sync.spelling import spelled
from sync.wire import JSON
from tests.unit.sync.histories import KIND, RECORD, op_id

REVIEW = op_id(9)


def told(number: int, actor: str, base: Sequence[str] = (), **values: JSON) -> Op:
    """An op of second `number` that sets some fields, each over the same base."""
    return Op(
        id=op_id(number),
        actor=actor * 16,
        kind="report",
        record=RECORD,
        by=f"01900000-0000-7000-9000-{actor * 12}",
        stamp=f"{number * 1000:012x}-0000-{actor * 16}",
        at=number * 1000,
        set=values,
        base=dict.fromkeys(values, tuple(base)),
        effective=number * 1000,
    )


def decided(op: Op, reason: str | None) -> Op:
    """The same op by a reviewer."""
    return replace(op, is_decision=True, decision=Decision(REVIEW, reason))


def test_stamps_name_every_head_ready_for_a_base() -> None:
    one = told(1, "a", status="x")
    two = replace(told(2, "b"), add={"people": ({"id": "k"},)})
    shown = view(KIND, fold(KIND, [one, two]))
    assert shown.stamps["status"] == [{"op": one.id, "t": one.stamp, "e": 1000}]
    assert shown.stamps["people"] == [{"op": two.id, "t": two.stamp, "e": 2000, "key": "k"}]


def test_two_actors_of_one_id_are_named_apart() -> None:
    one, two, three = told(1, "a", note="x"), told(1, "b", note="y"), told(2, "d", status="z")
    shown = view(KIND, fold(KIND, [one, two, three]))
    assert [mark["op"] for mark in shown.stamps["note"]] == [one.key, two.key]
    assert [mark["op"] for mark in shown.stamps["status"]] == [three.id]


def test_an_open_review_lists_each_head_with_its_author() -> None:
    one, two = told(1, "a", status="x"), replace(told(2, "b", status="y"), received=5)
    shown = view(KIND, fold(KIND, [one, two]))
    assert [review.as_json("RJK", "report", RECORD) for review in shown.reviews] == [
        {
            "id": review_id("RJK", "report", RECORD, "status"),
            "field": "status",
            "state": "open",
            "heads": [
                {"v": "x", "op": one.id, "t": one.stamp, "e": 1000, "by": one.by},
                {
                    "v": "y",
                    "op": two.id,
                    "t": two.stamp,
                    "e": 2000,
                    "by": two.by,
                    "received_at": "1970-01-01T00:00:00.005Z",
                },
            ],
        }
    ]


def test_a_decided_review_carries_the_decision_and_its_reason() -> None:
    one = told(1, "a", status="x")
    final = decided(told(2, "e", [one.id], status="y"), "seen on site")
    (review,) = view(KIND, fold(KIND, [one, final])).reviews
    said = review.as_json("RJK", "report", RECORD)
    assert (review.is_open, said["state"]) == (False, "decided")
    assert review.decided is not None
    assert review.decided.decision == {"review": REVIEW, "reason": "seen on site"}
    assert said["decided"] == review.heads[0].as_json()


def test_a_reopened_review_keeps_its_id_and_the_decision() -> None:
    one = told(1, "a", status="x")
    final = decided(told(2, "e", [one.id], status="y"), None)
    (review,) = view(KIND, fold(KIND, [one, final, told(3, "b", status="z")])).reviews
    assert review.state == "open"
    assert review.decided is not None
    assert review.decided.v == "y"


def test_a_decision_in_a_latest_field_makes_no_review() -> None:
    final = replace(told(1, "e", note="x"), is_decision=True)
    shown = view(KIND, fold(KIND, [final]))
    assert shown.reviews == []
    assert shown.heads("note")[0].decision == {}


def test_a_retract_is_shown_as_a_boolean_and_reviewed_with_its_reason() -> None:
    one = told(1, "a", note="x")
    retract = replace(told(2, "b"), retract={"reason": "twice"}, base={"*": ()})
    shown = view(KIND, fold(KIND, [one, retract]))
    assert (shown.is_withdrawn, shown.shown["withdrawn"]) == (True, True)
    assert shown.open_reviews[0].heads[0].v == {"reason": "twice"}
    assert "withdrawn" not in view(KIND, fold(KIND, [one])).shown


def test_an_erased_head_says_so_everywhere() -> None:
    gone = replace(told(1, "a", status=None), erased=frozenset({"status"}))
    final = replace(told(2, "e", [gone.id], status=None), is_decision=True, erased=gone.erased)
    for ops in ([gone], [final]):
        shown = view(KIND, fold(KIND, ops))
        assert (shown.shown["status"], shown.erased) == (None, {"status"})
        assert shown.stamps["status"][0]["erased"] is True
        assert shown.heads("status")[0].as_json()["erased"] is True


def test_an_erased_add_keeps_its_stamp_without_its_key() -> None:
    gone = replace(told(1, "a"), add={"people": ()}, erased=frozenset({"people"}))
    shown = view(KIND, fold(KIND, [gone]))
    assert shown.shown["people"] == []
    assert shown.stamps["people"] == [{"op": gone.id, "t": gone.stamp, "e": 1000, "erased": True}]


def test_a_parked_set_is_neither_added_to_nor_struck_from() -> None:
    one = replace(told(1, "a"), add={"labels": ("p",)})
    strike = {"labels": (Strike("p", (one.id,)),)}
    bad = replace(told(2, "a"), add={"labels": ("q",)}, strike=strike, parked=frozenset({"labels"}))
    assert view(KIND, fold(KIND, [one, bad])).shown["labels"] == ["p"]


def test_an_element_without_its_key_names_itself() -> None:
    odd = replace(told(1, "a"), add={"people": ({"name": "M"}, "N")})
    assert view(KIND, fold(KIND, [odd])).shown["people"] == ["N", {"name": "M"}]


def test_fields_that_a_kind_lost_are_not_shown() -> None:
    op = replace(told(1, "a", status="x", note="y", proof="z"), add={"labels": ("p",)})
    rival = told(2, "b", status="w")
    state = fold(KIND, [op, rival])
    less = Kind("report", {"proof": KIND.fields["proof"]})
    assert view(less, state).shown == {"proof": "z"}
    text = spelled(less, state.dumps(), author=None, record=("RJK", RECORD))
    assert json.loads(text.stamps) == view(less, state).stamps


def test_a_review_has_one_id_for_ever() -> None:
    found = review_id("a", "report", "r", "status")
    assert found == "3318ed2c-f8cf-5117-8ab3-e8ff6ff0fbdf"
    assert found != review_id("a", "report", "r", "note")


def test_a_state_of_another_format_is_refused() -> None:
    with pytest.raises(StateInvalid):
        State.loads('{"v":0,"o":[]}')
    with pytest.raises(StateInvalid):
        spelled(KIND, '{"v":0,"o":[]}', author=None, record=("RJK", RECORD))


def test_no_text_is_the_state_of_no_ops() -> None:
    assert State.loads("") == State.loads(State().dumps()) == fold(KIND, []) == State()
    assert view(KIND, State()).shown == {}
    assert spelled(KIND, "", author=None, record=("RJK", RECORD)) == ("{}", "{}", "[]")


def test_states_of_other_ops_differ() -> None:
    one, two = fold(KIND, [told(1, "a", note="x")]), fold(KIND, [told(1, "a", note="y")])
    assert one != two
    assert one != "a state"
    assert len({one, fold(KIND, [told(1, "a", note="x")])}) == 1


def test_a_kind_keeps_the_names_of_the_protocol_free() -> None:
    for name in ("withdrawn", "*"):
        with pytest.raises(ValueError, match="of its own"):
            Kind("report", {name: Field(name, "register")})
    with pytest.raises(ValueError, match="no field class"):
        Field("status", "counter")


def test_who_stood_beside_a_value_is_known_before_it_is_erased() -> None:
    ops = [told(1, "a", status="x"), told(1, "b", status="y")]
    ops.append(told(2, "d", [ops[0].key, ops[1].key], status="z"))
    assert stood_beside(KIND, ops, ops[0].key, name="status") == [ops[2].key]
    assert stood_beside(KIND, ops, ops[2].key, name="status") == []
    assert stood_beside(KIND, ops, ops[0].key, name="note") == []
    assert stood_beside(KIND, ops[:2], ops[0].key, name="status") == []


def test_an_erasure_leaves_the_heads_as_they_were() -> None:
    ops = [told(1, "a", status="x"), told(1, "b", status="y")]
    ops.append(told(2, "d", [ops[0].key, ops[1].key], status="z"))
    gone = replace(ops[0], set={"status": None}, erased=frozenset({"status"}))
    kept = replace(ops[2], beside=frozenset({"status"}))
    before, after = fold(KIND, ops), fold(KIND, [gone, ops[1], kept])
    heads = [[head.op for head in view(KIND, state).heads("status")] for state in (before, after)]
    assert heads[0] == heads[1]


def test_an_op_that_an_earlier_one_names_needs_the_history() -> None:
    first, second = told(1, "a", note="x"), told(2, "a", [op_id(1)], note="y")
    state = apply(KIND, State(), second)
    assert state is not None
    assert apply(KIND, state, first) is None
    assert apply(KIND, state, told(2, "b", note="z")) is None
    assert apply(KIND, state, second) is state
