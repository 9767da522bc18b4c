"""Corrections of ops that could not be used, wholly or in a field: an op says which one it `fixes`.

Called by `push` and `release` once ops are merged. What was parked is never merged itself: the
correction is an op of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.models import ParkedOp
from fieldapi.models.bulk import among
from fieldapi.services.ops.draft import Draft, merged_ops
from fieldapi.services.ops.resolving import resolve
from fieldapi.services.ops.store import RecordKey
from fieldapi.unit import Unit
from sync.op import Op

CORRECTED = "corrected"


def settle(
    unit: Unit, merged: Iterable[Op], drafts: Mapping[RecordKey, Draft], *, actor: str
) -> None:
    """Mark as corrected what these merged ops have corrected in full. One by somebody else than
    its author or a reviewer corrects nothing.
    """
    fixing = [op for op in merged if op.fixes is not None]
    if not fixing:
        return
    authority_id = next(iter(drafts.values())).authority_id
    for row in _uncorrected(unit.session, authority_id, fixing):
        meant = [op for op in fixing if _fixes(op, row)]
        if meant and _is_corrected(row, drafts, meant):
            resolve(unit, row, CORRECTED, actor=actor, by_op=meant[-1].key)


def _uncorrected(session: Session, authority_id: str, fixing: Sequence[Op]) -> list[ParkedOp]:
    """Return what waits under a name that is to be fixed; how many wait at all keeps this short."""
    names = {(op.fixes or "").rpartition("/")[2] for op in fixing}
    query = select(ParkedOp).where(
        ParkedOp.authority_id == authority_id,
        ParkedOp.status.in_(("quarantined", "partial")),
        ParkedOp.resolved.is_(None),
        among(session, ParkedOp.op, names),
    )
    return list(session.scalars(query.order_by(ParkedOp.actor, ParkedOp.op)))


def _fixes(op: Op, row: ParkedOp) -> bool:
    """Say whether an op corrects this one: by its author, or a reviewer's; on the same record if
    only a field of it is to be corrected.
    """
    is_named = op.fixes in {row.op, f"{row.actor}/{row.op}"}
    is_entitled = op.is_decision or op.by == row.by
    is_there = row.status == "quarantined" or (op.kind, op.record) == (row.kind, row.record_id)
    return is_named and is_entitled and is_there


def _is_corrected(row: ParkedOp, drafts: Mapping[RecordKey, Draft], meant: Iterable[Op]) -> bool:
    """Say whether every parked field was corrected, by these ops or by earlier ones."""
    if row.status == "quarantined":
        return True
    draft = drafts[row.kind, row.record_id]
    earlier = (op for op, _ in merged_ops(draft.history(), without=draft.waiting))
    fixed = [*meant, *(op for op in earlier if op.fixes is not None and _fixes(op, row))]
    parked: dict[str, str] = json.loads(row.faults)
    return parked.keys() <= {name for op in fixed for name in op.fields - op.parked}
