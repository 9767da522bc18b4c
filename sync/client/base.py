"""Which ops a new one replaces: the base, fixed at capture by what stood on the screen.

Pure; `capture` calls it. The web app has a twin that runs the same vectors
(docs/protocol/sync.md section 5).
"""

from __future__ import annotations

from collections.abc import Iterable

from sync.client.record import Ground, Head, KeyOf, Own
from sync.op import WITHDRAWN
from sync.wire import JSON, equal


def base_of(name: str, ground: Ground, *, actor: str) -> tuple[str, ...]:
    """Return what an edit of this field replaces.

    Over an own value that the server has not shown back yet: whatever that one replaced, and it.
    Only when the person looked at a newer value meanwhile do its heads come in. Own ops that are
    held, quarantined or rejected stay named, so that their release is no conflict with oneself: a
    restored server knows of no rejection.
    """
    covered = ground.covered()
    mine = [own for own in ground.own if own.sets(name)]
    aside = [own.op.id for own in mine if own.is_out(name)]
    fresh = [own.op for own in mine if own.op.id not in covered and not own.is_out(name)]
    if fresh and name not in ground.looked:
        return _unique([*fresh[-1].base.get(name, ()), fresh[-1].id, *aside])
    heads = _looked_at(name, ground, mine) if fresh else ground.pulled.heads_of(name)
    if name in ground.pulled.open_reviews:
        heads = tuple(head for head in heads if head.is_by(actor))
    return _unique([*(head.op for head in heads), *(op.id for op in fresh), *aside])


def _looked_at(name: str, ground: Ground, mine: Iterable[Own]) -> tuple[Head, ...]:
    """Return the heads that the person looked at, and own ops that came back since."""
    called = {one for own in mine for one in (own.op.id, own.op.key)}
    back = (head for head in ground.pulled.heads_of(name) if head.op in called)
    return (*ground.looked[name], *back)


def adds_of(name: str, key: JSON, ground: Ground, *, key_of: KeyOf) -> tuple[str, ...]:
    """Return the adds of one element on the screen: what a strike of it must name."""
    pulled = [head.op for head in ground.pulled.heads_of(name) if equal(head.key, key)]
    own = [
        own.op.id
        for own in _uncovered(ground)
        if any(equal(key_of(name, element), key) for element in own.op.add.get(name, ()))
    ]
    return _unique([*pulled, *own])


def everything(ground: Ground) -> tuple[str, ...]:
    """Return every head and add on the screen: a retract says what it was made knowing, and not
    what hides under an own value that its author has not looked past.
    """
    fields = ((name, heads) for name, heads in ground.pulled.heads.items() if name != WITHDRAWN)
    seen = (head.op for name, heads in fields for head in heads if head not in ground.unseen(name))
    own = [own.op.id for own in _uncovered(ground) if own.op.set or own.op.add]
    return _unique([*seen, *own])


def _uncovered(ground: Ground) -> list[Own]:
    covered = ground.covered()
    return [own for own in ground.own if own.op.id not in covered or own.is_out() or own.parked]


def _unique(ops: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ops))
