"""An op: what one person did to one record, immutable, as the wire says it.

`parse_op` reads what a phone sent; the server adds its judgement with `dataclasses.replace`;
`merge` folds the result. Which kinds and fields exist is not known here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sync import parts
from sync.parts import EVERYTHING, WITHDRAWN, Decision, OpInvalid, Retract, Strike, is_op_id
from sync.strict import JSON

__all__ = [
    "EVERYTHING",
    "WITHDRAWN",
    "Decision",
    "Op",
    "OpInvalid",
    "Retract",
    "Strike",
    "build_op",
    "is_op_id",
    "parse_op",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Op:
    """One op. Identity is (actor, id); the actor is the end of the stamp.

    As sent: `at` raw wall clock in ms; `n` the device's counter; `base` by field, `*` included;
    `retract` False undoes; `seen` the cursor of a client that sends no base; `head` the last tree
    head it saw; `faults` field → code for parts whose shape is wrong (they are `parked` already).
    As judged by the server: `effective` and `received` in ms; `is_decision` the author may decide;
    `nobase` the base was filled in; `parked` fields that are not merged; `erased` fields whose
    value is gone; `beside` fields where it stood beside a value that was erased.
    """

    id: str
    actor: str
    kind: str
    record: str
    by: str
    stamp: str
    at: int
    n: int | None = None
    set: Mapping[str, JSON] = field(default_factory=dict)
    base: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    add: Mapping[str, tuple[JSON, ...]] = field(default_factory=dict)
    strike: Mapping[str, tuple[Strike, ...]] = field(default_factory=dict)
    retract: Retract | None = None
    is_new: bool = False
    decision: Decision | None = None
    fixes: str | None = None
    salt: str | None = None
    schema: int | None = None
    authority: str | None = None
    head: Mapping[str, JSON] | None = None
    seen: str | None = None
    faults: Mapping[str, str] = field(default_factory=dict)
    effective: int = 0
    received: int | None = None
    is_decision: bool = False
    nobase: bool = False
    parked: frozenset[str] = frozenset()
    erased: frozenset[str] = frozenset()
    beside: frozenset[str] = frozenset()

    @property
    def key(self) -> str:
        """Return `actor/op`: names this op and no other."""
        return f"{self.actor}/{self.id}"

    @property
    def fields(self) -> frozenset[str]:
        """Return the names of the fields it writes, `withdrawn` and what is at fault included."""
        written = frozenset().union(self.set, self.add, self.strike, self.faults)
        return written if self.retract is None else written | {WITHDRAWN}

    @property
    def withdraws(self) -> bool:
        """Say whether it retracts the record (an undo does not)."""
        return isinstance(self.retract, dict) and WITHDRAWN not in self.parked

    def values(self) -> list[tuple[str, JSON]]:
        """Return what it says in fields that have heads, a retract as `withdrawn`.

        Parked fields say nothing; an erased value is None. That an op retracts is no value and
        outlives its reason.
        """
        said = list(self.set.items())
        if self.parked or self.erased or WITHDRAWN in self.set:
            kept = self.set.keys() - self.parked - {WITHDRAWN}
            said = [
                (name, None if name in self.erased else value)
                for name, value in said
                if name in kept
            ]
        if self.retract is not None and WITHDRAWN not in self.parked:
            said.append((WITHDRAWN, self.retract))
        return said

    @property
    def unbased(self) -> frozenset[str]:
        """Return the fields it sets without saying what it replaces: a client without base."""
        said = set(self.set) if self.retract is None else {*self.set, WITHDRAWN}
        return frozenset(said - self.base.keys()) - self.parked


def parse_op(value: JSON) -> Op:
    """Return the op that `value` (from strict JSON) says.

    Members that only the server may add are not read. A field whose part has a wrong shape is
    parked with its code in `faults`; the others stand. Raises OpInvalid if the whole is no op.
    """
    if not isinstance(value, dict):
        raise OpInvalid("invalid-json", "an op is an object")
    faults: dict[str, str] = {}
    at = parts.read_at(value)
    stamp = parts.read_stamp(value)
    return Op(
        id=parts.read_id(value, "op"),
        actor=stamp[18:],
        kind=parts.read_kind(value),
        record=parts.read_id(value, "id"),
        by=parts.read_id(value, "by"),
        stamp=stamp,
        at=at,
        n=parts.whole(value.get("n")),
        set=parts.read_object(value, "set"),
        base=parts.read_each(value, "base", read=parts.base_entry, faults=faults),
        add=parts.read_each(value, "add", read=parts.element, faults=faults),
        strike=parts.read_each(value, "strike", read=parts.strike, faults=faults),
        retract=parts.read_retract(value, faults),
        is_new=value.get("new") is True,
        decision=parts.read_decision(value),
        fixes=parts.read_fixes(value),
        salt=parts.read_text(value, "salt", parts.SALT),
        schema=parts.whole(value.get("schema")),
        authority=parts.read_text(value, "authority", parts.ID),
        head=parts.read_head(value),
        seen=parts.read_text(value, "seen"),
        faults=faults,
        effective=at,
        parked=frozenset(faults),
    )


def build_op(op: Op) -> dict[str, JSON]:
    """Return the op in wire shape, as `parse_op` reads it: what was sent, no judgement."""
    said: dict[str, JSON] = {
        "op": op.id,
        "kind": op.kind,
        "id": op.record,
        "by": op.by,
        "t": op.stamp,
        "at": op.at,
    }
    optional: dict[str, JSON] = {
        "n": op.n,
        "new": op.is_new or None,
        "set": dict(op.set) or None,
        "base": {name: list(ops) for name, ops in op.base.items()} or None,
        "add": {name: list(added) for name, added in op.add.items()} or None,
        "strike": {name: [_wire_strike(s) for s in struck] for name, struck in op.strike.items()}
        or None,
        "retract": op.retract,
        "decision": _wire_decision(op.decision),
        "fixes": op.fixes,
        "salt": op.salt,
        "schema": op.schema,
        "authority": op.authority,
        "head": None if op.head is None else dict(op.head),
        "seen": op.seen,
    }
    said.update((name, part) for name, part in optional.items() if part is not None)
    return said


def _wire_strike(strike: Strike) -> JSON:
    said: dict[str, JSON] = {"key": strike.key, "ops": list(strike.ops)}
    return said if strike.reason is None else {**said, "reason": strike.reason}


def _wire_decision(decision: Decision | None) -> JSON:
    if decision is None:
        return None
    said: dict[str, JSON] = {"review": decision.review}
    return said if decision.reason is None else {**said, "reason": decision.reason}
