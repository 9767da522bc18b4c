"""What the merge promises of every history, drawn ones with dishonest bases and clones included."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from sync.merge import State, apply, fold, view
from sync.op import Op
from tests.unit.sync import oracle
from tests.unit.sync.histories import AUTHOR, KIND, histories, op_id


def carry(ops: Sequence[Op]) -> State:
    """Apply one by one; where only the history can tell, fold it."""
    state = State()
    for count, op in enumerate(ops, 1):
        state = apply(KIND, State.loads(state.dumps()), op) or fold(KIND, ops[:count])
    return state


@settings(max_examples=400)
@given(histories(most=4))
def test_every_order_of_arrival_folds_to_one_state(ops: Sequence[Op]) -> None:
    first = fold(KIND, ops)
    shown = view(KIND, first, author=AUTHOR)
    for order in permutations(ops):
        state = fold(KIND, order)
        assert state == first
        assert view(KIND, state, author=AUTHOR).shown == shown.shown


@settings(max_examples=1000)
@given(histories(most=7))
def test_op_by_op_is_the_fold(ops: Sequence[Op]) -> None:
    carried, folded = carry(ops), fold(KIND, ops)
    one, other = (view(KIND, state, author=AUTHOR) for state in (carried, folded))
    assert carried == folded
    assert (one.shown, one.struck, one.erased) == (other.shown, other.struck, other.erased)
    assert {r.field for r in one.open_reviews} == {r.field for r in other.open_reviews}


@settings(max_examples=1000)
@given(histories(most=7))
def test_the_fold_agrees_with_the_rules_spelled_plainly(ops: Sequence[Op]) -> None:
    state = fold(KIND, ops)
    found = {
        name: sorted(state.sources[at].key for at, _ in entries)
        for name, entries in state.heads.items()
    }
    assert found == oracle.heads(KIND, ops)


@settings(max_examples=1000)
@given(histories(most=7))
def test_shown_heads_and_reviews_are_those_of_the_plain_rules(ops: Sequence[Op]) -> None:
    seen = view(KIND, fold(KIND, ops), author=AUTHOR)
    by_key = {op.key: op for op in ops}
    chosen = oracle.shown(KIND, ops, AUTHOR)
    assert {name: seen.shown[name] for name in chosen} == {
        name: by_key[key].set[name] for name, key in chosen.items()
    }
    assert seen.erased == {name for name, key in chosen.items() if name in by_key[key].erased}
    open_fields = {review.field for review in seen.open_reviews} - {"withdrawn"}
    assert open_fields == oracle.open_fields(KIND, ops)


@settings(max_examples=200)
@given(histories(most=6))
def test_a_retract_and_what_it_did_not_know_open_a_review(ops: Sequence[Op]) -> None:
    shown = view(KIND, fold(KIND, ops), author=AUTHOR)
    values = {head.v is not False for head in shown.heads("withdrawn")}
    is_open = "withdrawn" in {review.field for review in shown.open_reviews}
    assert is_open == (len(values) == 2 or oracle.is_blind(KIND, ops))


@settings(max_examples=200)
@given(histories(most=6))
def test_no_field_ever_empties(ops: Sequence[Op]) -> None:
    shown = view(KIND, fold(KIND, ops), author=AUTHOR)
    for op in ops:
        for name, _ in op.values():
            if name in KIND.headed:
                assert shown.heads(name)
                assert name in shown.shown


@settings(max_examples=100)
@given(histories(most=5), st.integers(0, 4))
def test_an_op_told_twice_changes_nothing(ops: Sequence[Op], which: int) -> None:
    again = ops[which % len(ops)]
    state = fold(KIND, ops)
    assert fold(KIND, [*ops, again]) == state
    assert apply(KIND, state, again) is state


@settings(max_examples=100)
@given(histories(most=5))
def test_a_view_and_a_saved_state_are_plain_json(ops: Sequence[Op]) -> None:
    state = fold(KIND, ops)
    shown = view(KIND, state, author=AUTHOR)
    reviews = [review.as_json("a", "report", "r") for review in shown.reviews]
    assert json.loads(json.dumps([shown.shown, shown.struck, shown.stamps, reviews]))
    assert State.loads(state.dumps()) == state


@given(st.sampled_from(["status", "tally"]), st.permutations(range(3)))
def test_saying_what_the_other_said_closes_the_review(name: str, order: Sequence[int]) -> None:
    mine, theirs = _said(1, "a", name, "x"), _said(2, "b", name, "y")
    agreeing = replace(_said(3, "a", name, "y"), base={name: (mine.id,)})
    ops = [mine, theirs, agreeing]
    shown = view(KIND, fold(KIND, [ops[at] for at in order]), author=AUTHOR)
    assert view(KIND, fold(KIND, ops[:2]), author=AUTHOR).open_reviews
    assert not shown.open_reviews
    assert [head.op for head in shown.heads(name)] == [theirs.id, agreeing.id]


def _said(number: int, actor: str, name: str, value: str) -> Op:
    return Op(
        id=op_id(number),
        actor=actor * 16,
        kind="report",
        record=op_id(0),
        by=f"01900000-0000-7000-9000-{actor * 12}",
        stamp=f"{number:012x}-0000-{actor * 16}",
        at=number,
        set={name: value},
        base={name: ()},
        effective=number,
    )
