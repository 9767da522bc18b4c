"""Fields in which two values stand and a person decides: found by record, by report, by id.

Shared by the reviews of the API, the console and the service that decides. An open one is on its
record's row; one that was decided is in the heads beside the decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from fieldapi.domain.records import merge_kind
from fieldapi.models import RECORDS, RecordRow
from fieldapi.problems import NotFound
from sync.merge import HeadView, ReviewView, State, review_id, view


@dataclass(frozen=True, slots=True)
class Conflict:
    """One field with more than one value. `seizure_id`: of the report it belongs to, if any.

    `shown`: the value that the record shows meanwhile, or by decision. `heads`: all that stand.
    """

    id: str
    kind: str
    record_id: str
    seizure_id: str | None
    field: str
    author_id: str | None
    is_open: bool
    heads: tuple[HeadView, ...]
    decided: HeadView | None

    def head(self, name: str) -> HeadView:
        """Return the head whose op has this name. Raises `NotFound`."""
        found = next((head for head in self.heads if head.op == name), None)
        if found is None:
            raise NotFound("None of the values that stand comes from this op.")
        return found


def of_records(rows: Iterable[RecordRow]) -> list[Conflict]:
    """Return the conflicts of records, the open and the decided ones."""
    return [conflict for row in rows for conflict in _of_record(row)]


def _of_record(row: RecordRow) -> Iterator[Conflict]:
    state = State.loads(row.heads)
    for one in view(merge_kind(row.KIND), state, author=row.author_id).reviews:
        yield _conflict(row, one)


def _conflict(row: RecordRow, one: ReviewView) -> Conflict:
    return Conflict(
        id=review_id(row.authority_id, row.KIND, row.id, one.field),
        kind=row.KIND,
        record_id=row.id,
        seizure_id=row.id if row.KIND == "seizure" else getattr(row, "seizure_id", None),
        field=one.field,
        author_id=row.author_id,
        is_open=one.is_open,
        heads=one.heads,
        decided=one.decided,
    )


def find(session: Session, authority_id: str, conflict_id: str) -> Conflict:
    """Return one conflict, open or decided. Raises `NotFound`."""
    for kind in RECORDS:
        for conflict in of_records(_candidates(session, authority_id, kind, conflict_id)):
            if conflict.id == conflict_id:
                return conflict
    raise NotFound


def _candidates(
    session: Session, authority_id: str, kind: str, conflict_id: str
) -> Iterable[RecordRow]:
    """Return the records that may hold it: open conflicts, or a decision that names this one."""
    model = RECORDS[kind]
    is_named = model.heads.contains(conflict_id, autoescape=True)
    query = select(model).where(
        model.authority_id == authority_id, or_(model.has_open_review.is_(True), is_named)
    )
    return session.scalars(query)


def open_records(
    session: Session, authority_id: str, kind: str, *, after: str, limit: int
) -> list[RecordRow]:
    """Return records of one kind with an open conflict, in the order of their ids."""
    model = RECORDS[kind]
    query = (
        select(model)
        .where(
            model.authority_id == authority_id,
            model.has_open_review.is_(True),
            model.id > after,
        )
        .order_by(model.id)
        .limit(limit)
    )
    return list(session.scalars(query))
