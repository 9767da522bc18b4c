"""What a push answers, op by op (docs/protocol/sync.md section 3). Reads what `push` judged,
and for a resend what the ledger says became of the op since.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.models import ParkedOp
from fieldapi.services.ops import store
from fieldapi.services.ops.arrival import Arrival
from fieldapi.services.ops.draft import Draft
from fieldapi.services.ops.store import OpKey, RecordKey
from sync.merge import WITHDRAWN, review_id
from sync.wire import JSON

APPLIED, CONFLICT, HELD, RETRY = "applied", "conflict", "held", "retry"
QUARANTINED, REJECTED, CORRECTED = "quarantined", "rejected", "corrected"

Result = dict[str, JSON]


def results_of(
    session: Session,
    authority_id: str,
    arrivals: Sequence[Arrival],
    drafts: Mapping[RecordKey, Draft],
) -> list[Result]:
    """Return the positional answers. Call it after the commit: entries have their `seq` then."""
    resent = [one for one in arrivals if one.is_replay]
    parked = store.parked_ops(session, authority_id, [one.key for one in resent])
    seqs = ledger.seqs_of_ops(session, authority_id, {one.name for one in resent})
    results = [
        _replayed(one, drafts, parked, seqs) if one.is_replay else _fresh(one, drafts)
        for one in arrivals
    ]
    _name_corrections(session, authority_id, results, arrivals)
    return results


def _name_corrections(
    session: Session, authority_id: str, results: Sequence[Result], arrivals: Sequence[Arrival]
) -> None:
    """Say by which op each one was corrected that has been."""
    fixed = {
        arrival.name: result
        for result, arrival in zip(results, arrivals, strict=True)
        if result.get("code") == CORRECTED
    }
    for entry in ledger.entries_of_ops(session, authority_id, list(fixed)) if fixed else ():
        if "by_op" in entry:
            fixed[entry["op"]]["by_op"] = entry["by_op"]


def _named(arrival: Arrival) -> Result:
    """Name an op as its phone does; `key`: the hash it is kept under where that name is taken,
    or stands for nothing that could be read.
    """
    named: Result = {"i": arrival.index, "op": arrival.sent_id}
    return named if arrival.sent_id == arrival.op_id else {**named, "key": arrival.op_id}


def _fresh(arrival: Arrival, drafts: Mapping[RecordKey, Draft]) -> Result:
    if arrival.retry_after_ms is not None:
        lost: Result = {"i": arrival.index, "op": arrival.sent_id, "status": RETRY}
        return {**lost, "retry_after_ms": arrival.retry_after_ms}
    result = {**_named(arrival), "replayed": False}
    result["seq"] = arrival.entry.seq if arrival.entry else None
    code = arrival.code or arrival.held
    if code:
        return {**result, "status": QUARANTINED if arrival.code else HELD, "code": code}
    return {**result, **_merged(arrival, drafts, arrival.faults)}


def _merged(
    arrival: Arrival, drafts: Mapping[RecordKey, Draft], faults: Mapping[str, str]
) -> Result:
    """Say what the record shows now in the fields of an op that was merged, in whole or part."""
    draft = drafts.get((arrival.kind, arrival.record_id))
    if arrival.op is None or draft is None:
        return {"status": APPLIED}
    reviews = {
        one.field: review_id(draft.authority_id, draft.kind, draft.record_id, one.field)
        for one in draft.view.open_reviews
    }
    fields: dict[str, JSON] = {}
    for name in sorted(arrival.op.fields):
        said: dict[str, JSON] = {"shown": draft.view.shown.get(name)}
        if name in reviews:
            said["review"] = reviews[name]
        if name in faults:
            said["code"] = faults[name]
        fields[name] = said
    if faults:
        parked_only = set(faults) >= arrival.op.fields
        return {"status": QUARANTINED, "applied": not parked_only, "fields": fields}
    return {"status": _status(arrival, reviews), "fields": fields}


def _status(arrival: Arrival, reviews: Mapping[str, str]) -> str:
    """A review on `withdrawn` is a conflict of the retracts and of the op that opened it, not of
    every later op.
    """
    op = arrival.op
    if op is None:
        return APPLIED
    fields = set(op.fields) - {WITHDRAWN}
    if op.retract is not None or arrival.disputes_withdrawal:
        fields.add(WITHDRAWN)
    return CONFLICT if fields & reviews.keys() else APPLIED


def _replayed(
    arrival: Arrival,
    drafts: Mapping[RecordKey, Draft],
    parked: Mapping[OpKey, ParkedOp],
    seqs: Mapping[str, int],
) -> Result:
    row = parked.get(arrival.key)
    result = {**_named(arrival), "replayed": True, "seq": seqs.get(arrival.name)}
    if row is None or row.resolved in {"released", "merged"}:
        return {**result, **_merged(arrival, drafts, {})}
    if row.resolved == REJECTED:
        return {**result, "status": REJECTED, "code": row.code, "reason": row.reason}
    if row.resolved == CORRECTED:
        told = {**_merged(arrival, drafts, {}), "status": APPLIED, "code": CORRECTED}
        return {**result, **told}
    if row.status in {HELD, QUARANTINED}:
        return {**result, "status": row.status, "code": row.code}
    return {**result, **_merged(arrival, drafts, json.loads(row.faults))}
