"""An op is read part by part: a bad part parks its field, only a nameless op is refused whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from sync.op import Decision, OpInvalid, Strike, build_op, is_op_id, parse_op
from sync.wire import JSON

ONE = "01900000-0000-7000-8000-0000000000a1"
TWO = "01900000-0000-7000-8000-0000000000a2"
ACTOR = "a" * 16
MINIMAL: dict[str, JSON] = {
    "op": ONE,
    "kind": "report",
    "id": TWO,
    "by": TWO,
    "t": f"018bcfe56800-0000-{ACTOR}",
    "at": 1_700_000_000_000,
}
FULL: dict[str, JSON] = {
    **MINIMAL,
    "n": 7,
    "new": True,
    "set": {"tally": 9, "note": None},
    "base": {"tally": [ONE, f"{ACTOR}/{TWO}"], "note": [], "withdrawn": [], "*": [ONE]},
    "add": {"labels": ["x", {"id": "k"}]},
    "strike": {
        "labels": [{"key": "y", "ops": [ONE], "reason": "misread"}, {"key": None, "ops": []}]
    },
    "retract": {"reason": "twice"},
    "decision": {"review": TWO, "reason": "compared"},
    "fixes": TWO,
    "salt": "AAAAAAAAAAAAAAAAAAAAAA",
    "schema": 2,
    "authority": ONE,
    "head": {"size": 3, "root": "00"},
    "seen": "opaque",
}


def test_every_part_is_read() -> None:
    op = parse_op(FULL)
    assert (op.id, op.record, op.actor, op.key) == (ONE, TWO, ACTOR, f"{ACTOR}/{ONE}")
    assert op.base["tally"] == (ONE, f"{ACTOR}/{TWO}")
    assert op.strike["labels"] == (Strike("y", (ONE,), "misread"), Strike(None, ()))
    assert op.decision == Decision(TWO, "compared")
    assert op.fields == {"tally", "note", "labels", "withdrawn"}
    assert op.is_new
    assert op.withdraws
    assert op.effective == op.at
    assert not op.faults


@pytest.mark.parametrize("wire", [MINIMAL, FULL, {**MINIMAL, "retract": False}])
def test_an_op_is_built_as_it_was_read(wire: dict[str, JSON]) -> None:
    assert build_op(parse_op(wire)) == wire


def test_a_decision_and_a_strike_may_give_no_reason() -> None:
    bare: dict[str, JSON] = {"decision": {"review": ONE}, "strike": {"x": [{"key": 1, "ops": []}]}}
    assert build_op(parse_op({**MINIMAL, **bare})) == {**MINIMAL, **bare}


def test_what_only_the_server_may_say_is_not_read() -> None:
    claims: Mapping[str, JSON] = {"nobase": True, "is_decision": True, "role": "reviewer", "e": 1}
    op = parse_op({**MINIMAL, **claims, "erased": ["x"], "parked": ["x"], "beside": ["x"]})
    assert op == parse_op(MINIMAL)


WHOLE: list[tuple[JSON, str, str | None]] = [
    ([], "invalid-json", None),
    (None, "invalid-json", None),
    ({**MINIMAL, "op": "1"}, "bad-id", "op"),
    ({**MINIMAL, "op": ONE.upper()}, "bad-id", "op"),
    ({**MINIMAL, "id": None}, "bad-id", "id"),
    ({**MINIMAL, "by": 5}, "bad-id", "by"),
    ({**MINIMAL, "t": "now"}, "bad-id", "t"),
    ({**MINIMAL, "kind": 3}, "unknown-kind", "kind"),
    ({**MINIMAL, "at": "now"}, "invalid-json", "at"),
    ({**MINIMAL, "at": True}, "invalid-json", "at"),
    ({**MINIMAL, "at": 1.5}, "invalid-json", "at"),
    ({**MINIMAL, "at": 1e300}, "invalid-json", "at"),
    ({**MINIMAL, "set": [1]}, "invalid-json", "set"),
    ({**MINIMAL, "base": "x"}, "invalid-json", "base"),
    ({**MINIMAL, "decision": True}, "invalid-json", "decision"),
    ({**MINIMAL, "decision": {"review": "x"}}, "bad-id", "review"),
    ({**MINIMAL, "fixes": "x"}, "bad-id", "fixes"),
]


@pytest.mark.parametrize("wire,code,field", WHOLE)
def test_an_op_without_name_or_shape_is_refused(wire: JSON, code: str, field: str | None) -> None:
    with pytest.raises(OpInvalid) as refused:
        parse_op(wire)
    assert (refused.value.code, refused.value.field) == (code, field)
    assert refused.value.detail


PARTS: list[tuple[dict[str, Any], str]] = [
    ({"base": {"note": "x"}}, "note"),
    ({"base": {"note": ["x"]}}, "note"),
    ({"base": {"note": [None]}}, "note"),
    ({"base": {"*": ["x"]}}, "withdrawn"),
    ({"add": {"labels": "x"}}, "labels"),
    ({"strike": {"labels": ["x"]}}, "labels"),
    ({"strike": {"labels": [{"ops": [ONE]}]}}, "labels"),
    ({"strike": {"labels": [{"key": "x", "ops": ["y"]}]}}, "labels"),
    ({"strike": {"labels": [{"key": "x"}]}}, "labels"),
    ({"retract": True}, "withdrawn"),
    ({"retract": "twice"}, "withdrawn"),
]


@pytest.mark.parametrize("part,field", PARTS)
def test_a_bad_part_parks_its_field_and_no_other(part: dict[str, Any], field: str) -> None:
    op = parse_op({**MINIMAL, "set": {"tally": 9}, **part})
    assert op.faults == {field: "invalid-value"}
    assert op.parked == {field}
    assert field in op.fields
    assert op.values() == [("tally", 9)]


def test_what_is_only_told_besides_is_dropped_if_it_has_no_shape() -> None:
    odd: dict[str, JSON] = {"n": "x", "salt": "short", "schema": 1.5, "authority": "x", "head": 3}
    assert parse_op({**MINIMAL, **odd, "seen": 5, "new": 1}) == parse_op(MINIMAL)


def test_whole_numbers_may_be_written_with_a_point() -> None:
    assert parse_op({**MINIMAL, "at": 5.0, "n": 3.0}).at == 5


def test_fields_without_base_are_told_apart() -> None:
    op = parse_op({**MINIMAL, "set": {"a": 1, "b": 2}, "base": {"a": []}, "retract": False})
    assert op.unbased == {"b", "withdrawn"}
    assert replace(op, parked=frozenset({"b"})).unbased == {"withdrawn"}
    assert parse_op(MINIMAL).unbased == frozenset()


def test_values_leave_out_what_is_parked_and_empty_what_is_erased() -> None:
    op = replace(
        parse_op({**MINIMAL, "set": {"a": 1, "b": 2, "c": 3}, "retract": {"reason": None}}),
        parked=frozenset({"a"}),
        erased=frozenset({"b", "withdrawn"}),
    )
    assert op.values() == [("b", None), ("c", 3), ("withdrawn", {"reason": None})]
    assert replace(op, parked=frozenset({"withdrawn"})).withdraws is False


def test_withdrawn_is_no_field_to_set() -> None:
    assert parse_op({**MINIMAL, "set": {"withdrawn": False}}).values() == []


def test_an_id_has_one_spelling() -> None:
    assert is_op_id(ONE)
    assert not any(map(is_op_id, [ONE.upper(), ONE[:-1], "{" + ONE + "}", None, 5, ONE + "\n"]))
