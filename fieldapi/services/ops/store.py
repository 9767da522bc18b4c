"""The SQL of a push: locks records, keeps ops, reads histories, writes records back. No rules.

Bulk statements throughout: a batch of a hundred ops is a handful of round trips.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from sqlalchemy import ColumnElement, Select, bindparam, select, tuple_, update
from sqlalchemy.orm import Session

from fieldapi.domain.urgency import fresh_at
from fieldapi.models import RECORDS, OpErasure, OpPayload, OpRow, ParkedOp, Urgency
from fieldapi.models.bulk import among, insert_many, insert_new, update_many
from fieldapi.models.insert import insert_into
from fieldapi.models.once import among_named, made_once
from fieldapi.services.ops.arrival import Arrival, Delivery
from sync.wire import JSON

OpKey = tuple[str, str]
RecordKey = tuple[str, str]
FIRST_STATE = "received"  # of a seizure, until somebody reviews it


@dataclass(frozen=True, slots=True)
class LockedRow:
    """A record as it stands while a push holds its lock. `heads`: "" before any op applied."""

    author_id: str | None
    author_actor: str | None
    heads: str
    shown: Mapping[str, JSON]
    is_signed: bool = False

    @classmethod
    def bare(cls) -> Self:
        """Return a row that was only just made."""
        return cls(None, None, "", {})


@dataclass(frozen=True, slots=True)
class KnownOp:
    """An op that was stored before: enough to answer a resend and to see a reused id."""

    digest: bytes
    kind: str
    record_id: str


@dataclass(frozen=True, slots=True)
class StoredOp:
    """An op read back for a refold or a release: its bytes and what the server added."""

    actor: str
    op: str
    payload: bytes
    effective: int
    nobase: bool
    filled: str | None
    is_decision: bool
    is_signed: bool
    is_personal: bool
    received_at: datetime
    erased: str | None
    beside: str | None


History = list[tuple[StoredOp, ParkedOp | None]]


def lock_records(
    session: Session, authority_id: str, keys: Iterable[RecordKey], now: datetime
) -> dict[RecordKey, LockedRow]:
    """Give every named record a row, lock them all in order, and return them.

    A new record needs a row to lock: without it two first writes of one id would lose one.
    """
    by_kind: dict[str, list[str]] = {}
    for kind, record_id in sorted(set(keys)):
        by_kind.setdefault(kind, []).append(record_id)
    locked: dict[RecordKey, LockedRow] = {}
    for kind, ids in by_kind.items():
        if make_rows(session, authority_id, kind, ids, now=now) == len(ids):
            # All of them are ours, uncommitted: nobody else can hold or see them.
            locked.update({(kind, one): LockedRow.bare() for one in ids})
        else:
            locked.update(_lock_kind(session, authority_id, kind, ids))
    return locked


def _bare(authority_id: str, record_id: str, now: datetime) -> dict[str, object]:
    return {
        "authority_id": authority_id,
        "id": record_id,
        "received_at": now,
        "heads": "",
        "shown": "{}",
        "is_incomplete": True,
        "is_withdrawn": False,
        "has_open_review": False,
        "is_signed": False,
    }


def _place(authority_id: str, record_id: str, now: datetime) -> dict[str, object]:
    """Return the place of a new report in the list of reviewers, until a job has looked."""
    return {
        "authority_id": authority_id,
        "seizure_id": record_id,
        "due_at": fresh_at(now),
        "is_ranked": False,
    }


def make_rows(
    session: Session, authority_id: str, kind: str, ids: Collection[str], *, now: datetime
) -> int:
    """Give every named record of a kind an empty row, unless it has one; return how many got it."""
    rows = [_bare(authority_id, one, now) for one in ids]
    if kind == "seizure":
        rows = [{**row, "state": FIRST_STATE} for row in rows]
        insert_many(session, Urgency, [_place(authority_id, one, now) for one in ids])
    return insert_many(session, RECORDS[kind], rows)


def rank_again(session: Session, authority_id: str, seizure_ids: Collection[str]) -> None:
    """Let the job look again at how urgent cases are: something in them has changed."""
    if seizure_ids:
        session.execute(
            update(Urgency)
            .where(
                Urgency.authority_id == authority_id,
                among(session, Urgency.seizure_id, seizure_ids),
            )
            .values(is_ranked=False)
            .execution_options(synchronize_session=False)
        )


def _lock_kind(
    session: Session, authority_id: str, kind: str, ids: Collection[str]
) -> dict[RecordKey, LockedRow]:
    row = RECORDS[kind]
    query = (
        select(row.id, row.author_id, row.author_actor, row.heads, row.shown, row.is_signed)
        .where(row.authority_id == authority_id, among(session, row.id, ids))
        .order_by(row.id)
        .with_for_update()
    )
    return {
        (kind, record_id): LockedRow(
            author_id, author_actor, heads, json.loads(shown), is_signed=is_signed
        )
        for record_id, author_id, author_actor, heads, shown, is_signed in session.execute(query)
    }


def known_ops(session: Session, authority_id: str, keys: Iterable[OpKey]) -> dict[OpKey, KnownOp]:
    """Return the ops among `keys` that are stored already."""
    wanted = sorted(set(keys))
    if not wanted:
        return {}
    asked = {
        "authority": authority_id,
        "actors": sorted({actor for actor, _ in wanted}),
        "ops": sorted({op for _, op in wanted}),
    }
    rows = session.execute(_known_query(session), asked)
    return {(a, o): KnownOp(digest, k, r) for a, o, digest, k, r in rows}


@made_once
def _known_query(session: Session) -> Select[str, str, bytes, str, str]:
    # Two lists rather than pairs: a superset, at the price of two binds.
    return select(OpRow.actor, OpRow.op, OpRow.digest, OpRow.kind, OpRow.record_id).where(
        OpRow.authority_id == bindparam("authority"),
        among_named(session, OpRow.actor, "actors"),
        among_named(session, OpRow.op, "ops"),
    )


def keep_ops(session: Session, delivery: Delivery, arrivals: Sequence[Arrival]) -> set[OpKey]:
    """Store the ops and the payloads of the personal ones; return the keys that were new."""
    if not arrivals:
        return set()
    rows = [_op_row(delivery, one) for one in arrivals]
    new = {(actor, op) for actor, op in insert_new(session, OpRow, rows, key=("actor", "op"))}
    personal = [one for one in arrivals if one.is_personal and one.key in new]
    payloads = [_payload_row(delivery, one) for one in personal]
    if payloads:
        insert_many(session, OpPayload, payloads)
    return new


def _op_row(delivery: Delivery, arrival: Arrival) -> dict[str, object]:
    op = arrival.op
    return {
        "authority_id": delivery.principal.authority_id,
        "actor": arrival.actor,
        "op": arrival.op_id,
        "kind": arrival.kind,
        "record_id": arrival.record_id,
        "by": arrival.by,
        "via": delivery.via,
        "stamp": op.stamp if op else "",
        "at": op.at if op else None,
        "n": op.n if op else None,
        "effective": arrival.effective,
        "received_at": delivery.received_at,
        "schema": delivery.schema,
        "nobase": op.nobase if op else False,
        "filled": arrival.filled,
        "is_decision": op.is_decision if op else False,
        "is_personal": arrival.is_personal,
        "is_signed": arrival.is_signed,
        "digest": arrival.digest,
        "signature": None if arrival.is_personal else arrival.signature,
        "payload": None if arrival.is_personal else arrival.raw,
    }


def _payload_row(delivery: Delivery, arrival: Arrival) -> dict[str, object]:
    key = {
        "authority_id": delivery.principal.authority_id,
        "actor": arrival.actor,
        "op": arrival.op_id,
    }
    left = arrival.left
    if left is not None:
        return {
            **key,
            "salt": b"",
            "signature": None,
            "payload": left.payload,
            "erased": left.erased,
        }
    said = {"salt": arrival.salt, "signature": arrival.signature, "payload": arrival.raw}
    return {**key, **said, "erased": None}


def park(session: Session, delivery: Delivery, arrivals: Sequence[Arrival]) -> None:
    """List the ops, or parts of ops, that wait for a person."""
    at, now = delivery.principal.authority_id, delivery.received_at
    rows = [row for one in arrivals if (row := _parked_row(at, one, now)) is not None]
    if rows:
        insert_many(session, ParkedOp, rows)


def park_again(session: Session, authority_id: str, arrival: Arrival, now: datetime) -> None:
    """List an op that waits for more than was known of it; faults known before stay known."""
    row = _parked_row(authority_id, arrival, now)
    if row is None:
        return
    judged = {"status": row["status"], "code": row["code"], "resolved": None}
    if arrival.faults:
        judged["faults"] = row["faults"]
    statement = (
        insert_into(session, ParkedOp)
        .values(row)
        .on_conflict_do_update(
            index_elements=["authority_id", "actor", "op"],
            set_=judged,
        )
        .returning(ParkedOp)
    )
    # A row that this session has read before must be seen as it is now.
    session.scalars(statement, execution_options={"populate_existing": True}).all()


def _parked_row(authority_id: str, arrival: Arrival, now: datetime) -> dict[str, object] | None:
    status = parked_status(arrival)
    if status is None:
        return None
    return {
        "authority_id": authority_id,
        "actor": arrival.actor,
        "op": arrival.op_id,
        "kind": arrival.kind,
        "record_id": arrival.record_id,
        "by": arrival.by,
        "status": status,
        "code": arrival.code or arrival.held or next(iter(arrival.faults.values())),
        "faults": json.dumps(arrival.faults, sort_keys=True),
        "received_at": now,
    }


def parked_status(arrival: Arrival) -> str | None:
    """Return how an op waits, or None if all of it was merged."""
    if arrival.code is not None:
        return "quarantined"
    if arrival.held is not None:
        return "held"
    return waits_as(arrival.faults)


def waits_as(faults: Mapping[str, str]) -> str | None:
    """Return how an op waits of which only some fields were parked."""
    if not faults:
        return None
    return "deferred" if set(faults.values()) == {"deferred"} else "partial"


def parked_ops(session: Session, authority_id: str, keys: Iterable[OpKey]) -> dict[OpKey, ParkedOp]:
    """Return the parked rows among `keys`."""
    wanted = sorted(set(keys))
    if not wanted:
        return {}
    query = select(ParkedOp).where(
        ParkedOp.authority_id == authority_id, tuple_(ParkedOp.actor, ParkedOp.op).in_(wanted)
    )
    return {(row.actor, row.op): row for row in session.scalars(query)}


def history(session: Session, authority_id: str, kind: str, record_id: str) -> History:
    """Return every stored op of a record with what keeps it, or part of it, out of the merge."""
    return histories(session, authority_id, kind, [record_id]).get(record_id, [])


def histories(
    session: Session, authority_id: str, kind: str, record_ids: Collection[str]
) -> dict[str, History]:
    """Return the histories of records of one kind, by id; none for a record without ops."""
    query = (
        select(
            OpRow.record_id,
            OpRow.actor,
            OpRow.op,
            OpRow.payload,
            OpPayload.payload,
            OpRow.effective,
            OpRow.nobase,
            OpRow.filled,
            OpRow.is_decision,
            OpRow.is_signed,
            OpRow.is_personal,
            OpRow.received_at,
            OpPayload.erased,
            OpErasure.beside,
            ParkedOp,
        )
        .select_from(OpRow)
        .outerjoin(OpPayload, _same_op(OpPayload))
        .outerjoin(OpErasure, _same_op(OpErasure))
        .outerjoin(ParkedOp, _same_op(ParkedOp))
        .where(
            OpRow.authority_id == authority_id,
            OpRow.kind == kind,
            among(session, OpRow.record_id, record_ids),
        )
    )
    found: dict[str, History] = {}
    for record_id, actor, op, plain, personal, *added, parked in session.execute(query):
        stored = StoredOp(actor, op, plain or personal or b"", *added)
        found.setdefault(record_id, []).append((stored, parked))
    return found


def _same_op(other: type[OpPayload | OpErasure | ParkedOp]) -> ColumnElement[bool]:
    return (
        (OpRow.authority_id == other.authority_id)
        & (OpRow.actor == other.actor)
        & (OpRow.op == other.op)
    )


def write_records(
    session: Session, authority_id: str, kind: str, rows: Sequence[Mapping[str, object]]
) -> None:
    """Write the merged records of one kind back; every row names the same columns beside `id`."""
    if not rows:
        return
    whole = [{"authority_id": authority_id, **row} for row in rows]
    update_many(session, RECORDS[kind], whole, key=("authority_id", "id"))
