"""Ops that the server builds for doors without ops of their own: REST, PATCH, RxDB, console,
imports (docs/protocol/sync.md section 6). They then take the same way as everybody's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import bindparam, select, update

from fieldapi.clock import to_ms
from fieldapi.domain.access import Principal
from fieldapi.domain.records import KINDS, is_personal
from fieldapi.ids import server_actor
from fieldapi.models import WriterKey
from fieldapi.models.bulk import insert_many
from fieldapi.services.ops.arrival import Arrival, Delivery, arrive
from fieldapi.services.ops.scene import Scene
from fieldapi.services.ops.senders import CONFIRMED, PENDING, Sender
from fieldapi.services.ops.writers import writer_of
from fieldapi.unit import Unit
from sync.clock import next_stamp
from sync.op import EVERYTHING, WITHDRAWN
from sync.wire import JSON, Slice

FACTS, PERSONAL, RETRACT = "facts", "personal", "retract"


@dataclass(frozen=True, slots=True)
class Change:
    """What a request wants to write into one record. `fields`: dotted name → value, a list for a
    `set` field, under `withdrawn` what `retract` takes. `strikes`: set field → strikes, as the wire
    writes them. `base`: the heads it replaces, by field; under `withdrawn` the retracts it knows.
    `source`: what names the change, so that a replay builds the same op. `decision`: review id and
    reason, for a reviewer. `fixes`: the op it corrects. `nobase`: its author tells no base.
    """

    kind: str
    record_id: str
    fields: Mapping[str, JSON]
    source: str
    is_new: bool = False
    base: Mapping[str, Sequence[str]] = field(default_factory=dict)
    decision: Mapping[str, str] | None = None
    strikes: Mapping[str, Sequence[JSON]] = field(default_factory=dict)
    fixes: str | None = None
    nobase: bool = False


def delivery_of(unit: Unit, principal: Principal, scene: Scene) -> Delivery:
    """Return the delivery of a request without ops: the server writes for its principal."""
    writer = writer_of(unit.session, principal.authority_id, principal.person_id, unit.now)
    actor = server_actor(principal.actor)
    return Delivery(
        principal=replace(principal, actor=actor),
        own=Sender(
            actor,
            {principal.person_id: writer},
            standing=CONFIRMED if principal.is_confirmed else PENDING,
        ),
        received_at=unit.now,
        device_now_ms=None,
        schema=1,
        profile=scene.profile,
        area=scene.area,
        keys=unit.keys,
    )


def build(unit: Unit, delivery: Delivery, changes: Sequence[Change]) -> list[Arrival]:
    """Return the ops of `changes`, facts and personal apart, stamped in order."""
    parts = [part for change in changes for part in _parts(change)]
    stamps = _stamps(unit, delivery.principal, len(parts))
    arrivals = []
    for index, ((change, part, fields), stamp) in enumerate(zip(parts, stamps, strict=True)):
        op = _op(unit, delivery, change, fields)
        op |= {"op": _op_id(unit, delivery.principal, change, part), "t": stamp}
        raw = json.dumps(op, ensure_ascii=False, separators=(",", ":")).encode()
        arrivals.append(arrive(delivery, index, Slice(raw, op), nobase=change.nobase))
    return arrivals


def op_ids(unit: Unit, delivery: Delivery, change: Change) -> list[str]:
    """Return the ids that `build` gives to the ops of a change."""
    return [_op_id(unit, delivery.principal, change, part) for _, part, _ in _parts(change)]


def _op_id(unit: Unit, principal: Principal, change: Change, part: str) -> str:
    name = f"{principal.actor}/{change.source}/{change.kind}/{change.record_id}/{part}"
    return unit.keys.op_id(name)


def _parts(change: Change) -> list[tuple[Change, str, dict[str, JSON]]]:
    """Split a change into its facts and its personal fields; a create always has its facts."""
    facts, personal = (_part(change, is_wanted) for is_wanted in (False, True))
    parts: list[tuple[Change, str, dict[str, JSON]]] = []
    if facts.fields or facts.strikes or change.is_new:
        parts.append((facts, FACTS, {**facts.fields}))
    if personal.fields or personal.strikes:
        parts.append((replace(personal, is_new=False), PERSONAL, {**personal.fields}))
    if WITHDRAWN in change.fields:
        withdrawn = {WITHDRAWN: change.fields[WITHDRAWN]}
        parts.append((replace(change, strikes={}, is_new=False), RETRACT, withdrawn))
    return parts


def _part(change: Change, is_wanted: bool) -> Change:  # noqa: FBT001 - personal, or facts
    fields = {
        name: value
        for name, value in change.fields.items()
        if name != WITHDRAWN and is_personal(change.kind, [name]) is is_wanted
    }
    strikes = {
        name: struck
        for name, struck in change.strikes.items()
        if is_personal(change.kind, [name]) is is_wanted
    }
    return replace(change, fields=fields, strikes=strikes)


def _op(
    unit: Unit, delivery: Delivery, change: Change, fields: Mapping[str, JSON]
) -> dict[str, JSON]:
    rows = KINDS[change.kind].fields
    sets = {name for name in fields if name in rows and rows[name].klass == "set"}
    values = {name: fields[name] for name in fields if name not in sets | {WITHDRAWN}}
    based = {*values, WITHDRAWN} if change.base.get(WITHDRAWN) else {*values}
    if WITHDRAWN in fields:
        based = {WITHDRAWN, EVERYTHING}
    said: dict[str, JSON] = {
        "set": values or None,
        "base": {name: [*change.base.get(name, ())] for name in sorted(based)} or None,
        "add": {name: fields[name] for name in sorted(sets)} or None,
        "strike": {name: [*struck] for name, struck in change.strikes.items()} or None,
        "new": change.is_new or None,
        "retract": fields.get(WITHDRAWN),
        "decision": None if change.decision is None else {**change.decision},
        "fixes": change.fixes,
    }
    return {
        "kind": change.kind,
        "id": change.record_id,
        "by": delivery.principal.person_id,
        "at": to_ms(unit.now),
        **{name: part for name, part in said.items() if part is not None},
    }


_MINE = (WriterKey.authority_id == bindparam("at"), WriterKey.actor == bindparam("of"))
_TURN = select(WriterKey.last_stamp).where(*_MINE).with_for_update()
_STAMPED = (
    update(WriterKey)
    .where(*_MINE)
    .values(last_stamp=bindparam("last"), built=WriterKey.built + bindparam("count"))
    .execution_options(synchronize_session=False)
)


def take_turn(unit: Unit, principal: Principal) -> str:
    """Lock the row of a server actor until the commit, so that its requests follow one another;
    return its last stamp, "" before the first.
    """
    at, actor = principal.authority_id, principal.actor
    mine = {"at": at, "of": actor}
    last = unit.session.scalar(_TURN, mine)
    if last is None:
        empty = {"authority_id": at, "actor": actor, "last_stamp": "", "built": 0}
        insert_many(unit.session, WriterKey, [empty])
        last = unit.session.scalar(_TURN, mine)
    return last or ""


def _stamps(unit: Unit, principal: Principal, count: int) -> list[str]:
    """Return the next stamps of a server actor."""
    last = take_turn(unit, principal)
    stamps: list[str] = []
    for _ in range(count):
        last = next_stamp(to_ms(unit.now), last or None, principal.actor)
        stamps.append(last)
    done = {"at": principal.authority_id, "of": principal.actor, "last": last, "count": count}
    unit.session.execute(_STAMPED, done)
    return stamps
