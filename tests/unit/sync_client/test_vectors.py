"""The cases that the phone's Python and JavaScript share, run on the Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import sync.client
from sync.client.base import adds_of
from sync.client.capture import Edit, Part, Ticket, draft, parts
from sync.client.overlay import Screen, screen
from sync.client.pulled import read_pulled
from sync.client.record import NOTHING, Ground, Head, Own
from sync.client.schema import KindSchema
from sync.op import build_op, parse_op

FOLDER = Path(sync.client.__file__).parents[1] / "vectors"
RECORD = "00000000-0000-7000-8000-00000000beef"


def load(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((FOLDER / f"client-{name}.json").read_text())
    assert document["tag"] == "client"
    return document


def cases(name: str) -> Any:
    vectors = load(name)["vectors"]
    return pytest.mark.parametrize("case", vectors, ids=[case["name"] for case in vectors])


SCHEMA = KindSchema(frozenset(load("base")["schema"]["facts"]), load("base")["schema"]["sets"])
ACTOR = load("base")["actor"]


def ground_of(told: dict[str, Any]) -> Ground:
    pulled = told["pulled"]
    return Ground(
        read_pulled(pulled["seq"], pulled) if pulled else NOTHING,
        tuple(own_of(each) for each in told["own"]),
        {
            name: tuple(Head(head["op"], head["t"]) for head in heads)
            for name, heads in told.get("looked", {}).items()
        },
    )


def own_of(told: dict[str, Any]) -> Own:
    return Own(
        parse_op(told["op"]),
        status=told["status"],
        seq=told.get("seq"),
        is_past=told.get("past", False),
        code=told.get("code"),
        parked=frozenset(told.get("parked", ())),
    )


def edit_of(told: dict[str, Any]) -> Edit:
    return Edit(
        set=told.get("set", {}),
        add=told.get("add", {}),
        retract=told.get("retract"),
        is_new=told.get("new", False),
        fixes=told.get("fixes"),
    )


def said(part: Part, ground: Ground) -> dict[str, Any]:
    """Return what an op says, without what the moment of capture adds."""
    ticket = Ticket(
        op="00000000-0000-7000-8000-00000000a999",
        by="00000000-0000-7000-9000-aaaaaaaaaaaa",
        stamp=f"019ad408ffff-0000-{ACTOR}",
        at=0,
        n=1,
        salt=bytes(16),
    )
    op: dict[str, Any] = build_op(draft(part, "animal", RECORD, ground=ground, ticket=ticket))
    return {name: op[name] for name in op if name not in {"op", "kind", "id", "by", "t", "at", "n"}}


@cases("base")
def test_base_is_what_stood_on_the_screen(case: dict[str, Any]) -> None:
    ground, edit = ground_of(case["ground"]), case["edit"]
    if "strike" in edit:
        ((name, key),) = edit["strike"].items()
        named = adds_of(name, key, ground, key_of=SCHEMA.key_of)
        assert {name: sorted(named)} == in_order(case["expect"]["strike"])
        return

    (part,) = parts(edit_of(edit), SCHEMA)

    assert in_order(said(part, ground)["base"]) == in_order(case["expect"]["base"])


@cases("covered")
def test_covered_is_what_the_record_contains(case: dict[str, Any]) -> None:
    assert ground_of(case["ground"]).covered() == frozenset(case["expect"])


@cases("overlay")
def test_screen_is_the_record_under_ones_own_hand(case: dict[str, Any]) -> None:
    shown = screen("animal", RECORD, ground_of(case["ground"]), key_of=SCHEMA.key_of)

    assert as_told(shown) == case["expect"]


@cases("parts")
def test_edit_travels_in_facts_and_personal(case: dict[str, Any]) -> None:
    ops = [said(part, Ground()) for part in parts(edit_of(case["edit"]), SCHEMA)]

    for op in ops:
        op.pop("base", None)
        if "salt" in op:
            op["salt"] = len(op["salt"]) == 22
    assert ops == case["expect"]


def in_order(bases: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: sorted(ops) for name, ops in bases.items()}


def as_told(shown: Screen) -> dict[str, Any]:
    return {
        "shown": shown.shown,
        "struck": shown.struck,
        "withdrawn": shown.is_withdrawn,
        "waiting": list(shown.waiting),
        "aside": [
            {"op": each.op, "status": each.status, "code": each.code, "values": each.values}
            for each in shown.aside
        ],
        "newer": shown.newer,
    }
