"""Rows as the database holds them, for the verifier: what somebody tampered with is a finding,
never an error of a driver that cannot convert it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Executable,
    LargeBinary,
    Text,
    and_,
    cast,
    func,
    select,
    type_coerce,
)
from sqlalchemy.orm import Session
from sqlalchemy.types import NullType

from fieldapi.clock import cut, format_instant
from fieldapi.models import LedgerEntry, LedgerHead, OpPayload, OpRow
from fieldapi.models.base import Instant
from fieldapi.models.bulk import among

PAGE = 1000

# Column → what is there: texts as text (bytes that are no UTF-8 escaped), instants as text.
RawRow = Mapping[str, object]
OpKey = tuple[str, str]

Column = ColumnElement[Any]
Named = Mapping[str, Column]

_ENTRY: Named = dict(LedgerEntry.__table__.columns)
_HEAD: Named = dict(LedgerHead.__table__.columns)
_OP: Named = dict(OpRow.__table__.columns)
_PAYLOAD: Named = dict(OpPayload.__table__.columns)
_BESIDE: dict[str, Column] = {
    "salt": _PAYLOAD["salt"],
    "bytes": _PAYLOAD["payload"],
    "bytes_signature": _PAYLOAD["signature"],
    "erased": _PAYLOAD["erased"],
}


def entry_pages(session: Session, authority_id: str) -> Iterator[list[RawRow]]:
    """Yield the entries of an authority in order of `seq`, at most `PAGE` at once."""
    query = (
        select(*_as_is(session, _ENTRY.values()))
        .where(LedgerEntry.authority_id == authority_id)
        .order_by(LedgerEntry.seq)
        .limit(PAGE)
    )
    page = _rows(session, query, _ENTRY)
    while page:
        yield page
        last = page[-1]["seq"]
        if len(page) < PAGE or not isinstance(last, int):
            return
        page = _rows(session, query.where(LedgerEntry.seq > last), _ENTRY)


def head_row(session: Session, authority_id: str) -> RawRow | None:
    """Return the head of an authority, None if there is none."""
    query = select(*_as_is(session, _HEAD.values()))
    found = _rows(session, query.where(LedgerHead.authority_id == authority_id), _HEAD)
    return found[0] if found else None


def op_rows(session: Session, authority_id: str, keys: Sequence[OpKey]) -> dict[OpKey, RawRow]:
    """Return the stored ops among `keys`, each with `salt`, `bytes`, `bytes_signature` and `erased`
    of its payload row (None without one).
    """
    if not keys:
        return {}
    named = {**_OP, **_BESIDE}
    query = (
        select(*_as_is(session, named.values()))
        .select_from(OpRow)
        .outerjoin(OpPayload, _is_payload())
        .where(
            OpRow.authority_id == authority_id,
            among(session, OpRow.actor, {actor for actor, _ in keys}),
            among(session, OpRow.op, {op for _, op in keys}),
        )
    )
    rows = _rows(session, query, named)
    return {(str(row["actor"]), str(row["op"])): row for row in rows}


def ops_without_entry(session: Session, authority_id: str, *, limit: int) -> list[str]:
    """Return ops (`actor/op`) that no entry names, and payloads that no op owns."""
    is_entered = (
        select(LedgerEntry.seq)
        .where(
            LedgerEntry.authority_id == OpRow.authority_id,
            LedgerEntry.op == OpRow.actor + "/" + OpRow.op,
        )
        .exists()
    )
    stray = select(OpRow.actor, OpRow.op).where(OpRow.authority_id == authority_id, ~is_entered)
    is_owned = select(OpRow.op).where(_is_payload()).exists()
    orphans = select(OpPayload.actor, OpPayload.op).where(
        OpPayload.authority_id == authority_id, ~is_owned
    )
    return [
        f"{actor}/{op}"
        for query in (stray.limit(limit), orphans.limit(limit))
        for actor, op in session.execute(query)
    ]


def count_entries(session: Session, authority_id: str) -> int:
    """Return how many entries there are, for progress."""
    query = select(func.count()).where(LedgerEntry.authority_id == authority_id)
    return session.scalar(query) or 0


def _is_payload() -> ColumnElement[bool]:
    return and_(
        OpRow.authority_id == OpPayload.authority_id,
        OpRow.actor == OpPayload.actor,
        OpRow.op == OpPayload.op,
    )


def _as_is(session: Session, columns: Iterable[Column]) -> list[ColumnElement[object]]:
    """Return columns without conversion; SQLite's texts as bytes, for they may be no UTF-8."""
    is_sqlite = session.get_bind().dialect.name == "sqlite"
    return [
        type_coerce(cast(one, LargeBinary) if is_sqlite and _is_text(one) else one, NullType())
        for one in columns
    ]


def _rows(session: Session, query: Executable, named: Named) -> list[RawRow]:
    return [
        {name: _plain(named[name], value) for name, value in zip(named.keys(), row, strict=True)}
        for row in session.connection().execute(query)
    ]


def _is_text(column: Column) -> bool:
    return isinstance(column.type, Text | Instant)


def _plain(column: Column, value: object) -> object:
    """Return texts as text, and instants as entries write them."""
    if isinstance(value, bytes) and _is_text(column):
        return value.decode(errors="surrogateescape")
    if isinstance(value, datetime):
        return format_instant(value) if value == cut(value) else value.isoformat()
    return value
