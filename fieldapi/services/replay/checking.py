"""Whether every record is what its ops make it: rows are held against records made anew.

Called by the command line and after a restore. Reads page by page: memory does not grow.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from fieldapi.models import RECORDS, OpRow
from fieldapi.models.bulk import among
from fieldapi.services.replay.rebuilding import Rebuilt, Waiting, rebuild
from sync.merge import State
from sync.wire import canonical, loads

MOST_DIFFERENCES = 100
PAGE = 100
ROW, UNREADABLE, PARKED, OPS = "row", "unreadable", "parked", "ops"
_MERGED = (
    "author_id",
    "author_actor",
    "is_incomplete",
    "is_withdrawn",
    "has_open_review",
    "is_signed",
)

Progress = Callable[[int, int], None]  # done, of
Stored = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Difference:
    """A record whose row is not what its ops make it. `columns`: the names of those that differ,
    and beside them `row`: there is none; `unreadable`: the row cannot be read; `parked`: its
    waiting ops are listed otherwise; `ops`: the ledger does not know some of its ops.
    """

    kind: str
    record_id: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """What a replay of an authority found: the first differences, and how many there are."""

    records: int
    ops: int
    differences: tuple[Difference, ...]
    count: int


def check(
    session: Session,
    authority_id: str,
    *,
    progress: Progress = lambda _done, _of: None,
) -> Replay:
    """Make every record of an authority anew and compare. Give it a session over one snapshot."""
    total = sum(_count(session, authority_id, kind) for kind in RECORDS)
    found: list[Difference] = []
    records = ops = count = 0
    for compared in _pages(session, authority_id):
        for rebuilt, columns in compared:
            records, ops, count = records + 1, ops + rebuilt.ops, count + bool(columns)
            if columns and len(found) < MOST_DIFFERENCES:
                found.append(Difference(rebuilt.kind, rebuilt.record_id, columns))
        progress(records, max(records, total))
    return Replay(records, ops, tuple(found), count)


def compare(
    session: Session, authority_id: str, kind: str, record_ids: Collection[str]
) -> list[tuple[Rebuilt, tuple[str, ...]]]:
    """Return records made anew, each with the names of what differs in its row. Ids that nothing
    readable names and that have no row are left out.
    """
    rows = _rows(session, authority_id, kind, record_ids)
    rebuilt = rebuild(session, authority_id, kind, record_ids)
    return [
        (one, _differences(rows[record_id], one) if record_id in rows else (ROW,))
        for record_id, one in rebuilt.items()
        if record_id in rows or one.received_at is not None
    ]


def _pages(session: Session, authority_id: str) -> Iterator[list[tuple[Rebuilt, tuple[str, ...]]]]:
    for kind in RECORDS:
        last = ""
        while ids := _next_ids(session, authority_id, kind, last):
            yield compare(session, authority_id, kind, ids)
            last = ids[-1]


def _next_ids(session: Session, authority_id: str, kind: str, last: str) -> list[str]:
    """Return the next ids that have a row or that ops name."""
    model = RECORDS[kind]
    rows = select(model.id).where(model.authority_id == authority_id, model.id > last)
    ops = (
        select(OpRow.record_id)
        .where(OpRow.authority_id == authority_id, OpRow.kind == kind, OpRow.record_id > last)
        .distinct()
    )
    found = {
        *session.scalars(rows.order_by(model.id).limit(PAGE)),
        *session.scalars(ops.order_by(OpRow.record_id).limit(PAGE)),
    }
    return sorted(found)[:PAGE]


def _count(session: Session, authority_id: str, kind: str) -> int:
    model = RECORDS[kind]
    query = select(func.count()).select_from(model).where(model.authority_id == authority_id)
    return session.scalar(query) or 0


def _rows(
    session: Session, authority_id: str, kind: str, record_ids: Collection[str]
) -> dict[str, Stored | None]:
    """Return rows by id, None for one that cannot be read: then they are read one by one."""
    try:
        return dict(_read(session, authority_id, kind, record_ids))
    except ValueError:
        found: dict[str, Stored | None] = {}
        for one in record_ids:
            try:
                found.update(_read(session, authority_id, kind, [one]))
            except ValueError:
                found[one] = None
        return found


def _read(
    session: Session, authority_id: str, kind: str, record_ids: Collection[str]
) -> Iterator[tuple[str, Stored]]:
    model = RECORDS[kind]
    names = ("received_at", "heads", "shown", *_MERGED, *model.typed({}))
    columns: list[InstrumentedAttribute[object]] = [getattr(model, name) for name in names]
    query = select(model.id, *columns).where(
        model.authority_id == authority_id, among(session, model.id, record_ids)
    )
    for record_id, *values in session.execute(query):
        yield record_id, dict(zip(names, values, strict=True))


def _differences(row: Stored | None, rebuilt: Rebuilt) -> tuple[str, ...]:
    wrong = [] if row is not None else [UNREADABLE]
    if row is not None:
        wrong += [name for name, value in rebuilt.columns.items() if not _fits(row, name, value)]
        if rebuilt.received_at not in {None, row["received_at"]}:
            wrong.append("received_at")
    if _listed(rebuilt) != dict(rebuilt.waiting):
        wrong.append(PARKED)
    if rebuilt.unknown:
        wrong.append(OPS)
    return tuple(wrong)


def _fits(row: Stored, name: str, value: object) -> bool:
    if name == "id":
        return True
    stored = row[name]
    if name not in {"heads", "shown"}:
        return stored == value
    if not isinstance(stored, str) or not isinstance(value, str):
        return False
    try:
        if name == "heads":
            return State.loads(stored) == State.loads(value)
        return canonical(loads(stored)) == canonical(loads(value))
    except (ValueError, KeyError, TypeError, IndexError):
        return False


def _listed(rebuilt: Rebuilt) -> dict[tuple[str, str], Waiting]:
    return {
        key: Waiting(row.status, json.loads(row.faults), row.resolved)
        for key, row in rebuilt.listed.items()
    }
