"""Fills in what an op replaces whose author tells no base, but the cursor at which it had last
pulled all there was: `seen` (docs/protocol/sync.md section 6).

Called by `push` before new ops are stored. It is done once and kept beside the op: what the author
had seen is the same for good, whatever becomes of the record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from fieldapi import ledger
from fieldapi.queries import changes
from fieldapi.services.ops.arrival import Arrival, Delivery
from fieldapi.services.ops.sight import Look, Sight, sights_of
from fieldapi.unit import Unit
from sync.canonical import equality_key
from sync.op import EVERYTHING, WITHDRAWN, Op
from sync.wire import canonical


def fill(unit: Unit, delivery: Delivery, fresh: Iterable[Arrival]) -> None:
    """Give these ops the base that follows from what their author had seen; to those that tell a
    base, or nothing that they had seen, none.
    """
    unbased = [one for one in fresh if one.op is not None and one.op.seen and one.op.unbased]
    if not unbased:
        return
    epoch = ledger.head(unit.session, delivery.principal.authority_id).epoch
    for arrival in unbased:
        _fill_one(unit, delivery, arrival, epoch)


def _fill_one(unit: Unit, delivery: Delivery, arrival: Arrival, epoch: str) -> None:
    op, principal = arrival.op, delivery.principal
    if op is None or op.actor != delivery.own.actor:
        return
    seq = changes.seen_by(unit.keys, principal, op.seen or "", epoch)
    look = Look(op.record, seq)
    at = principal.authority_id
    found = sights_of(unit.session, at, op.actor, kind=op.kind, looks=[look]) if seq else {}
    sight = found.get(op.record)
    base = {} if sight is None else dict(_base(op, sight))
    if base:
        arrival.filled = canonical({name: [*ops] for name, ops in base.items()}).decode()
        arrival.op = replace(op, base={**op.base, **base})


def _base(op: Op, sight: Sight) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what each field replaces: the heads that were shown; own ones alone where these say
    different things, because nobody has decided between them.
    """
    for name in sorted(op.unbased):
        heads = [] if sight.seen is None else sight.seen.heads(name)
        if len({equality_key(head.v) for head in heads}) > 1:
            heads = [head for head in heads if head.t.endswith(op.actor)]
        yield name, tuple(head.op for head in heads)
    if WITHDRAWN in op.unbased and EVERYTHING not in op.base:
        yield EVERYTHING, tuple(sight.shown())
