"""Tells in the ledger when others see a case than before: its pound changed, it was withdrawn or
that was undone, its report came after what hangs on it, or it was closed or opened again.

Called by `push` and `release`, and by the acts that close; `queries.changes` reads it. Whoever
gains a case gets all of it, whoever loses it is told to let it go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from fieldapi.domain.access import audience, author_audience
from fieldapi.ledger import CASE_MOVED, Detail
from fieldapi.models import CaseFile, Seizure
from fieldapi.queries.views import CASE, closed_among, members
from fieldapi.services.ops.draft import Draft
from fieldapi.unit import Unit
from sync.op import WITHDRAWN
from sync.wire import JSON

_PARENT = "seizure_id"


@dataclass(frozen=True, slots=True)
class CaseMove:
    """A case, or one record that went from case to case, with who lost and who gained it."""

    authority_id: str
    subject: str
    lost: frozenset[str]
    gained: frozenset[str]


def case_moves(session: Session, drafts: Iterable[Draft]) -> list[CaseMove]:
    """Return the cases that others see once these drafts are written back; call it before."""
    touched = [draft for draft in drafts if draft.is_touched]
    seizures = [draft for draft in touched if draft.kind == "seizure"]
    children = [draft for draft in touched if draft.kind in CASE]
    return [*_of_seizures(session, seizures), *_of_children(session, children)]


def enter(unit: Unit, moves: Iterable[CaseMove], *, actor: str) -> None:
    """Enter them, behind the ops that moved them."""
    for move in moves:
        told: dict[str, Detail] = {"from": sorted(move.lost), "to": sorted(move.gained)}
        unit.enter(
            move.authority_id,
            CASE_MOVED,
            subject=move.subject,
            actor=actor,
            moves=True,
            **told,  # type: ignore[arg-type]  # `from` cannot be written as a keyword
        )


def closing(session: Session, file: CaseFile) -> list[CaseMove]:
    """Return who holds a case no more that was closed just now, or holds it again."""
    # Locked: a push that sends the case to another pound meanwhile comes before this, or after.
    row = session.get_one(
        Seizure, (file.authority_id, file.id), with_for_update=True, populate_existing=True
    )
    seen, nobody = _seen_by(row.fields, row.author_id), frozenset[str]()
    lost, gained = (seen, nobody) if file.state == "closed" else (nobody, seen)
    return [CaseMove(file.authority_id, f"case/{file.id}", lost, gained)]


def _of_seizures(session: Session, drafts: list[Draft]) -> Iterator[CaseMove]:
    if not drafts:
        return
    new = [draft for draft in drafts if not draft.row.heads]
    orphans = _with_children(session, new)
    closed = closed_among(session, drafts[0].authority_id, {one.record_id for one in drafts})
    for draft in drafts:
        if not draft.row.heads and draft.record_id not in orphans:
            continue  # whoever may see a new case is told by its own entry
        before = _seen_by(draft.row.shown, draft.row.author_id) if draft.row.heads else frozenset()
        after = _seen_by(draft.shown, draft.author_id)
        if draft.record_id in closed:
            after = before  # nobody else holds it
        if draft.author_id is not None and draft.row.author_id is None:
            after |= {author_audience(draft.author_id)}  # to whom it was nobody's until now
        if before != after:
            yield CaseMove(
                draft.authority_id, f"case/{draft.record_id}", before - after, after - before
            )


def _seen_by(shown: Mapping[str, JSON], author_id: str | None) -> frozenset[str]:
    pound = shown.get("pound_id")
    return audience(
        author_id=author_id,
        pound_id=pound if isinstance(pound, str) else None,
        is_withdrawn=shown.get(WITHDRAWN) is True,
    )


def _with_children(session: Session, new: list[Draft]) -> set[str]:
    """Return the new seizures on which something hung before they came."""
    if not new:
        return set()
    cases = members(session, new[0].authority_id, {draft.record_id for draft in new})
    return {seizure_id for seizure_id, keys in cases.items() if len(keys) > 1}


def _of_children(session: Session, drafts: list[Draft]) -> Iterator[CaseMove]:
    """Yield the records that a decision has put into another case."""
    for draft in drafts:
        old, new = draft.row.shown.get(_PARENT), draft.shown.get(_PARENT)
        if not isinstance(old, str) or old == new:
            continue
        before, after = (_seen_by_id(session, draft.authority_id, one) for one in (old, new))
        if before != after:
            subject = f"{draft.kind}/{draft.record_id}"
            yield CaseMove(draft.authority_id, subject, before - after, after - before)


def _seen_by_id(session: Session, authority_id: str, seizure_id: JSON) -> frozenset[str]:
    """Return who holds what hangs on a seizure: its author as well, also when it is closed."""
    row = session.get(Seizure, (authority_id, seizure_id)) if isinstance(seizure_id, str) else None
    if row is None:
        return frozenset()
    author = frozenset() if row.author_id is None else frozenset({author_audience(row.author_id)})
    if closed_among(session, authority_id, {row.id}):
        return author
    return author | _seen_by(row.fields, row.author_id)
