"""Ops that wait for a person, or waited: listed for reviewers with what was in them.

Shared by api and console. Oldest first, in pages that skip and repeat nothing.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from sqlalchemy import ColumnElement, Row, Select, and_, or_, select
from sqlalchemy.orm import Session

from fieldapi.clock import format_instant, parse_instant
from fieldapi.models import OpPayload, OpRow, ParkedOp
from fieldapi.problems import BadRequest, NotFound
from fieldapi.queries.cursors import seal, unseal
from fieldapi.queries.pages import Page, Turn
from sync.wire import JSON, WireError, loads

# What a list is asked for → the standing of its ops. `quarantined` has those that wait in part.
STATUSES: Mapping[str, ColumnElement[bool]] = MappingProxyType(
    {
        "held": and_(ParkedOp.status == "held", ParkedOp.resolved.is_(None)),
        "quarantined": and_(
            ParkedOp.status.in_(("quarantined", "partial")), ParkedOp.resolved.is_(None)
        ),
        "deferred": and_(ParkedOp.status == "deferred", ParkedOp.resolved.is_(None)),
        "released": ParkedOp.resolved == "released",
        "rejected": ParkedOp.resolved == "rejected",
        "corrected": ParkedOp.resolved == "corrected",
    }
)


@dataclass(frozen=True, slots=True)
class WaitingOp:
    """An op that waits, or what became of it. `code`: why all of it waits; `fields`: field → code
    where only some do. `content`: what it says; `raw`: its bytes in base64, if they are no JSON.
    """

    actor: str
    op: str
    kind: str
    record: str
    by: str
    via: str
    status: str
    code: str
    fields: Mapping[str, str]
    received_at: datetime
    resolved: str | None
    resolved_at: datetime | None
    reason: str | None
    content: JSON
    raw: str | None
    erased: bool


def page(session: Session, authority_id: str, turn: Turn, *, status: str) -> Page[WaitingOp]:
    """Return a page of the ops of one standing, a key of `STATUSES`. Raises `BadRequest`."""
    holder = f"{turn.holder} ops {status}"
    query = _query(authority_id).where(STATUSES[status])
    if turn.after is not None:
        query = query.where(_beyond(unseal(turn.keys, holder, turn.after)))
    order = (ParkedOp.received_at, ParkedOp.actor, ParkedOp.op)
    rows = session.execute(query.order_by(*order).limit(turn.limit + 1)).all()
    items = [_view(row) for row in rows[: turn.limit]]
    if len(rows) <= turn.limit:
        return Page(items, None)
    last = items[-1]
    position = {"at": format_instant(last.received_at), "actor": last.actor, "op": last.op}
    return Page(items, seal(turn.keys, holder, position))


def one(session: Session, authority_id: str, actor: str, op: str) -> WaitingOp:
    """Return one op that waits or waited. Raises `NotFound`."""
    query = _query(authority_id).where(ParkedOp.actor == actor, ParkedOp.op == op)
    row = session.execute(query).one_or_none()
    if row is None:
        raise NotFound("No such op waits here.")
    return _view(row)


def _query(authority_id: str) -> Select[ParkedOp, str, bytes | None, bytes, str | None]:
    return (
        select(ParkedOp, OpRow.via, OpRow.payload, OpPayload.payload, OpPayload.erased)
        .join(OpRow, _is_op(OpRow))
        .outerjoin(OpPayload, _is_op(OpPayload))
        .where(ParkedOp.authority_id == authority_id)
    )


def _is_op(other: type[OpRow | OpPayload]) -> ColumnElement[bool]:
    return and_(
        ParkedOp.authority_id == other.authority_id,
        ParkedOp.actor == other.actor,
        ParkedOp.op == other.op,
    )


def _beyond(position: Mapping[str, JSON]) -> ColumnElement[bool]:
    try:
        at = parse_instant(str(position["at"]))
        actor, op = str(position["actor"]), str(position["op"])
    except (KeyError, ValueError) as exc:
        raise BadRequest("This cursor is not one of this list.") from exc
    return or_(
        ParkedOp.received_at > at,
        and_(
            ParkedOp.received_at == at,
            or_(ParkedOp.actor > actor, and_(ParkedOp.actor == actor, ParkedOp.op > op)),
        ),
    )


def _view(found: Row[ParkedOp, str, bytes | None, bytes, str | None]) -> WaitingOp:
    row, via, plain, personal, erased = found
    content, raw = _content(plain or personal or b"")
    is_partial = row.status in {"partial", "deferred"}
    return WaitingOp(
        actor=row.actor,
        op=row.op,
        kind=row.kind,
        record=row.record_id,
        by=row.by,
        via=via,
        status="quarantined" if row.status == "partial" else row.status,
        code=row.code,
        fields=json.loads(row.faults) if is_partial else {},
        received_at=row.received_at,
        resolved=row.resolved,
        resolved_at=row.resolved_at,
        reason=row.reason,
        content=content,
        raw=raw,
        erased=erased is not None,
    )


def _content(payload: bytes) -> tuple[JSON, str | None]:
    try:
        return loads(payload), None
    except WireError:
        return None, b64encode(payload).decode()
