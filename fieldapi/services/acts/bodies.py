"""Reads the body of an act: strict, every fault named at once. Called by the api and by pending
work; judges no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fieldapi.clock import parse_instant
from fieldapi.domain.values import (
    FREE,
    INSTANT,
    UUID,
    Choice,
    Fault,
    ValueType,
)
from fieldapi.domain.words import sentence
from fieldapi.problems import InvalidBody
from fieldapi.services.acts.kinds import PARTICULARS, ActBody, ActKind, Several
from fieldapi.services.fields import look_at
from sync.wire import JSON

_MOST_HEADS = 500
MODES = ("perform", "record", "check")
_HEAD: Mapping[str, ValueType] = {
    "id": UUID,
    "happened_at": INSTANT,
    "mode": Choice(MODES),
    "reason": FREE,
    "party": UUID,
    "custody": Several(UUID, _MOST_HEADS),
}
_NOT_A_FIELD = sentence("This act is not told this.")
_NEEDED = sentence("This is needed.")
_NO_ACT = sentence("There is no such act.")
_PICK = sentence('Write a list such as [{"kind": "cow", "n": 2}].')


class _Words:
    """The kinds of animals are judged against the custody, not against a list."""

    known_kinds: frozenset[str] = frozenset()


def read_act(
    body: Mapping[str, JSON],
    find: Callable[[str], ActKind | None],
    *,
    kinds: frozenset[str],
) -> tuple[ActKind, ActBody]:
    """Return which act a body is, and what it says. Raises `InvalidBody`.

    `find`: the kind of act for a slug; `kinds`: codes of animals that there are.
    """
    slug = body.get("act")
    kind = find(slug) if isinstance(slug, str) else None
    if kind is None:
        raise InvalidBody(errors={"act": [_NO_ACT]})
    errors = _faults(body, kind, kinds)
    if errors:
        raise InvalidBody(look_at(errors), errors=errors)
    happened = body.get("happened_at")
    custody, party = body.get("custody"), body.get("party")
    known = {*_HEAD, "act", "pick"}
    return kind, ActBody(
        id=str(body["id"]),
        act=kind.slug,
        mode=str(body.get("mode") or "perform"),
        happened_at=parse_instant(happened) if isinstance(happened, str) else None,
        party=party if isinstance(party, str) else None,
        custody=tuple(str(one) for one in custody) if isinstance(custody, list) else (),
        pick=_pick(body.get("pick")),
        reason=str(body.get("reason") or "").strip(),
        data={name: _whole(value) for name, value in body.items() if name not in known},
    )


def _faults(body: Mapping[str, JSON], kind: ActKind, kinds: frozenset[str]) -> dict[str, list[str]]:
    words = _Words()
    words.known_kinds = kinds
    types: dict[str, ValueType] = {**_HEAD, **{name: PARTICULARS[name] for name in kind.takes}}
    errors: dict[str, list[str]] = {} if body.get("id") else {"id": [_NEEDED]}
    for name, value in body.items():
        if name in {"act", "pick"} or value is None:
            continue
        if name not in types:
            errors.setdefault(name, []).append(_NOT_A_FIELD)
            continue
        for fault in types[name].faults(value, words):
            errors.setdefault(_path(name, fault), []).append(fault.text)
    if not _is_pick(body.get("pick")):
        errors.setdefault("pick", []).append(_PICK)
    return errors


def _whole(value: JSON) -> JSON:
    """Return 5 for 5.0: the same number in JSON."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _path(name: str, fault: Fault) -> str:
    return f"{name}.{fault.path}" if fault.path else name


def _is_pick(value: JSON) -> bool:
    if value is None:
        return True
    return isinstance(value, list) and all(
        isinstance(one, dict)
        and isinstance(one.get("kind"), str)
        and isinstance(one.get("n"), int)
        and not isinstance(one.get("n"), bool)
        and 0 < int(str(one["n"])) <= _MOST_HEADS
        and one.keys() == {"kind", "n"}
        for one in value
    )


def _pick(value: JSON) -> tuple[tuple[str, int], ...]:
    if not isinstance(value, list):
        return ()
    return tuple((str(one["kind"]), int(str(one["n"]))) for one in value if isinstance(one, dict))
