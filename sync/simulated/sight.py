"""What an author really had before their eyes when they wrote an op.

Noted beside the client's own rules and without them: `checks` hold every base against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sync.client.record import Ground
from sync.op import EVERYTHING, WITHDRAWN, Op
from sync.simulated.phone import Phone
from sync.simulated.stage import KIND


class Sight(NamedTuple):
    """By field. `known`: every op that its author ever saw there. `before`: those on the screen
    at that moment. `open`: where a review was open. `is_withdrawn`: the record showed as such.
    """

    known: Mapping[str, frozenset[str]]
    before: Mapping[str, frozenset[str]]
    open: frozenset[str]
    is_withdrawn: bool


def see(phone: Phone, ground: Ground, op: Op) -> Sight:
    """Note what the author of `op` saw on this screen, and remember it on the phone."""
    named = {*op.set, *op.strike, *op.base} - {EVERYTHING}
    every = {*ground.pulled.heads, *(name for own in ground.own for name in own.op.fields)}
    looked_at = named | every if EVERYTHING in op.base else named
    before = {name: frozenset(_on_screen(ground, name)) for name in looked_at}
    if op.decision is not None:  # decided on a card that lists every head
        before = {name: before[name] | _heads(ground, name) for name in before}
    known: dict[str, frozenset[str]] = {}
    for name, ids in before.items():
        ever = phone.known.setdefault((op.record, name), set())
        ever.update(ids)
        known[name] = frozenset(ever)
    if EVERYTHING in op.base:
        known[EVERYTHING] = frozenset().union(*known.values())
    for name in op.fields:
        phone.known.setdefault((op.record, name), set()).update((op.id, op.key))
    return Sight(known, before, ground.pulled.open_reviews, ground.is_withdrawn())


def _heads(ground: Ground, name: str) -> frozenset[str]:
    return frozenset(head.op for head in ground.pulled.heads_of(name))


def _on_screen(ground: Ground, name: str) -> Iterable[str]:
    """Yield the ops whose word on a field is to be seen: under an own value, only own ones."""
    own = [one for one in ground.own if name in one.op.fields and not one.is_rejected()]
    yield from (called for one in own for called in (one.op.id, one.op.key))
    covered = ground.covered()
    is_hidden = any(not one.is_aside(name) and one.op.id not in covered for one in own)
    if not is_hidden or name not in {*KIND.headed, WITHDRAWN}:
        yield from _heads(ground, name)
