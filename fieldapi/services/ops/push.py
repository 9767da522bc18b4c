"""The one write path of captured records: ops in, merged records and ledger entries out.

REST, sync, console and imports all end here. The caller holds the unit of work; nothing in here
commits, and a fault of one op never touches its neighbours.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from fieldapi.failpoints import failpoint
from fieldapi.ledger import Detail, PendingEntry
from fieldapi.services.ops import (
    audience,
    corrections,
    counters,
    deciding,
    erasing,
    filling,
    flagging,
    resubmission,
    rights,
    store,
)
from fieldapi.services.ops.arrival import ID_REUSE, NOT_YOURS, TOO_LATE, Arrival, Delivery, arrive
from fieldapi.services.ops.draft import Draft, creates, merged_ops, was_let_in
from fieldapi.services.ops.retracts import is_too_late
from fieldapi.services.ops.store import RecordKey
from fieldapi.services.ops.writers import standing_of, writer_of
from fieldapi.unit import Unit
from sync.op import Op
from sync.wire import Slice

Drafts = dict[RecordKey, Draft]


def push(unit: Unit, delivery: Delivery, parts: Sequence[Slice]) -> tuple[list[Arrival], Drafts]:
    """Take the ops of one delivery; returns them judged, in order, and the records they touched."""
    return take(unit, delivery, [arrive(delivery, i, part) for i, part in enumerate(parts)])


def take(unit: Unit, delivery: Delivery, arrivals: list[Arrival]) -> tuple[list[Arrival], Drafts]:
    """Store, judge and merge ops that have arrived. Ledger entries follow the order given."""
    failpoint("push.begun")
    drafts = _lock(unit, delivery, arrivals)
    deciding.refuse_own(arrivals, drafts)
    failpoint("push.locked")
    fresh = _keep(unit, delivery, arrivals)
    failpoint("push.kept")
    counters.suspect_clocks((delivery.own, *delivery.senders.values()), fresh)
    # Parked before anything is merged: a refold on the way must know what stays out.
    store.park(unit.session, delivery, fresh)
    failpoint("push.parked")
    readable = [one for one in fresh if one.op is not None and one.code is None]
    for arrival in readable:
        drafts[arrival.kind, arrival.record_id].expect(arrival)
    for arrival in readable:
        _merge(unit, delivery, arrival, drafts)
    moved = audience.case_moves(unit.session, drafts.values())
    failpoint("push.merged")
    write_back(unit, drafts.values())
    failpoint("push.written")
    for arrival in fresh:
        arrival.entry = _enter(unit, delivery, arrival)
    audience.enter(unit, moved, actor=delivery.principal.actor)
    failpoint("push.entered")
    merged = [one.op for one in fresh if one.is_merged and one.op is not None]
    corrections.settle(unit, merged, drafts, actor=delivery.principal.actor)
    flagging.raise_flags(unit, delivery, fresh, drafts)
    failpoint("push.flagged")
    resubmission.resubmit_after_correction(unit, delivery, fresh, drafts)
    return arrivals, drafts


def _lock(unit: Unit, delivery: Delivery, arrivals: Iterable[Arrival]) -> Drafts:
    keys = {(one.kind, one.record_id) for one in arrivals if one.op is not None}
    authority_id = delivery.principal.authority_id
    rows = store.lock_records(unit.session, authority_id, keys, unit.now)
    return {key: Draft.open(unit.session, authority_id, key, row) for key, row in rows.items()}


def _keep(unit: Unit, delivery: Delivery, arrivals: list[Arrival]) -> list[Arrival]:
    """Store what is new. A resend is marked; another content under a known id is quarantined."""
    fresh = _fresh(unit, delivery, arrivals)
    filling.fill(unit, delivery, fresh)
    erasing.forget_erased(unit.session, delivery.principal.authority_id, fresh)
    new = store.keep_ops(unit.session, delivery, fresh)
    late = [one for one in fresh if one.key not in new]
    if not late:
        return fresh
    # Another request stored the same keys between our look and our insert: look once more.
    again = _fresh(unit, delivery, late)
    store.keep_ops(unit.session, delivery, again)
    kept = [one for one in fresh if one.key in new and not one.is_replay]
    return sorted([*kept, *again], key=lambda one: one.index)


def _fresh(unit: Unit, delivery: Delivery, arrivals: Iterable[Arrival]) -> list[Arrival]:
    """Return the arrivals that nobody sent before; mark resends, rename reused ids."""
    fresh, reused = _sort_out(unit, delivery, arrivals)
    if not reused:
        return fresh
    for arrival in reused:
        _rename(arrival)
    again, _ = _sort_out(unit, delivery, reused)
    return sorted([*fresh, *again], key=lambda one: one.index)


def _sort_out(
    unit: Unit, delivery: Delivery, arrivals: Iterable[Arrival]
) -> tuple[list[Arrival], list[Arrival]]:
    """Return what is new, and what bears the id of other content; mark the resends."""
    arrivals = list(arrivals)
    authority_id = delivery.principal.authority_id
    known = store.known_ops(unit.session, authority_id, [one.key for one in arrivals])
    digests = {key: one.digest for key, one in known.items()}
    fresh: list[Arrival] = []
    reused: list[Arrival] = []
    for arrival in arrivals:
        digest = digests.get(arrival.key)
        if digest is None:
            digests[arrival.key] = arrival.digest
            fresh.append(arrival)
        elif digest == arrival.digest:
            arrival.is_replay = True
        else:
            reused.append(arrival)
    return fresh, reused


def _rename(arrival: Arrival) -> None:
    """Quarantine an op whose id is taken, under the hash of its bytes: sent again, it is known."""
    arrival.code, arrival.op, arrival.held, arrival.faults = ID_REUSE, None, None, {}
    arrival.op_id = hashlib.sha256(arrival.raw).hexdigest()
    arrival.is_personal = True


def _merge(unit: Unit, delivery: Delivery, arrival: Arrival, drafts: Drafts) -> None:
    op, draft = arrival.op, drafts[arrival.kind, arrival.record_id]
    if op is None:
        raise ValueError("only an op that was read can be merged")
    if arrival.held is None:
        _judge(unit, arrival, op, drafts)
    if arrival.held is not None:
        return
    if op.parked != arrival.faults.keys():
        arrival.op = op = replace(op, parked=frozenset(arrival.faults))
    is_late_create = creates(op) and draft.author_id is None and draft.has_ops
    was_disputed = draft.is_withdrawal_disputed
    draft.apply(op, is_signed=arrival.is_signed)
    arrival.disputes_withdrawal = draft.is_withdrawal_disputed and not was_disputed
    if is_late_create:
        hold_what_was_not_theirs(unit, draft, drafts.values(), via=delivery.via)


def _judge(unit: Unit, arrival: Arrival, op: Op, drafts: Drafts) -> None:
    """Apply the rights of its writer to an op, and park what they do not cover."""
    writer, draft = arrival.writer, drafts[arrival.kind, arrival.record_id]
    if writer is None:
        raise ValueError("an op of somebody unknown is held before it comes here")
    known = dict(arrival.faults)
    rights.judge(arrival, op, writer, standing_of(draft, op, writer, drafts.values()))
    if arrival.held is None and is_too_late(unit.session, draft, op, drafts):
        arrival.held = TOO_LATE
    if arrival.held is not None or arrival.faults != known:
        store.park_again(unit.session, draft.authority_id, arrival, unit.now)


def hold_what_was_not_theirs(
    unit: Unit, draft: Draft, drafts: Collection[Draft], *, via: str
) -> None:
    """Judge again, now that the author is known, the ops that came before the create."""
    history = draft.history()
    let_in = {(stored.actor, stored.op) for stored, parked in history if was_let_in(parked)}
    let_in |= draft.admitted
    held = [
        _held_late(draft, op, stored)
        for op, stored in merged_ops(history, without=draft.waiting | let_in)
        if not _has_right(unit, draft, op, drafts)
    ]
    if not held:
        return
    for one in held:
        one.held = NOT_YOURS
        store.park_again(unit.session, draft.authority_id, one, unit.now)
    draft.refold()
    for one in held:
        # What came with this very push has its first entry yet to come.
        if one.key in draft.arrived:
            continue
        unit.enter(
            draft.authority_id,
            "op.held",
            subject=f"{one.kind}/{one.record_id}",
            actor=one.actor,
            op=one.name,
            moves=True,
            code=NOT_YOURS,
            via=via,
        )


def _has_right(unit: Unit, draft: Draft, op: Op, drafts: Collection[Draft]) -> bool:
    if op.by == draft.author_id:
        return op.decision is None or not op.is_decision
    if op.is_decision:
        return True
    writer = writer_of(unit.session, draft.authority_id, op.by, unit.now)
    standing = standing_of(draft, op, writer, drafts)
    allowed = rights.allowed_fields(op, writer, standing)
    return allowed is None or op.fields - op.parked <= allowed


def _held_late(draft: Draft, op: Op, stored: store.StoredOp) -> Arrival:
    arrived = draft.arrived.get((op.actor, op.id))
    return arrived or Arrival(
        index=0,
        raw=stored.payload,
        actor=op.actor,
        op_id=op.id,
        kind=draft.kind,
        record_id=draft.record_id,
        by=op.by,
        digest=b"",
    )


def write_back(unit: Unit, drafts: Iterable[Draft]) -> None:
    """Write every touched record to its row."""
    by_kind: dict[str, list[Draft]] = {}
    for draft in drafts:
        if draft.is_touched:
            by_kind.setdefault(draft.kind, []).append(draft)
    for kind, touched in by_kind.items():
        at = touched[0].authority_id
        store.write_records(unit.session, at, kind, [draft.columns() for draft in touched])
        if kind == "seizure":
            store.rank_again(unit.session, at, [one.record_id for one in touched if one.row.heads])


def _enter(unit: Unit, delivery: Delivery, arrival: Arrival) -> PendingEntry:
    """Enter one stored op: what it was is hashed, what it came to is said."""
    authority_id = delivery.principal.authority_id
    subject = (
        f"{arrival.kind}/{arrival.record_id}" if arrival.op is not None else f"op/{arrival.op_id}"
    )
    details: dict[str, Detail] = {
        "by": arrival.by,
        "via": delivery.via,
        "sha256": hashlib.sha256(arrival.salt + arrival.raw).hexdigest(),
    }
    if arrival.code or arrival.held:
        details["code"] = arrival.code or arrival.held or ""
    if arrival.op is not None:
        details["fields"] = sorted(arrival.op.fields)
        details |= _judgement(arrival.op)
    if delivery.schema != 1:
        details["schema"] = delivery.schema
    if arrival.filled is not None:
        details["base"] = hashlib.sha256(arrival.filled.encode()).hexdigest()
    if arrival.faults:
        details["parked"] = arrival.faults
    if arrival.signature is not None:
        details |= _signed(arrival.signature, is_checked=arrival.is_signed)
    status = "quarantined" if arrival.code else "held" if arrival.held else "applied"
    return unit.enter(
        authority_id,
        f"op.{status}",
        subject=subject,
        actor=arrival.actor,
        op=arrival.name,
        moves=status == "applied",
        **details,
    )


def _signed(signature: str, *, is_checked: bool) -> dict[str, Detail]:
    """Return what is said of a signed op; the signature itself is evidence, so it is hashed too."""
    said: dict[str, Detail] = {"signature": hashlib.sha256(signature.encode()).hexdigest()}
    return {**said, "signed": 1} if is_checked else said


def _judgement(op: Op) -> dict[str, Detail]:
    """Return what the server added to an op, where it is out of the ordinary: `ledger verify`
    holds the stored op to it.
    """
    said: dict[str, Detail] = {}
    if op.effective != op.at:
        said["effective"] = op.effective
    if op.nobase:
        said["nobase"] = 1
    if op.is_decision:
        said["decision"] = 1
    return said
