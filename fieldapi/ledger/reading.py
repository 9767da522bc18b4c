"""What others ask of the ledger: where an op or a record stands in it, and what moved since."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, bindparam, case, func, or_, select
from sqlalchemy.orm import Session, aliased

from fieldapi.models import LedgerEntry
from fieldapi.models.bulk import among
from fieldapi.models.once import made_once

Entry = dict[str, Any]
PAGE = 500


def seqs_of_ops(session: Session, authority_id: str, ops: Iterable[str]) -> dict[str, int]:
    """Return the newest `seq` of each op (`actor/op`) that has an entry."""
    wanted = sorted(set(ops))
    if not wanted:
        return {}
    rows = session.execute(
        select(LedgerEntry.op, func.max(LedgerEntry.seq))
        .where(LedgerEntry.authority_id == authority_id, among(session, LedgerEntry.op, wanted))
        .group_by(LedgerEntry.op)
    )
    return {op: seq for op, seq in rows if op is not None}


def entries_of_ops(session: Session, authority_id: str, ops: Collection[str]) -> list[Entry]:
    """Return every entry about the ops (`actor/op`), oldest first, as parsed JSON."""
    rows = session.scalars(
        select(LedgerEntry.entry)
        .where(LedgerEntry.authority_id == authority_id, among(session, LedgerEntry.op, ops))
        .order_by(LedgerEntry.seq)
    )
    return [json.loads(text) for text in rows]


def entries_of_kind(session: Session, authority_id: str, kind: str) -> Iterator[Entry]:
    """Yield every entry of one kind, oldest first, as parsed JSON; read page by page."""
    after = 0
    while page := page_of_kind(session, authority_id, kind, after=after):
        yield from page
        after = page[-1]["seq"]


def count_of_kind(session: Session, authority_id: str, kind: str) -> int:
    """Return how many entries of one kind there are."""
    of_kind = (LedgerEntry.authority_id == authority_id, LedgerEntry.kind == kind)
    return session.scalar(select(func.count()).select_from(LedgerEntry).where(*of_kind)) or 0


def page_of_kind(
    session: Session, authority_id: str, kind: str, *, after: int, limit: int = PAGE
) -> list[Entry]:
    """Return at most `limit` entries of one kind after a `seq`, oldest first, as parsed JSON."""
    rows = session.scalars(
        select(LedgerEntry.entry)
        .where(
            LedgerEntry.authority_id == authority_id,
            LedgerEntry.seq > after,
            LedgerEntry.kind == kind,
        )
        .order_by(LedgerEntry.seq)
        .limit(limit)
    )
    return [json.loads(text) for text in rows]


def restored_to(session: Session, authority_id: str) -> datetime | None:
    """Return when the history ended that the newest restore went back to; None if none ever did.

    Every ledger of a restored database has an entry that says so, the next epoch's first.
    """
    of_restore = select(func.max(LedgerEntry.seq)).where(
        LedgerEntry.authority_id == authority_id, LedgerEntry.kind == "ledger.restored"
    )
    return session.scalar(
        select(LedgerEntry.at).where(
            LedgerEntry.authority_id == authority_id,
            LedgerEntry.seq == of_restore.scalar_subquery() - 1,
        )
    )


def revisions(session: Session, authority_id: str, subjects: Iterable[str]) -> dict[str, int]:
    """Return the newest moving `seq` of each subject: what its `rev` and ETag are made of."""
    wanted = sorted(set(subjects))
    if not wanted:
        return {}
    rows = session.execute(
        select(LedgerEntry.subject, func.max(LedgerEntry.seq))
        .where(
            LedgerEntry.authority_id == authority_id,
            among(session, LedgerEntry.subject, wanted),
            LedgerEntry.moves.is_(True),
        )
        .group_by(LedgerEntry.subject)
    )
    return dict(rows.all())


# What became of an op that had waited: told to its author even when the record moved on since.
OUTCOMES = ("op.corrected", "op.deferred_applied", "op.rejected", "op.released")
# That others see a case from here on: each one counts, whatever moved the case later.
CASE_MOVED = "case.moved"
_ALWAYS_TOLD = (*OUTCOMES, CASE_MOVED)


_NOBODY: frozenset[str] = frozenset()


class Move(NamedTuple):
    """A moving entry. `is_newest`: no later entry moved the same subject, so it shows its state.

    `lost`, `gained`: of a `case.moved`, the audiences that cannot see it any more, and those that
    can from here on.
    """

    seq: int
    kind: str
    subject: str
    op: str | None
    is_newest: bool
    lost: frozenset[str] = _NOBODY
    gained: frozenset[str] = _NOBODY


def moves_after(  # noqa: PLR0913 - a place in a ledger, and how much from there
    session: Session,
    authority_id: str,
    after: int,
    *,
    limit: int,
    until: int,
    kind: str | None = None,
) -> list[Move]:
    """Return, in order, what moved after `after` and up to `until`: every subject at its newest
    entry, every outcome of an op and every move of a case. `kind`: only records of one kind, and
    cases.
    """
    query = _moving(session)
    if kind:
        query = query.where(or_(*map(_is_about, (kind, "case"))))
    asked = {"authority": authority_id, "after": after, "until": until, "limit": limit}
    rows = session.execute(query, asked).all()
    told = {subject for _, kind, subject, *_ in rows if kind in _ALWAYS_TOLD}
    newest = revisions(session, authority_id, told)
    return [
        Move(seq, kind, subject, op, newest.get(subject, seq) == seq, *_audiences(entry))
        for seq, kind, subject, op, entry in rows
    ]


@made_once
def _moving(_session: Session) -> Select[Any]:
    return (
        select(
            LedgerEntry.seq,
            LedgerEntry.kind,
            LedgerEntry.subject,
            LedgerEntry.op,
            case((LedgerEntry.kind == CASE_MOVED, LedgerEntry.entry)),
        )
        .where(
            LedgerEntry.authority_id == bindparam("authority"),
            LedgerEntry.seq > bindparam("after"),
            LedgerEntry.seq <= bindparam("until"),
            LedgerEntry.moves.is_(True),
            ~_is_superseded() | LedgerEntry.kind.in_(_ALWAYS_TOLD),
        )
        .order_by(LedgerEntry.seq)
        .limit(bindparam("limit"))
    )


def moved_subjects(  # noqa: PLR0913 - a place in a ledger, and how much from there
    session: Session,
    authority_id: str,
    after: int,
    *,
    limit: int,
    until: int,
    but_for: Collection[str] = (),
) -> list[tuple[int, str]]:
    """Return `seq` and subject of what moved after `after` and up to `until`, in order; a subject
    as often as it moved. `but_for`: kinds of entries that do not count.
    """
    rows = session.execute(
        select(LedgerEntry.seq, LedgerEntry.subject)
        .where(
            LedgerEntry.authority_id == authority_id,
            LedgerEntry.seq > after,
            LedgerEntry.seq <= until,
            LedgerEntry.moves.is_(True),
            LedgerEntry.kind.not_in(sorted(but_for)),
        )
        .order_by(LedgerEntry.seq)
        .limit(limit)
    )
    return [(seq, subject) for seq, subject in rows]


def _is_about(noun: str) -> ColumnElement[bool]:
    return LedgerEntry.subject.startswith(f"{noun}/", autoescape=True)


def _audiences(entry: str | None) -> tuple[frozenset[str], frozenset[str]]:
    """Return who lost a case and who gained it, by the text of the entry that moved it."""
    if entry is None:
        return _NOBODY, _NOBODY
    said = json.loads(entry)
    return frozenset(said.get("from", ())), frozenset(said.get("to", ()))


def _is_superseded() -> ColumnElement[bool]:
    """Return the condition that a later entry moves the same subject."""
    newer = aliased(LedgerEntry)
    return (
        select(newer.seq)
        .where(
            newer.authority_id == LedgerEntry.authority_id,
            newer.subject == LedgerEntry.subject,
            newer.moves.is_(True),
            # Not a plain comparison: it would let PostgreSQL walk the primary key from here to
            # the end for every row, which it prefers while the table has no statistics.
            newer.seq + 0 > LedgerEntry.seq,
            newer.seq <= bindparam("until"),
        )
        .exists()
    )


def entries_about(
    session: Session, authority_id: str, subjects: Iterable[str]
) -> list[dict[str, object]]:
    """Return every entry about the subjects, oldest first, as parsed JSON."""
    rows = session.scalars(
        select(LedgerEntry.entry)
        .where(
            LedgerEntry.authority_id == authority_id,
            among(session, LedgerEntry.subject, set(subjects)),
        )
        .order_by(LedgerEntry.seq)
    )
    return [json.loads(text) for text in rows]
