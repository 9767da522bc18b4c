"""An op: what one person did to one record, immutable, as the wire says it.

`parse_op` reads what a phone sent; the server adds its judgement with `dataclasses.replace`;
`merge` folds the result. Which kinds and fields exist is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar

from sync.clock import is_stamp
from sync.strict import JSON

WITHDRAWN = "withdrawn"  # the register field that `retract` writes, in every kind
EVERYTHING = "*"  # in the base of a retract: every head and add on the screen
INVALID_VALUE = "invalid-value"

Retract: TypeAlias = "dict[str, JSON] | Literal[False]"

_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_ID = re.compile(_UUID)
_NAMED = re.compile(rf"(?:[0-9a-f]{{16}}/)?{_UUID}")
_FIXED = re.compile(rf"(?:[0-9a-f]{{16}}/)?{_UUID}|[0-9a-f]{{64}}")
_SALT = re.compile(r"[A-Za-z0-9_-]{22}(?:==)?")

_T = TypeVar("_T")
_Parts: TypeAlias = "dict[str, tuple[_T, ...]]"


class OpInvalid(ValueError):
    """A value that is no op. `code`: `invalid-json`, `bad-id` or `unknown-kind`; `field`: the
    member of the op that is at fault, if one is.
    """

    def __init__(self, code: str, detail: str, field: str | None = None) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.field = field


@dataclass(frozen=True, slots=True)
class Strike:
    """One element of a set taken back: its key and the adds that stood under it."""

    key: JSON
    ops: tuple[str, ...]
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What a reviewer settles, and why."""

    review: str
    reason: str | None = None


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
        """Return the names of the fields it writes, `withdrawn` included."""
        written = frozenset(self.set) | frozenset(self.add) | frozenset(self.strike)
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
        said: list[tuple[str, JSON]] = [
            (name, None if name in self.erased else value)
            for name, value in self.set.items()
            if name not in self.parked
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
    at = _at(value)
    stamp = _stamp(value)
    return Op(
        id=_id(value, "op"),
        actor=stamp[18:],
        kind=_kind(value),
        record=_id(value, "id"),
        by=_id(value, "by"),
        stamp=stamp,
        at=at,
        n=_whole(value.get("n")),
        set=_object(value, "set"),
        base=_each(value, "base", read=_base_entry, faults=faults),
        add=_each(value, "add", read=_element, faults=faults),
        strike=_each(value, "strike", read=_strike, faults=faults),
        retract=_retract(value, faults),
        is_new=value.get("new") is True,
        decision=_decision(value),
        fixes=_fixes(value),
        salt=_text(value, "salt", _SALT),
        schema=_whole(value.get("schema")),
        authority=_text(value, "authority", _ID),
        head=_head(value),
        seen=_text(value, "seen"),
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


def is_op_id(text: object) -> bool:
    """Say whether `text` is a UUID in the one spelling there is, lower case with hyphens."""
    return isinstance(text, str) and _ID.fullmatch(text) is not None


def _wire_strike(strike: Strike) -> JSON:
    said: dict[str, JSON] = {"key": strike.key, "ops": list(strike.ops)}
    return said if strike.reason is None else {**said, "reason": strike.reason}


def _wire_decision(decision: Decision | None) -> JSON:
    if decision is None:
        return None
    said: dict[str, JSON] = {"review": decision.review}
    return said if decision.reason is None else {**said, "reason": decision.reason}


def _id(value: dict[str, JSON], name: str) -> str:
    text = value.get(name)
    if isinstance(text, str) and _ID.fullmatch(text):
        return text
    raise OpInvalid("bad-id", f"{name} is no lower-case UUID", name)


def _stamp(value: dict[str, JSON]) -> str:
    text = value.get("t")
    if isinstance(text, str) and is_stamp(text):
        return text
    # The stamp carries the actor, half of the op's identity.
    raise OpInvalid("bad-id", "t is no stamp", "t")


def _kind(value: dict[str, JSON]) -> str:
    kind = value.get("kind")
    if isinstance(kind, str):
        return kind
    raise OpInvalid("unknown-kind", "kind is no text", "kind")


def _at(value: dict[str, JSON]) -> int:
    at = _whole(value.get("at"))
    if at is None:
        raise OpInvalid("invalid-json", "at is no whole number of milliseconds", "at")
    return at


def _whole(value: JSON) -> int | None:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _text(value: dict[str, JSON], name: str, pattern: re.Pattern[str] | None = None) -> str | None:
    text = value.get(name)
    if not isinstance(text, str) or (pattern is not None and not pattern.fullmatch(text)):
        return None
    return text


def _head(value: dict[str, JSON]) -> Mapping[str, JSON] | None:
    head = value.get("head")
    return head if isinstance(head, dict) else None


def _object(value: dict[str, JSON], name: str) -> dict[str, JSON]:
    part = value.get(name)
    if part is None:
        return {}
    if not isinstance(part, dict):
        raise OpInvalid("invalid-json", f"{name} is no object", name)
    return part


def _each(
    value: dict[str, JSON], name: str, *, read: Callable[[JSON], _T], faults: dict[str, str]
) -> _Parts[_T]:
    """Return each field's list read element by element; a bad one is a fault of its field."""
    parts: _Parts[_T] = {}
    for key, listed in _object(value, name).items():
        try:
            parts[key] = tuple(map(read, _list(listed)))
        except _PartError:
            faults[key] = INVALID_VALUE
    return parts


class _PartError(Exception):
    """One field's part has a wrong shape."""


def _list(value: JSON) -> Iterable[JSON]:
    if isinstance(value, list):
        return value
    raise _PartError


def _base_entry(value: JSON) -> str:
    if isinstance(value, str) and _NAMED.fullmatch(value):
        return value
    raise _PartError


def _element(value: JSON) -> JSON:
    return value


def _strike(value: JSON) -> Strike:
    if not isinstance(value, dict) or "key" not in value:
        raise _PartError
    reason = value.get("reason")
    named = tuple(map(_base_entry, _list(value.get("ops"))))
    return Strike(value["key"], named, reason if isinstance(reason, str) else None)


def _retract(value: dict[str, JSON], faults: dict[str, str]) -> Retract | None:
    retract = value.get("retract")
    if retract is None or retract is False or isinstance(retract, dict):
        return retract
    faults[WITHDRAWN] = INVALID_VALUE
    return None


def _decision(value: dict[str, JSON]) -> Decision | None:
    decision = value.get("decision")
    if decision is None:
        return None
    if not isinstance(decision, dict):
        raise OpInvalid("invalid-json", "decision is no object", "decision")
    return Decision(_id(decision, "review"), _text(decision, "reason"))


def _fixes(value: dict[str, JSON]) -> str | None:
    if value.get("fixes") is None:
        return None
    fixed = _text(value, "fixes", _FIXED)
    if fixed is None:
        raise OpInvalid("bad-id", "fixes names no op", "fixes")
    return fixed
