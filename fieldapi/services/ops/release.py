"""Ops that waited for a person: merged in the order of their first receipt, or turned down.

Called when a device is confirmed or rejected, and by a reviewer's verdict on a single op.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace

from sqlalchemy import select

from fieldapi import ledger
from fieldapi.domain.access import Principal, require
from fieldapi.domain.words import sentence
from fieldapi.ids import server_actor
from fieldapi.models import RECORDS, Device, ParkedOp
from fieldapi.problems import Conflict, NotAllowed, NotFound, ReasonNeeded
from fieldapi.services.ops import audience, corrections, rights, store
from fieldapi.services.ops.arrival import DEVICE_PENDING, NOT_YOURS, TOO_LATE, Arrival
from fieldapi.services.ops.draft import Draft, creates, read_back, was_let_in
from fieldapi.services.ops.push import hold_what_was_not_theirs, write_back
from fieldapi.services.ops.resolving import resolve
from fieldapi.services.ops.retracts import is_too_late
from fieldapi.services.ops.store import RecordKey, waits_as
from fieldapi.services.ops.writers import people_on, standing_of, writer_of
from fieldapi.unit import Unit
from sync.op import Op
from sync.wire import JSON

RELEASED, REJECTED = "released", "rejected"
# Ops that wait as a whole. Where only fields do, a correction is what they wait for.
_WHOLE = frozenset({"held", "quarantined"})
_UNREADABLE = sentence("Nobody could read this op: it can be corrected or turned down, not let in.")


def release_device(unit: Unit, authority_id: str, device_actor: str, *, actor: str) -> int:
    """Merge what a device handed in while it was pending; returns how many ops were released.

    Only what waited for the confirmation alone: an op that is also not its author's to write
    stays held for a reviewer.
    """
    rows = _waiting(unit, authority_id, device_actor)
    return release(unit, rows, actor=actor, reason=None)


def reject_device(
    unit: Unit, authority_id: str, device_actor: str, *, actor: str, reason: str
) -> int:
    """Turn down what a rejected device handed in: stored and listed, never merged."""
    rows = _waiting(unit, authority_id, device_actor)
    for row in rows:
        resolve(unit, row, REJECTED, actor=actor, reason=reason)
    return len(rows)


def judge_op(
    unit: Unit, principal: Principal, key: store.OpKey, verdict: str, *, reason: str
) -> None:
    """Release or reject one op that waits as a whole; the same verdict again changes nothing.

    Raises `NotAllowed` (role; its author), `NotFound`, `ReasonNeeded`, `Conflict` if it was judged
    otherwise, or cannot be let in because nobody could read it.
    """
    require(principal, "op.judge")
    row = _locked(unit, principal.authority_id, key)
    if row.by == principal.person_id:
        raise NotAllowed(sentence("Whoever wrote an op does not judge it."), reason="author")
    if row.resolved == verdict or (verdict == RELEASED and was_let_in(row)):
        return
    if not reason.strip():
        raise ReasonNeeded(errors={"reason": [sentence("Write the reason: it reaches the phone.")]})
    _require_open(row, verdict)
    if verdict == RELEASED:
        release(unit, [row], actor=principal.actor, reason=reason)
    else:
        resolve(unit, row, REJECTED, actor=principal.actor, reason=reason)


def _locked(unit: Unit, authority_id: str, key: store.OpKey) -> ParkedOp:
    """Return an op that waits, behind the lock of its record. Raises `NotFound`."""
    row = unit.session.get(ParkedOp, (authority_id, *key))
    if row is None or (row.status not in _WHOLE and not was_let_in(row)):
        raise NotFound(sentence("No such op waits here."))
    if row.kind in RECORDS and row.status == "held":
        store.lock_records(unit.session, authority_id, [(row.kind, row.record_id)], unit.now)
        unit.session.refresh(row)
    return row


def _require_open(row: ParkedOp, verdict: str) -> None:
    current: JSON = {"op": row.op, "status": row.status, "resolved": row.resolved}
    if row.resolved is not None or was_let_in(row):
        raise Conflict(sentence("This was decided on already."), current=current)
    if verdict == RELEASED and row.status != "held":
        raise Conflict(_UNREADABLE, current=current)


def _waiting(unit: Unit, authority_id: str, device_actor: str) -> list[ParkedOp]:
    """Return the held ops of a pending device in the order of their entries: those it wrote, and
    those the server wrote for what it sent by REST.
    """
    actors = (device_actor, server_actor(device_actor))
    rows = unit.session.scalars(
        select(ParkedOp).where(
            ParkedOp.authority_id == authority_id,
            ParkedOp.actor.in_(actors),
            ParkedOp.status == "held",
            ParkedOp.code == DEVICE_PENDING,
            ParkedOp.resolved.is_(None),
        )
    ).all()
    names = {f"{row.actor}/{row.op}": row for row in rows}
    seqs = ledger.seqs_of_ops(unit.session, authority_id, names)
    return [names[name] for name in sorted(names, key=lambda name: seqs.get(name, 0))]


def release(unit: Unit, rows: Iterable[ParkedOp], *, actor: str, reason: str | None) -> int:
    """Merge held ops in the order given; returns how many were merged."""
    rows = list(rows)
    if not rows:
        return 0
    authority_id = rows[0].authority_id
    locked = store.lock_records(
        unit.session, authority_id, [(row.kind, row.record_id) for row in rows], unit.now
    )
    drafts = {key: Draft.open(unit.session, authority_id, key, row) for key, row in locked.items()}
    released: dict[store.OpKey, Op] = {}
    for row in rows:
        op = _merge(unit, row, drafts, is_judged=reason is not None)
        if op is not None:
            released[row.actor, row.op] = op
    moved = audience.case_moves(unit.session, drafts.values())
    write_back(unit, drafts.values())
    for row in rows:
        if (row.actor, row.op) in released:
            _tell(unit, row, actor=actor, reason=reason)
    audience.enter(unit, moved, actor=actor)
    corrections.settle(unit, released.values(), drafts, actor=actor)
    return len(released)


def _merge(
    unit: Unit, row: ParkedOp, drafts: Mapping[RecordKey, Draft], *, is_judged: bool
) -> Op | None:
    """Merge one held op and return it; None if it still has to wait for somebody who judges it."""
    draft = drafts[row.kind, row.record_id]
    stored = next(
        stored for stored, _ in draft.history() if (stored.actor, stored.op) == (row.actor, row.op)
    )
    op = read_back(stored, row)
    if not is_judged:
        code, foreign = _rights(unit, op, draft, drafts)
        if code is not None:
            row.code = code
            return None
        op = _park(unit, row, op, foreign)
    draft.admitted.add((row.actor, row.op))
    is_late_create = creates(op) and draft.author_id is None and draft.has_ops
    draft.apply(op, is_signed=stored.is_signed)
    if is_late_create:
        hold_what_was_not_theirs(unit, draft, drafts.values(), via="release")
    return op


def _rights(
    unit: Unit, op: Op, draft: Draft, drafts: Mapping[RecordKey, Draft]
) -> tuple[str | None, Mapping[str, str]]:
    """Return why an op still waits as a whole, or else which of its fields its author may not
    write, as a push would.
    """
    if not _is_named_there(unit, draft.authority_id, op):
        return NOT_YOURS, {}
    writer = writer_of(unit.session, draft.authority_id, op.by, unit.now)
    arrival = Arrival(0, b"", op.actor, op.id, op.kind, op.record, op.by, b"")
    rights.judge(arrival, op, writer, standing_of(draft, op, writer, drafts.values()))
    if arrival.held is None and is_too_late(unit.session, draft, op, drafts):
        arrival.held = TOO_LATE
    return arrival.held, arrival.faults


def _is_named_there(unit: Unit, authority_id: str, op: Op) -> bool:
    """Say whether the device of an op may name its author, and meant this authority. What the
    server wrote for a device names the device's own person.
    """
    at = (Device.authority_id == authority_id, Device.actor == op.actor)
    device_id = unit.session.scalar(select(Device.id).where(*at))
    if op.authority not in {None, authority_id}:
        return False
    return device_id is None or op.by in people_on(unit.session, authority_id, device_id, unit.now)


def _park(unit: Unit, row: ParkedOp, op: Op, foreign: Mapping[str, str]) -> Op:
    """Keep fields out of an op that comes in; return it as it is merged."""
    if not foreign:
        return op
    row.faults = json.dumps(dict(foreign) | json.loads(row.faults), sort_keys=True)
    unit.session.flush()  # a refold reads the row
    return replace(op, parked=op.parked | foreign.keys())


def _tell(unit: Unit, row: ParkedOp, *, actor: str, reason: str | None) -> None:
    """Say that an op was let in; a part of it that could not be used waits on by itself."""
    faults: dict[str, str] = json.loads(row.faults)
    if not faults:
        resolve(unit, row, RELEASED, actor=actor, reason=reason)
        return
    row.status, row.code = str(waits_as(faults)), faults[min(faults)]
    entry = f"op.{RELEASED}"
    resolve(unit, row, None, actor=actor, entry=entry, reason=reason, parked=faults)
