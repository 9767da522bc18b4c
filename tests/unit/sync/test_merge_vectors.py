"""The merge rules as data: our own vectors, and those that MERGE_VECTORS names, in many orders."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from itertools import islice, permutations

import pytest

from fieldapi.domain.records import merge_kind
from sync.merge import Kind, State, apply, fold, view
from sync.op import Op
from sync.spelling import spelled
from tests.unit.sync.vectors import Vector, expected, found, kinds, merge_vectors, read, shared

OWN = read("merge.json")
CASES = [(kinds(OWN)[one.kind], one) for one in merge_vectors(OWN)]
SHARED = [(merge_kind(one.kind), one) for one in shared()]
ALL = [pytest.param(kind, one, id=one.name) for kind, one in CASES + SHARED]
RANDOM_ORDERS = 30


def orders(ops: Sequence[Op]) -> Iterator[Sequence[Op]]:
    """Every order of few ops; of more: forward, reverse and many drawn ones."""
    if len(ops) <= 4:
        yield from permutations(ops)
        return
    drawn = random.Random(len(ops))
    yield from (ops, ops[::-1])
    yield from (drawn.sample(ops, len(ops)) for _ in range(RANDOM_ORDERS))


def one_by_one(kind: Kind, ops: Sequence[Op]) -> State:
    """Apply op by op, saved and read back between any two, as a server does."""
    state = State()
    for count, op in enumerate(ops, 1):
        carried = apply(kind, State.loads(state.dumps()), op)
        folded = fold(kind, ops[:count])
        assert carried is None or carried == folded
        state = folded if carried is None else carried
    return state


@pytest.mark.parametrize("kind,vector", ALL)
def test_a_vector_folds_to_what_it_expects_in_every_order(kind: Kind, vector: Vector) -> None:
    for order in orders(vector.ops):
        shown = view(kind, fold(kind, order), author=vector.author)
        assert found(kind, shown) == expected(vector)


@pytest.mark.parametrize("kind,vector", ALL)
def test_a_vector_applied_op_by_op_is_the_fold(kind: Kind, vector: Vector) -> None:
    for order in islice(orders(vector.ops), RANDOM_ORDERS):
        shown = view(kind, one_by_one(kind, order), author=vector.author)
        assert found(kind, shown) == expected(vector)


@pytest.mark.parametrize("kind,vector", ALL)
def test_a_vector_is_spelled_as_it_is_viewed(kind: Kind, vector: Vector) -> None:
    for count in range(len(vector.ops) + 1):
        state = fold(kind, vector.ops[:count])
        shown = view(kind, state, author=vector.author)
        reviews = [review.as_json("RJK", kind.name, "id") for review in shown.reviews]
        told = spelled(kind, state.dumps(), author=vector.author, record=("RJK", "id"))
        assert [*map(json.loads, told)] == [shown.stamps, shown.struck, reviews]


def test_our_vectors_cover_every_class_and_rule() -> None:
    rules = {case["rule"] for case in OWN["vectors"]}
    assert rules >= {"evidence", "register", "compete", "latest", "set", "server", "nobase"}
    assert rules >= {"cycle", "clone", "identity", "retract", "parked", "erased"}
