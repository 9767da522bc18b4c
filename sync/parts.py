"""The parts of an op and how each is read from JSON: one function for one shape.

`op` puts them together. A part that belongs to one field is that field's fault if its shape is
wrong; the others make the whole no op.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

from sync.clock import is_stamp
from sync.strict import JSON, MAX_INTEGER

WITHDRAWN = "withdrawn"  # the register field that `retract` writes, in every kind
EVERYTHING = "*"  # in the base of a retract: every head and add on the screen
INVALID_VALUE = "invalid-value"

Retract: TypeAlias = "dict[str, JSON] | Literal[False]"

_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
ID = re.compile(_UUID)
_NAMED = re.compile(rf"(?:[0-9a-f]{{16}}/)?{_UUID}")
_FIXED = re.compile(rf"(?:[0-9a-f]{{16}}/)?{_UUID}|[0-9a-f]{{64}}")
SALT = re.compile(r"[A-Za-z0-9_-]{22}(?:==)?")

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


def is_op_id(text: object) -> bool:
    """Say whether `text` is a UUID in the one spelling there is, lower case with hyphens."""
    return isinstance(text, str) and ID.fullmatch(text) is not None


def read_id(value: dict[str, JSON], name: str) -> str:
    """Return the UUID of a member. Raises OpInvalid."""
    text = value.get(name)
    if isinstance(text, str) and ID.fullmatch(text):
        return text
    raise OpInvalid("bad-id", f"{name} is no lower-case UUID", name)


def read_stamp(value: dict[str, JSON]) -> str:
    """Return the stamp. Raises OpInvalid: it carries the actor, half of the identity."""
    text = value.get("t")
    if isinstance(text, str) and is_stamp(text):
        return text
    raise OpInvalid("bad-id", "t is no stamp", "t")


def read_kind(value: dict[str, JSON]) -> str:
    """Return the kind, known or not. Raises OpInvalid."""
    kind = value.get("kind")
    if isinstance(kind, str):
        return kind
    raise OpInvalid("unknown-kind", "kind is no text", "kind")


def read_at(value: dict[str, JSON]) -> int:
    """Return the raw wall clock in ms. Raises OpInvalid."""
    at = whole(value.get("at"))
    if at is None:
        raise OpInvalid("invalid-json", "at is no whole number of milliseconds", "at")
    return at


def whole(value: JSON) -> int | None:
    """Return a whole number within 2^53 - 1 (9.0 is one), None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if abs(value) <= MAX_INTEGER and value == int(value) else None


def read_text(
    value: dict[str, JSON], name: str, pattern: re.Pattern[str] | None = None
) -> str | None:
    """Return the text of a member, None if it is none or does not fit."""
    text = value.get(name)
    if not isinstance(text, str) or (pattern is not None and not pattern.fullmatch(text)):
        return None
    return text


def read_head(value: dict[str, JSON]) -> Mapping[str, JSON] | None:
    """Return the last tree head the device saw, None if it tells none."""
    head = value.get("head")
    return head if isinstance(head, dict) else None


def read_object(value: dict[str, JSON], name: str) -> dict[str, JSON]:
    """Return the object of a member, {} if it is absent. Raises OpInvalid."""
    part = value.get(name)
    if part is None:
        return {}
    if not isinstance(part, dict):
        raise OpInvalid("invalid-json", f"{name} is no object", name)
    return part


def read_each(
    value: dict[str, JSON], name: str, *, read: Callable[[JSON], _T], faults: dict[str, str]
) -> _Parts[_T]:
    """Return each field's list read element by element; a bad one is a fault of its field."""
    parts: _Parts[_T] = {}
    for key, listed in read_object(value, name).items():
        try:
            parts[key] = tuple(map(read, _list(listed)))
        except _PartError:
            faults[WITHDRAWN if key == EVERYTHING else key] = INVALID_VALUE
    return parts


class _PartError(Exception):
    """One field's part has a wrong shape."""


def _list(value: JSON) -> Iterable[JSON]:
    if isinstance(value, list):
        return value
    raise _PartError


def base_entry(value: JSON) -> str:
    """Return `op` or `actor/op`."""
    if isinstance(value, str) and _NAMED.fullmatch(value):
        return value
    raise _PartError


def element(value: JSON) -> JSON:
    """Return an element of a set: any value is one."""
    return value


def strike(value: JSON) -> Strike:
    """Return a strike."""
    if not isinstance(value, dict) or "key" not in value:
        raise _PartError
    reason = value.get("reason")
    named = tuple(map(base_entry, _list(value.get("ops"))))
    return Strike(value["key"], named, reason if isinstance(reason, str) else None)


def read_retract(value: dict[str, JSON], faults: dict[str, str]) -> Retract | None:
    """Return the retract, its undoing, or None; another shape is a fault of `withdrawn`."""
    retract = value.get("retract")
    if retract is None or retract is False or isinstance(retract, dict):
        return retract
    faults[WITHDRAWN] = INVALID_VALUE
    return None


def read_decision(value: dict[str, JSON]) -> Decision | None:
    """Return the decision. Raises OpInvalid."""
    decision = value.get("decision")
    if decision is None:
        return None
    if not isinstance(decision, dict):
        raise OpInvalid("invalid-json", "decision is no object", "decision")
    return Decision(read_id(decision, "review"), read_text(decision, "reason"))


def read_fixes(value: dict[str, JSON]) -> str | None:
    """Return the op, or the sha256 of the bytes, that this corrects. Raises OpInvalid."""
    if value.get("fixes") is None:
        return None
    fixed = read_text(value, "fixes", _FIXED)
    if fixed is None:
        raise OpInvalid("bad-id", "fixes names no op", "fixes")
    return fixed
