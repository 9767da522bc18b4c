"""Fields that a newer phone sent before the server knew them: merged from the op they came in,
under its own stamp, once an upgrade has brought them.

Pending work: the database says which ops wait, a job does one at a time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from fieldapi.domain import records
from fieldapi.domain.checks import DEFERRED
from fieldapi.house import House
from fieldapi.jobs import Job
from fieldapi.models import OpRow, ParkedOp
from fieldapi.services.authorise import OPERATOR_ACTOR, operator
from fieldapi.services.ops import audience, flagging, store
from fieldapi.services.ops.arrival import Delivery, faults_of
from fieldapi.services.ops.build import delivery_of
from fieldapi.services.ops.draft import Draft, read_back
from fieldapi.services.ops.push import write_back
from fieldapi.services.ops.resolving import resolve
from fieldapi.services.ops.scene import scene_of
from fieldapi.unit import Unit

MERGED = "merged"
_AT_ONCE = 200


def merging(house: House) -> Job:
    """Return the job that merges fields which wait for this version."""
    return Job(
        "deferred fields",
        _pending,
        lambda subject: house.database.transact(lambda unit: merge(house, unit, subject)),
    )


def _pending(session: Session) -> list[str]:
    """Return the ops, as `authority/actor/op`, with fields that this version may know."""
    is_op = and_(
        OpRow.authority_id == ParkedOp.authority_id,
        OpRow.actor == ParkedOp.actor,
        OpRow.op == ParkedOp.op,
    )
    query = (
        select(ParkedOp.authority_id, ParkedOp.actor, ParkedOp.op)
        .join(OpRow, is_op)
        .where(
            ParkedOp.status.in_(("deferred", "partial")),
            ParkedOp.resolved.is_(None),
            ParkedOp.faults.contains(f'"{DEFERRED}"'),
            OpRow.schema <= records.SCHEMA_VERSION,
        )
        .order_by(ParkedOp.received_at, ParkedOp.actor, ParkedOp.op)
        .limit(_AT_ONCE)
    )
    return ["/".join(row) for row in session.execute(query)]


def merge(house: House, unit: Unit, subject: str) -> None:
    """Merge the deferred fields of one op; what this version cannot take either is parked."""
    authority_id, actor, op_id = subject.split("/")
    row = unit.session.get_one(ParkedOp, (authority_id, actor, op_id))
    key = (row.kind, row.record_id)
    locked = store.lock_records(unit.session, authority_id, [key], unit.now)
    unit.session.refresh(row)
    delivery = delivery_of(unit, operator(authority_id), scene_of(unit, house.packs, authority_id))
    draft = Draft.open(unit.session, authority_id, key, locked[key])
    before = json.loads(row.faults)
    after = _still_parked(delivery, draft, row, before)
    row.faults = json.dumps(after, sort_keys=True)
    unit.session.flush()
    draft.refold()
    drafts = {key: draft}
    moved = audience.case_moves(unit.session, drafts.values())
    write_back(unit, drafts.values())
    _tell(unit, row, before, after)
    audience.enter(unit, moved, actor=OPERATOR_ACTOR)
    flagging.raise_flags(unit, delivery, [], drafts)


def _still_parked(
    delivery: Delivery, draft: Draft, row: ParkedOp, faults: Mapping[str, str]
) -> dict[str, str]:
    stored = next(
        stored for stored, _ in draft.history() if (stored.actor, stored.op) == (row.actor, row.op)
    )
    now = faults_of(read_back(stored, None), profile=delivery.profile, schema=0)
    return {
        name: now.get(name, "") if code == DEFERRED else code
        for name, code in faults.items()
        if code != DEFERRED or name in now
    }


def _tell(unit: Unit, row: ParkedOp, before: Mapping[str, str], after: Mapping[str, str]) -> None:
    """Say what was merged. An op of which nothing waits any more is done with."""
    merged = sorted(before.keys() - after.keys())
    if after:
        row.status, row.code = "partial", next(iter(after.values()))
    resolve(
        unit,
        row,
        None if after else MERGED,
        actor=OPERATOR_ACTOR,
        entry="op.deferred_applied",
        fields=merged,
        parked=dict(after),
    )
