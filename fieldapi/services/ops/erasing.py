"""Takes values out of stored ops, and of those that come again after a restore.

Called by `erasures` on a locked record, and by `push` for what it is about to store. What the
record shows follows from the ops that are left, in the same transaction.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import Select, bindparam, select, text
from sqlalchemy.orm import Session

from fieldapi.domain.records import merge_kind
from fieldapi.models import OpErasure, OpPayload, OpRow, ParkedOp
from fieldapi.models.bulk import among
from fieldapi.models.once import among_named, made_once
from fieldapi.services.ops import structure
from fieldapi.services.ops.arrival import Arrival, Left
from fieldapi.services.ops.draft import Draft, merged_ops
from fieldapi.services.ops.store import History, OpKey, StoredOp
from fieldapi.services.ops.structure import DECISION
from fieldapi.unit import Unit
from sync import merge
from sync.op import WITHDRAWN, Op, OpInvalid, parse_op
from sync.wire import JSON, WireError, loads

Fields = frozenset[str]


@dataclass(frozen=True, slots=True)
class Gone:
    """What an erasure takes, by op (`actor/op`): the fields whose values go, with `withdrawn` and
    `decision` for reasons; and by field the ops that stood beside such a value.
    """

    ops: Mapping[str, Fields] = field(default_factory=dict)
    beside: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def fields(self) -> list[str]:
        """Return every field of which something goes."""
        return sorted(frozenset().union(*self.ops.values()))


def by_fields(history: History, fields: Collection[str]) -> dict[OpKey, Fields]:
    """Return which personal ops say something in these fields, and what of it goes. A decision on
    one of them loses its reason as well: it speaks of the same person.
    """
    found: dict[OpKey, Fields] = {}
    for stored, _ in history:
        value = _value(stored)
        hit = frozenset(fields) & _said_in(value) if stored.is_personal else frozenset()
        if hit and DECISION in _said_in(value):
            hit |= {DECISION}
        if hit:
            found[stored.actor, stored.op] = hit
    return found


def by_ops(history: History, names: Collection[str]) -> dict[OpKey, Fields]:
    """Return which personal ops have these names (`op` or `actor/op`): all that they say goes."""
    return {
        (stored.actor, stored.op): _said_in(_value(stored))
        for stored, _ in history
        if stored.is_personal and not {stored.op, _name(stored)}.isdisjoint(names)
    }


def unreadable(session: Session, authority_id: str, names: Collection[str]) -> dict[OpKey, Fields]:
    """Return the ops of these names that nobody could read, and so belong to no record."""
    query = select(ParkedOp.actor, ParkedOp.op).where(
        ParkedOp.authority_id == authority_id,
        ParkedOp.status == "quarantined",
        among(session, ParkedOp.op, {name.rpartition("/")[2] for name in names}),
    )
    return {
        (actor, op): frozenset()
        for actor, op in session.execute(query)
        if not {op, f"{actor}/{op}"}.isdisjoint(names)
    }


def erase(unit: Unit, draft: Draft, wanted: Mapping[OpKey, Fields]) -> Gone:
    """Take values out of the ops of a record, and make the record anew from what is left."""
    if unit.session.get_bind().dialect.name == "sqlite":
        # What is overwritten leaves no trace in free pages either.
        unit.session.execute(text("PRAGMA secure_delete = ON"))
    history = draft.history()
    ops = {f"{actor}/{op}": fields for (actor, op), fields in wanted.items()}
    gone = Gone(ops, _beside(draft, history, wanted))
    for actor, op in wanted:
        _strip(unit, draft.authority_id, (actor, op), wanted[actor, op])
    remember(unit, draft.authority_id, gone)
    unit.session.expire_all()
    if draft.has_ops:
        draft.refold()
    return gone


def remember(unit: Unit, authority_id: str, gone: Gone) -> None:
    """Write down what is gone, also of ops that are not here (yet)."""
    beside: dict[str, set[str]] = {}
    for name, others in gone.beside.items():
        for other in others:
            beside.setdefault(other, set()).add(name)
    for name in sorted({*gone.ops, *beside}):
        actor, _, op = name.partition("/")
        row = unit.session.get(OpErasure, (authority_id, actor, op))
        if row is None:
            row = OpErasure(authority_id=authority_id, actor=actor, op=op, fields="[]", beside="[]")
            unit.session.add(row)
        row.fields = _joined(row.fields, gone.ops.get(name, frozenset()))
        row.beside = _joined(row.beside, beside.get(name, set()))
        row.at = unit.now
    unit.session.flush()


def forget_erased(session: Session, authority_id: str, arrivals: Iterable[Arrival]) -> None:
    """Take out of what is about to be stored all that was erased before: after a restore a phone
    hands in ops whose values the database has no more.
    """
    known = {one.key: one for one in arrivals if one.is_personal or one.op is not None}
    for row in _erasures(session, authority_id, known):
        arrival = known[row.actor, row.op]
        fields = frozenset(json.loads(row.fields))
        if arrival.op is not None:
            beside = frozenset(json.loads(row.beside))
            arrival.op = replace(arrival.op, beside=arrival.op.beside | beside)
        if fields and arrival.is_personal:
            _forget(arrival, fields)


def _erasures(session: Session, authority_id: str, keys: Collection[OpKey]) -> list[OpErasure]:
    if not keys:
        return []
    asked = {
        "authority": authority_id,
        "actors": sorted({actor for actor, _ in keys}),
        "ops": sorted({op for _, op in keys}),
    }
    rows = session.scalars(_erased(session), asked)
    return [row for row in rows if (row.actor, row.op) in keys]


@made_once
def _erased(session: Session) -> Select[OpErasure]:
    return select(OpErasure).where(
        OpErasure.authority_id == bindparam("authority"),
        among_named(session, OpErasure.actor, "actors"),
        among_named(session, OpErasure.op, "ops"),
    )


def _forget(arrival: Arrival, fields: Fields) -> None:
    left = structure.stripped(_json(arrival.raw), fields)
    gone = fields - {WITHDRAWN, DECISION}
    arrival.left = Left(left, json.dumps(sorted(gone)))
    if arrival.op is not None:
        arrival.op = _without(arrival.op, parse_op(loads(left)), gone)


def _without(op: Op, left: Op, gone: Fields) -> Op:
    """Return a judged op with what is left of what it says."""
    return replace(
        op,
        set=left.set,
        add=left.add,
        strike=left.strike,
        retract=left.retract,
        decision=left.decision,
        salt=None,
        erased=op.erased | gone,
    )


def _strip(unit: Unit, authority_id: str, key: OpKey, fields: Fields) -> None:
    row = unit.session.get_one(OpPayload, (authority_id, *key))
    value = _json(row.payload)
    if _is_op(value):
        row.payload = structure.stripped(value, fields)
    else:
        op = unit.session.get_one(OpRow, (authority_id, *key))
        row.payload = structure.bare(op.kind, op.record_id)
    row.salt, row.signature = b"", None
    row.erased = _joined(row.erased, fields - {WITHDRAWN, DECISION})
    unit.session.flush()


def _beside(draft: Draft, history: History, wanted: Mapping[OpKey, Fields]) -> dict[str, list[str]]:
    """Return, by field, the ops that stand beside a value that goes: for them that holds for
    good.
    """
    kind = merge_kind(draft.kind)
    ops = [op for op, _ in merged_ops(history)]
    found: dict[str, set[str]] = {}
    for op in ops:
        for name in wanted.get((op.actor, op.id), frozenset()) & op.set.keys():
            others = merge.stood_beside(kind, ops, op.key, name=name)
            found.setdefault(name, set()).update(others)
    return {name: sorted(others) for name, others in found.items() if others}


def _said_in(value: JSON) -> Fields:
    """Return the fields in which an op says something, and where it gives a reason."""
    if not isinstance(value, dict):
        return frozenset()
    parts = (value.get(name) for name in ("set", "add", "strike"))
    said = {name for part in parts if isinstance(part, dict) for name in part}
    said |= {WITHDRAWN} if _has_reason(value.get("retract")) else set()
    return frozenset(said | ({DECISION} if _has_reason(value.get(DECISION)) else set()))


def _has_reason(part: JSON) -> bool:
    return isinstance(part, dict) and part.get("reason") is not None


def _value(stored: StoredOp) -> JSON:
    return _json(stored.payload)


def _json(payload: bytes) -> JSON:
    try:
        return loads(payload)
    except WireError:
        return None


def _is_op(value: JSON) -> bool:
    try:
        parse_op(value)
    except OpInvalid:
        return False
    return True


def _joined(text: str | None, more: Iterable[str]) -> str:
    return json.dumps(sorted({*json.loads(text or "[]"), *more}))


def _name(stored: StoredOp) -> str:
    return f"{stored.actor}/{stored.op}"
