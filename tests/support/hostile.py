"""Ops as a broken or hostile phone sends them: whole ones bent by chance, drawn from a seed."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from fieldapi.ids import new_id
from tests.support.reports import Body, Pen

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 9.5, -0.0, 1e308, 5e-324, 2**31, 2**53 - 1, 1 - 2**53),
    *("", " ", "a" * 300, "\u202e", "\ufeff", "e\u0301", "\U0001f42e", "'; drop table op; --"),
    *("../../x", "*", "withdrawn", "00000000-0000-0000-0000-000000000000"),
    *("9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00Z"),
    *([], {}, [[]], [None], [{}], {"": ""}, {"a": {"b": {"c": 1}}}, ["x"] * 50),
)
_MEMBERS = (
    *("op", "kind", "id", "by", "t", "at", "n", "new", "set", "base", "add", "strike", "retract"),
    *("decision", "fixes", "salt", "schema", "authority", "head", "seen", "jws", "extra"),
)
_FIELDS = (
    *("count", "kind", "owner.mobile", "location", "seized_at", "pound_id", "ear_tags", "fixes"),
    *("witnesses", "persons", "withdrawn", "*", "state", "flags", "", "a b", "sha256", "counts"),
    *("received_at", "seizure_id", "x" * 200),
)
_PARTS = ("set", "base", "add", "strike")


def report(pen: Pen, seizure: str, pound_id: str) -> list[Body]:
    """Return ops of every kind around one seizure."""
    values: dict[str, Body] = {
        "photo": {"seizure_id": seizure, "sha256": "ab" * 32, "size": 5, "source": "camera"},
        "intake": {"seizure_id": seizure, "pound_id": pound_id, "counts": []},
        "aid": {"ground": "resistance", "rendered": True},
    }
    whole = [pen.op(kind, new_id(), new=True, set=said) for kind, said in values.items()]
    edit = pen.op("seizure", seizure, set={"remarks": "by the road"})
    return [pen.seizure(seizure), pen.animal(new_id(), seizure, "cow", 2), edit, *whole]


def bent(rng: random.Random, op: Body) -> Body:
    """Return the op with one to three of its parts bent."""
    op = copy.deepcopy(op)
    for _ in range(rng.randint(1, 3)):
        rng.choice(_WAYS)(rng, op)
    return op


def _other_member(rng: random.Random, op: Body) -> None:
    op[rng.choice(_MEMBERS)] = rng.choice(ODD)


def _other_field(rng: random.Random, op: Body) -> None:
    name = rng.choice(_PARTS)
    part = op.get(name)
    strike = {"key": rng.choice(ODD), "ops": rng.choice(ODD), "reason": rng.choice(ODD)}
    value = rng.choice([rng.choice(ODD), [rng.choice(ODD)], strike, [strike]])
    op[name] = {**(part if isinstance(part, dict) else {}), rng.choice(_FIELDS): value}


def _less(rng: random.Random, op: Body) -> None:
    if op:
        del op[rng.choice([*op])]


def _retract(rng: random.Random, op: Body) -> None:
    op["retract"] = rng.choice([False, True, {}, {"reason": rng.choice(ODD)}])


def _decide(rng: random.Random, op: Body) -> None:
    op["decision"] = {"review": rng.choice([new_id(), rng.choice(ODD)]), "reason": rng.choice(ODD)}


_WAYS: tuple[Callable[[random.Random, Body], None], ...] = (
    *[_other_member] * 3,
    *[_other_field] * 4,
    *(_less, _retract, _decide),
)


def envelope(rng: random.Random, authority_id: str) -> Body:
    """Return members of an envelope, most often none, that no app would send."""
    name = rng.choice(("schema", "device_now", "limit", "cursor", "protocol", "tree_heads", "more"))
    if name == "tree_heads":
        said = {one: rng.choice(ODD) for one in ("epoch", "size", "root")}
        return {name: [{"authority": authority_id, **said}]}
    return {name: rng.choice(ODD)} if rng.random() < 0.3 else {}
