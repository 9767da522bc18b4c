"""Ops that the server builds for doors without ops of their own: REST, PATCH, console, imports
(SYNC.md section 6). They then take the same way as everybody's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import select, update

from fieldapi.clock import to_ms
from fieldapi.domain.access import Principal
from fieldapi.domain.records import KINDS
from fieldapi.ids import server_actor
from fieldapi.models import WriterKey
from fieldapi.models.bulk import insert_many
from fieldapi.services.ops.arrival import Arrival, Delivery, arrive
from fieldapi.services.ops.scene import Scene
from fieldapi.services.ops.writers import writer_of
from fieldapi.unit import Unit
from sync.clock import next_stamp
from sync.op import EVERYTHING, WITHDRAWN
from sync.wire import JSON, Slice

FACTS, PERSONAL, RETRACT = "facts", "personal", "retract"


@dataclass(frozen=True, slots=True)
class Change:
    """What a request wants to write into one record. `fields`: dotted name → value, a list for a
    `set` field, under `withdrawn` what `retract` takes. `base`: the heads it replaces, by field.
    `source`: what names the change, so that a replay builds the same op. `decision`: review id and
    reason, for a reviewer.
    """

    kind: str
    record_id: str
    fields: Mapping[str, JSON]
    source: str
    is_new: bool = False
    base: Mapping[str, Sequence[str]] = field(default_factory=dict)
    decision: Mapping[str, str] | None = None


def delivery_of(unit: Unit, principal: Principal, scene: Scene) -> Delivery:
    """Return the delivery of a request without ops: the server writes for its principal."""
    writer = writer_of(unit.session, principal.authority_id, principal.person_id, unit.now)
    return Delivery(
        principal=replace(principal, actor=server_actor(principal.actor)),
        people={principal.person_id: writer},
        received_at=unit.now,
        device_now_ms=None,
        issued_ms=0,
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
        name = f"{delivery.principal.actor}/{change.source}/{change.kind}/{change.record_id}/{part}"
        op |= {"op": unit.keys.op_id(name), "t": stamp}
        raw = json.dumps(op, ensure_ascii=False, separators=(",", ":")).encode()
        arrivals.append(arrive(delivery, index, Slice(raw, op)))
    return arrivals


def _parts(change: Change) -> list[tuple[Change, str, dict[str, JSON]]]:
    """Split a change into its facts and its personal fields; a create always has its facts."""
    rows = KINDS[change.kind].fields
    fields = {name: value for name, value in change.fields.items() if name != WITHDRAWN}
    facts = {name: value for name, value in fields.items() if not rows[name].personal}
    personal = {name: value for name, value in fields.items() if rows[name].personal}
    parts = [(change, FACTS, facts)] if facts or change.is_new else []
    if personal:
        parts.append((replace(change, is_new=False), PERSONAL, personal))
    if WITHDRAWN in change.fields:
        parts.append((change, RETRACT, {WITHDRAWN: change.fields[WITHDRAWN]}))
    return parts


def _op(
    unit: Unit, delivery: Delivery, change: Change, fields: Mapping[str, JSON]
) -> dict[str, JSON]:
    rows = KINDS[change.kind].fields
    sets = {name for name in fields if name in rows and rows[name].klass == "set"}
    values = {name: fields[name] for name in fields if name not in sets | {WITHDRAWN}}
    added = {name: fields[name] for name in fields if name in sets}
    op: dict[str, JSON] = {
        "kind": change.kind,
        "id": change.record_id,
        "by": delivery.principal.person_id,
        "at": to_ms(unit.now),
    }
    if change.is_new:
        op["new"] = True
    if values:
        op["set"] = values
        op["base"] = {name: [*change.base.get(name, ())] for name in values}
    if added:
        op["add"] = added
    if WITHDRAWN in fields:
        op["retract"] = fields[WITHDRAWN]
        op["base"] = {name: [*change.base.get(name, ())] for name in (WITHDRAWN, EVERYTHING)}
    if change.decision is not None:
        op["decision"] = {**change.decision}
    return op


def _stamps(unit: Unit, principal: Principal, count: int) -> list[str]:
    """Return the next stamps of a server actor, taken under its row lock."""
    at, actor = principal.authority_id, principal.actor
    empty = {"authority_id": at, "actor": actor, "last_stamp": "", "built": 0}
    insert_many(unit.session, WriterKey, [empty])
    mine = (WriterKey.authority_id == at, WriterKey.actor == actor)
    last = unit.session.scalar(select(WriterKey.last_stamp).where(*mine).with_for_update())
    stamps: list[str] = []
    for _ in range(count):
        last = next_stamp(to_ms(unit.now), last or None, actor)
        stamps.append(last)
    unit.session.execute(
        update(WriterKey)
        .where(*mine)
        .values(last_stamp=last or "", built=WriterKey.built + count)
        .execution_options(synchronize_session=False)
    )
    return stamps
