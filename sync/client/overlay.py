"""The screen: the pulled record with the own ops it does not contain yet on top.

Pure; `device` calls it. The phone never computes heads, shown values or reviews: it shows what the
server sent, and its own hand over it (docs/protocol/sync.md section 5).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from sync.client.record import Ground, KeyOf, Own
from sync.op import WITHDRAWN, Strike
from sync.wire import JSON, equal


@dataclass(frozen=True)
class Aside:
    """Own facts that are stored but not merged: `held` waits, `quarantined` needs the person."""

    op: str
    status: str
    code: str | None
    values: Mapping[str, JSON]


@dataclass(frozen=True)
class Screen:
    """One record as its officer should see it.

    `waiting`: own ops without an answer. `newer`: values of others under an own newer one that
    the person has not looked at. `ground`: hand it back with an edit made on this screen.
    """

    kind: str
    id: str
    shown: Mapping[str, JSON]
    struck: Mapping[str, Sequence[JSON]]
    is_withdrawn: bool
    reviews: tuple[JSON, ...]
    waiting: tuple[str, ...]
    aside: tuple[Aside, ...]
    newer: Mapping[str, JSON]
    ground: Ground = field(repr=False, compare=False)


def screen(kind: str, record_id: str, ground: Ground, *, key_of: KeyOf) -> Screen:
    """Return what to show. `key_of(field, element)` gives the key of an element of a set."""
    shown = dict(ground.pulled.shown)
    struck = {name: _list(listed) for name, listed in ground.pulled.struck.items()}
    top = ground.on_top()
    for own in top:
        shown.update((n, value) for n, value in own.op.set.items() if n not in own.parked)
    for name in dict.fromkeys(n for own in top for n in (*own.op.add, *own.op.strike)):
        shown[name], struck[name] = _SetOnScreen(name, ground, key_of).lists()
    shown.pop(WITHDRAWN, None)
    return Screen(
        kind=kind,
        id=record_id,
        shown=shown,
        struck={name: listed for name, listed in struck.items() if listed},
        is_withdrawn=ground.is_withdrawn(),
        reviews=ground.pulled.reviews,
        waiting=tuple(own.op.id for own in ground.own if not own.is_answered()),
        aside=tuple(_asides(ground.own)),
        newer=_newer(ground),
        ground=ground,
    )


class _SetOnScreen:
    """A set with own adds and strikes applied in stamp order, one element shown per key."""

    def __init__(self, name: str, ground: Ground, key_of: KeyOf) -> None:
        self._key_of = partial(key_of, name)
        self._shown = _list(ground.pulled.shown.get(name))
        self._struck = _list(ground.pulled.struck.get(name))
        self._adds = [(head.key, head.op) for head in ground.pulled.heads_of(name)]
        self._named: set[str] = set()
        for own in ground.on_top():
            if name not in own.parked:
                self._apply(own, name)

    def lists(self) -> tuple[list[JSON], list[JSON]]:
        """Return the elements that stand, and those taken back."""
        return self._shown, self._struck

    def _apply(self, own: Own, name: str) -> None:
        for element in own.op.add.get(name, ()):
            key = self._key_of(element)
            self._adds.append((key, own.op.id))
            self._struck = self._others(self._struck, key)
            self._put(element, key)
        for strike in own.op.strike.get(name, ()):
            self._strike(strike)

    def _put(self, new: JSON, key: JSON) -> None:
        places = [i for i, e in enumerate(self._shown) if equal(self._key_of(e), key)]
        if places:
            self._shown[places[0]] = new
        else:
            self._shown.append(new)

    def _strike(self, strike: Strike) -> None:
        """Take an element back once every add of its key is named by a strike."""
        self._named |= set(strike.ops)
        adds = {op for key, op in self._adds if equal(key, strike.key)}
        if adds <= self._named:
            left = self._others(self._shown, strike.key)
            self._struck += [e for e in self._shown if e not in left]
            self._shown = left

    def _others(self, elements: Sequence[JSON], key: JSON) -> list[JSON]:
        return [e for e in elements if not equal(self._key_of(e), key)]


def _asides(own: Iterable[Own]) -> Iterable[Aside]:
    for one in own:
        values = {**one.op.set, **{name: list(added) for name, added in one.op.add.items()}}
        if one.is_aside():
            yield Aside(one.op.id, one.status, one.code, values)
        elif one.parked:
            parked = {name: value for name, value in values.items() if name in one.parked}
            yield Aside(one.op.id, one.status, one.code, parked)


def _newer(ground: Ground) -> dict[str, JSON]:
    """Return the pulled values that an own value hides and its author never saw."""
    names = dict.fromkeys(name for own in ground.on_top() for name in own.op.set)
    return {name: ground.pulled.shown.get(name) for name in names if ground.unseen(name)}


def _list(value: JSON) -> list[JSON]:
    return list(value) if isinstance(value, list) else []
