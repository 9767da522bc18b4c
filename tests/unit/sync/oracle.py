"""The rules of merging, spelled plainly and slowly, pair by pair; the real fold must agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sync.merge import Field, Kind
from sync.op import Op
from sync.wire import JSON, equality_key

Heads = dict[str, list[str]]


def heads(kind: Kind, ops: Sequence[Op]) -> Heads:
    """Return the keys (`actor/op`) of the heads of every field that any op wrote."""
    found: Heads = {}
    for name, field in {**kind.fields, "withdrawn": Field("withdrawn", "register")}.items():
        if field.klass in {"evidence", "register", "latest"}:
            told = [op for op in ops if says(op, name) and name not in op.parked]
            gone = {old.key for new in told for old in told if replaces(new, old, field, told)}
            alive = [op.key for op in told if op.key not in gone]
            if told:
                found[name] = sorted(alive or [op.key for op in told])
    return found


def says(op: Op, name: str) -> bool:
    """Say whether an op has a value for a field."""
    return op.retract is not None if name == "withdrawn" else name in op.set


def value(op: Op, name: str) -> JSON:
    """Return that value; of a retract only that it is one."""
    return op.retract is not False if name == "withdrawn" else op.set[name]


def replaces(new: Op, old: Op, field: Field, told: Sequence[Op]) -> bool:
    """Say whether one op replaces another in a field."""
    name = field.name
    if not new.is_decision and (old.is_decision or field.klass == "evidence"):
        return False
    if not may_name(new, old, field):
        return False
    if new.nobase and old.actor == new.actor:
        return True  # of smaller stamp: `may_name` saw to it
    if not names(new, old, name):
        return False
    stands_beside = field.klass == "register" and not new.is_decision and old.actor != new.actor
    return not (stands_beside and differ(new, field, told))


def may_name(new: Op, old: Op, field: Field) -> bool:
    """Say whether a base entry that names `old` counts at all."""
    if new.key == old.key or (new.actor == old.actor and old.stamp >= new.stamp):
        return False
    return not field.competes or new.is_decision or new.by == old.by


def names(new: Op, old: Op, name: str) -> bool:
    """Say whether the base of `new` names `old`."""
    return bool({old.id, old.key} & set(new.base.get(name, ())))


def differ(new: Op, field: Field, told: Sequence[Op]) -> bool:
    """Say whether the other actors' ops that `new` names hold two values, or once did."""
    name = field.name
    others = [
        old
        for old in told
        if old.actor != new.actor and names(new, old, name) and may_name(new, old, field)
    ]
    if name in new.beside:
        return True
    present = [old for old in others if name == "withdrawn" or name not in old.erased]
    return len({equality_key(value(old, name)) for old in present}) > 1


def shown(kind: Kind, ops: Sequence[Op], author: str | None) -> dict[str, str]:
    """Return the key of the head that each field shows."""
    by_key = {op.key: op for op in ops}
    return {
        name: first([by_key[key] for key in keys], kind.fields[name], author).key
        for name, keys in heads(kind, ops).items()
        if name != "withdrawn"
    }


def first(alive: Sequence[Op], field: Field, author: str | None) -> Op:
    """Return the head that a field shows."""
    order: Callable[[Op], tuple[int, str, str]] = lambda op: (op.effective, op.stamp, op.id)  # noqa: E731
    decisions = [op for op in alive if op.is_decision]
    if field.klass == "latest":
        return max(alive, key=order)
    if decisions or field.klass == "register":
        return max(decisions or alive, key=order)
    valued = [op for op in alive if has_value(op, field.name)] or alive
    return min([op for op in valued if op.by == author] or valued, key=order)


def open_fields(kind: Kind, ops: Sequence[Op]) -> set[str]:
    """Return the fields, `withdrawn` aside, in which a person must decide."""
    by_key = {op.key: op for op in ops}
    found: set[str] = set()
    for name, keys in heads(kind, ops).items():
        if name != "withdrawn" and kind.fields[name].klass != "latest":
            alive = [by_key[key] for key in keys if name not in by_key[key].erased]
            if kind.fields[name].klass == "evidence":
                alive = [op for op in alive if has_value(op, name)]
            if len({equality_key(op.set[name]) for op in alive}) > 1:
                found.add(name)
    return found


def has_value(op: Op, name: str) -> bool:
    """Say whether an op of an evidence field says something there."""
    return name not in op.erased and (op.set[name] is not None or op.is_decision)


def is_blind(kind: Kind, ops: Sequence[Op]) -> bool:
    """Say whether some standing retract and some head or add knew nothing of each other."""
    alive = heads(kind, ops)
    by_key = {op.key: op for op in ops}
    retracts = [
        by_key[key] for key in alive.get("withdrawn", ()) if by_key[key].retract is not False
    ]
    work = {key for name, keys in alive.items() if name != "withdrawn" for key in keys}
    work |= {op.key for op in ops if any(is_add(kind, op, name) for name in op.add)}
    return any(
        not knew(retract, by_key[key]) for retract in retracts for key in work - {retract.key}
    )


def is_add(kind: Kind, op: Op, name: str) -> bool:
    """Say whether an op adds to a set."""
    field = kind.fields.get(name)
    is_told = name not in op.parked and (bool(op.add[name]) or name in op.erased)
    return field is not None and field.klass == "set" and is_told


def knew(retract: Op, other: Op) -> bool:
    """Say whether one of the two was made knowing the other."""
    named: Callable[[Op], set[str]] = lambda op: {op.id, op.key}  # noqa: E731
    star = set(retract.base.get("*", ()))
    base = {entry for entries in other.base.values() for entry in entries}
    return bool(named(other) & star or named(retract) & base)
