"""What is left of an op once values are erased: its structure, never what it said (see
docs/protocol/sync.md section 2). Pure; called by `erasing`.

Field names, bases, stamps and `new` stay, so that every other op still merges as it did. Values,
elements, strike keys, reasons and the salt go.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sync.op import WITHDRAWN
from sync.wire import JSON, canonical

DECISION = "decision"
_REASON = "reason"

Members = Mapping[str, JSON]


def stripped(op: JSON, fields: Collection[str]) -> bytes:
    """Return an op without the values of these fields, `withdrawn` and `decision` for reasons.

    What is no object at all leaves nothing.
    """
    if not isinstance(op, dict):
        return b"null"
    left = {name: part for name, part in op.items() if name != "salt"}
    for name, strip in (("set", _value), ("add", _elements), ("strike", _strikes)):
        part = left.get(name)
        if isinstance(part, dict):
            left[name] = {key: strip(value, key in fields) for key, value in part.items()}
    if WITHDRAWN in fields:
        left["retract"] = _without_reason(left.get("retract"))
    if DECISION in fields:
        left["decision"] = _without_reason(left.get("decision"))
    return canonical({name: part for name, part in left.items() if part is not None})


def bare(kind: str, record_id: str) -> bytes:
    """Return what is left of an op that nobody could read."""
    return canonical({"kind": kind, "id": record_id})


def _value(value: JSON, is_erased: bool) -> JSON:  # noqa: FBT001 - one of three alike
    return None if is_erased else value


def _elements(value: JSON, is_erased: bool) -> JSON:  # noqa: FBT001
    return [] if is_erased else value


def _strikes(value: JSON, is_erased: bool) -> JSON:  # noqa: FBT001
    if not is_erased or not isinstance(value, list):
        return None if is_erased else value
    return [
        {"key": None, "ops": one.get("ops", []) if isinstance(one, dict) else []} for one in value
    ]


def _without_reason(part: JSON) -> JSON:
    if not isinstance(part, dict):
        return part
    return {name: value for name, value in part.items() if name != _REASON}
