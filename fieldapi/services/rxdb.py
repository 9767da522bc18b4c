"""Documents of an RxDB client, taken in as ops (docs/protocol/rxdb.md).

Called by `api/rxdb.py`. Every row is answered: one that cannot be merged is kept as it came and
handed back marked, because RxDB sends a refused batch again for ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from fieldapi import ledger
from fieldapi.domain.access import Principal
from fieldapi.house import House
from fieldapi.queries import documents as queries
from fieldapi.services.documents import (
    Document,
    Row,
    change_of,
    is_deleted,
    read_row,
    salvage,
    values_of,
)
from fieldapi.services.ops.arrival import Arrival, Delivery, arrive
from fieldapi.services.ops.build import Change, build, delivery_of, op_ids, take_turn
from fieldapi.services.ops.push import take
from fieldapi.services.ops.scene import Scene, scene_of
from fieldapi.services.ops.sight import Look, Sight, sights_of
from fieldapi.services.seizures import mint_reference
from fieldapi.unit import Unit
from sync.op import EVERYTHING
from sync.wire import JSON, Slice, WireError, equality_key

HELD, QUARANTINED, MERGED = "held", "quarantined", "merged"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one row: `merged`, `held` or `quarantined`."""

    document: Document
    state: str


def push(
    house: House, principal: Principal, kind: str, parts: Sequence[Slice]
) -> list[dict[str, JSON]]:
    """Take the rows of one push and return the documents that differ from what their client sent.

    A row that was not merged comes back as it was sent, with `sync_state`.
    """
    outcomes = house.database.transact(
        lambda unit: _take(house, unit, principal, kind=kind, parts=parts)
    )
    ids = {str(one.document["id"]) for one in outcomes if one.state == MERGED}
    with house.database.read() as session:
        current = queries.documents(session, principal, kind, ids)
    return [answer for one in outcomes if (answer := _answer(kind, one, current)) is not None]


def _answer(
    kind: str, outcome: Outcome, current: Mapping[str, dict[str, JSON]]
) -> dict[str, JSON] | None:
    sent = outcome.document
    if outcome.state != MERGED:
        # Never as deleted: the client would drop what the server has not agreed to.
        return {**sent, queries.DELETED: False, queries.SYNC_STATE: outcome.state}
    document = current.get(str(sent["id"]))
    return None if document is None or not _differs(kind, sent, document) else document


def _differs(kind: str, sent: Document, current: Document) -> bool:
    """Say whether the merge made another document of what was sent."""
    if is_deleted(sent) is not is_deleted(current):
        return True
    if sent.get(queries.SYNC_STATE) != current.get(queries.SYNC_STATE):
        return True
    if _comparable(kind, sent) != _comparable(kind, current):
        return True
    told = (queries.ADDED - {queries.SYNC_REV}) & sent.keys()
    return any(equality_key(sent[name]) != equality_key(current.get(name)) for name in told)


def _comparable(kind: str, document: Document) -> dict[str, object]:
    """Return the values of a document, sets in an order of their own."""
    rows = queries.set_fields(kind)
    return {
        name: sorted(map(equality_key, value))
        if name in rows and isinstance(value, list)
        else equality_key(value)
        for name, value in values_of(kind, document).items()
        if value != []
    }


def _take(
    house: House, unit: Unit, principal: Principal, *, kind: str, parts: Sequence[Slice]
) -> list[Outcome]:
    scene = scene_of(unit, house.packs, principal.authority_id)
    delivery = delivery_of(unit, principal, scene)
    # One push of a client at a time: a resend must find what the first one wrote.
    take_turn(unit, delivery.principal)
    rows = [(part, read_row(part)) for part in parts]
    outcomes = _keep_unreadable(unit, delivery, [part for part, row in rows if row is None])
    for batch in _batches([row for _, row in rows if row is not None]):
        outcomes += _take_batch(unit, delivery, scene, kind, rows=batch)
    return outcomes


def _keep_unreadable(unit: Unit, delivery: Delivery, parts: Sequence[Slice]) -> list[Outcome]:
    """Quarantine, byte for byte, the rows that no ops can be made of."""
    error = WireError("not-json", "the row holds no document of a record")
    slices = [Slice(part.raw, None, part.error or error) for part in parts]
    if slices:
        take(unit, delivery, [arrive(delivery, i, one) for i, one in enumerate(slices)])
    salvaged = (salvage(part) for part in parts)
    return [Outcome(document, QUARANTINED) for document in salvaged if document is not None]


def _batches(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Yield the rows in order, no record twice at once: each change stands on the one before."""
    left = [*rows]
    while left:
        batch = {row.record_id: row for row in reversed(left)}
        yield [*reversed(batch.values())]
        left = [row for row in left if batch[row.record_id] is not row]


def _take_batch(
    unit: Unit, delivery: Delivery, scene: Scene, kind: str, *, rows: Sequence[Row]
) -> list[Outcome]:
    authority_id, actor = delivery.principal.authority_id, delivery.principal.actor
    epoch = ledger.head(unit.session, authority_id).epoch
    looks = [Look(row.record_id, _seq_of(row, epoch)) for row in rows]
    sights = sights_of(unit.session, authority_id, actor, kind=kind, looks=looks)
    plans = [_plan(unit, delivery, kind, row, sight=sights[row.record_id]) for row in rows]
    changes = [
        _completed(unit, scene, replace(one.change, nobase=_is_foreign(one.row, epoch)))
        for one in plans
        if one.change is not None
    ]
    arrivals: list[Arrival] = []
    if changes:
        arrivals, _ = take(unit, delivery, build(unit, delivery, changes))
    states = [(one.row, one.outcome(arrivals)) for one in plans]
    return [Outcome(row.document, state) for row, state in states if state is not None]


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be done for a row. `change`: None if nothing differs, or all of it was done by an
    earlier push: then `resent` are the ids of its ops.
    """

    row: Row
    sight: Sight
    change: Change | None = None
    resent: frozenset[str] = frozenset()

    def outcome(self, arrivals: Sequence[Arrival]) -> str | None:
        """Return what became of the row, None if there was nothing to do."""
        if self.change is not None:
            mine = [one for one in arrivals if one.record_id == self.row.record_id]
            return _state([QUARANTINED if one.code or one.faults else one.held for one in mine])
        waits = [one.waits for one in self.sight.mine if one.op.id in self.resent]
        return _state(waits) if waits else None


def _state(found: Sequence[str | None]) -> str:
    """Return the state of a row by what keeps its ops out: the worst decides."""
    if QUARANTINED in found:
        return QUARANTINED
    return HELD if any(found) else MERGED


def _plan(unit: Unit, delivery: Delivery, kind: str, row: Row, *, sight: Sight) -> _Plan:
    """Return what a row asks for, and whether it was asked before.

    The same document on the same revision names the same ops; only if the client wrote something
    else since, it came back to an earlier document, and that is a new change.
    """
    change = change_of(kind, row, sight)
    if change is None:
        return _Plan(row, sight)
    stamps = {one.op.id: one.op.stamp for one in sight.mine}
    for turn in count(1):
        named = change if turn == 1 else replace(change, source=f"{change.source}#{turn}")
        known = frozenset(op_ids(unit, delivery, named)) & stamps.keys()
        if not known:
            return _Plan(row, sight, _knowing_itself(unit, delivery, named))
        if max(stamps.values()) == max(stamps[one] for one in known):
            return _Plan(row, sight, resent=known)
    raise AssertionError("unreachable: a client has written finitely many ops")


def _knowing_itself(unit: Unit, delivery: Delivery, change: Change) -> Change:
    """Let a retract know the other ops of its own change."""
    everything = change.base.get(EVERYTHING)
    if everything is None:
        return change
    own = op_ids(unit, delivery, change)[:-1]
    return replace(change, base={**change.base, EVERYTHING: [*everything, *own]})


def _completed(unit: Unit, scene: Scene, change: Change) -> Change:
    """Give a new report what the server gives to every one: its origin and a reference."""
    if change.kind != "seizure" or not change.is_new:
        return change
    fields = {"origin": "api", **change.fields}
    if fields.get("reference") is None:
        fields["reference"] = mint_reference(unit, scene)
    return replace(change, fields=fields)


def _seq_of(row: Row, epoch: str) -> int:
    """Return how far its client had read; 0 if it tells no revision of this epoch."""
    told, _, seq = row.rev.rpartition(".")
    return int(seq) if told == epoch and seq.isdecimal() and seq.isascii() else 0


def _is_foreign(row: Row, epoch: str) -> bool:
    """Say whether its client speaks of a revision from before a restore."""
    return bool(row.rev) and row.rev.rpartition(".")[0] != epoch
