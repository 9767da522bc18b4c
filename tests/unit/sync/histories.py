"""Draws small histories of one record, honest and dishonest ones, for the property tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

from sync.merge import Field, Kind
from sync.op import Decision, Op, Strike
from sync.wire import JSON

T = TypeVar("T")
RECORD = "01900000-0000-7000-8000-00000000cafe"
PEOPLE = {"a": "a", "c": "a", "b": "b", "d": "d", "e": "e"}  # a and c: two phones of one person
REVIEWER = "e"
KIND = Kind(
    "report",
    {
        "proof": Field("proof", "evidence"),
        "status": Field("status", "register"),
        "tally": Field("tally", "register", competes=True),
        "note": Field("note", "latest"),
        "labels": Field("labels", "set"),
        "people": Field("people", "set", key="id"),
        "state": Field("state", "server"),
    },
)
AUTHOR = f"01900000-0000-7000-9000-{'a' * 12}"
VALUES: list[JSON] = ["x", "y", "z", None, 1, 1.0, True, "\u00e9", "e\u0301"]
FIELDS = ["proof", "status", "tally", "note", "state"]
ELEMENTS: dict[str, list[JSON]] = {
    "labels": ["p", "q"],
    "people": [{"id": "k", "name": "M"}, {"id": "k", "name": "N"}, {"id": "l"}],
}


def op_id(number: int) -> str:
    """Return the id of op number 0..15: few, so that actors and bases meet."""
    return f"01900000-0000-7000-8000-{number:012x}"


def name_of(actor: str) -> str:
    """Return the 16 digits of a phone."""
    return actor * 16


def histories(*, most: int) -> st.SearchStrategy[Sequence[Op]]:
    """Draw the ops of a record, each identity once. Made from a seed: drawing every part apart
    costs a hundred times what is tested; a failing history still shrinks in length.
    """
    return st.builds(history, st.integers(0, 2**40), st.integers(1, most))


def history(seed: int, size: int) -> Sequence[Op]:
    """Return a history; that of a greater size begins with it."""
    dice = Random(seed)
    made = [_op(dice) for _ in range(size)]
    return list({op.key: op for op in made}.values())


def _op(dice: Random) -> Op:
    """Make one op; its base names anything, itself and what never comes included."""
    actor = dice.choice(sorted(PEOPLE))
    second = dice.randrange(6)
    fields = dice.sample(FIELDS, dice.randrange(3))
    erased = frozenset(_some(dice, [*fields, "labels", "people"], 0.15))
    is_decision = actor == REVIEWER and dice.random() < 0.5
    return Op(
        id=op_id(dice.randrange(6)),
        actor=name_of(actor),
        kind="report",
        record=RECORD,
        by=f"01900000-0000-7000-9000-{PEOPLE[actor] * 12}",
        stamp=f"{second:012x}-0000-{name_of(actor)}",
        at=second * 1000,
        set={name: None if name in erased else dice.choice(VALUES) for name in fields},
        base={name: _base(dice) for name in [*fields, *_some(dice, ["withdrawn", "*"], 0.5)]},
        add={name: tuple(_some(dice, ELEMENTS[name], 0.5)) for name in _some(dice, ELEMENTS, 0.3)},
        strike={name: (_strike(dice),) for name in _some(dice, ELEMENTS, 0.2)},
        retract=dice.choice([None, None, None, False, {"reason": "twice"}]),
        decision=Decision(op_id(9), "seen") if is_decision else None,
        effective=dice.randrange(6) * 1000,
        is_decision=is_decision,
        nobase=dice.random() < 0.2,
        parked=frozenset(_some(dice, [*fields, "labels"], 0.1)),
        erased=erased,
        beside=frozenset(_some(dice, fields, 0.1)),
    )


def _some(dice: Random, names: Iterable[T], share: float) -> list[T]:
    return [name for name in names if dice.random() < share]


def _base(dice: Random) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_named(dice) for _ in range(dice.randrange(4))))


def _named(dice: Random) -> str:
    plain = op_id(dice.randrange(7))
    return f"{name_of(dice.choice(sorted(PEOPLE)))}/{plain}" if dice.random() < 0.3 else plain


def _strike(dice: Random) -> Strike:
    return Strike(dice.choice(["p", "q", "k"]), _base(dice))
