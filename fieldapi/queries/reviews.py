"""What waits for a reviewer and what reviewers decided, page by page: conflicts of fields first,
then the decisions on reports. Shared by api and console.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.models import RECORDS, Review
from fieldapi.problems import NotFound
from fieldapi.queries import conflicts
from fieldapi.queries.cases import ReviewView, view_review
from fieldapi.queries.conflicts import Conflict
from fieldapi.queries.cursors import seal, unseal
from fieldapi.queries.pages import Page, Turn

REPORT, FIELD = "report", "field"

Item = ReviewView | Conflict


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a list is narrowed to. `about`: `report` or `field`; None: both."""

    about: str | None = None
    seizure_id: str | None = None

    @property
    def sections(self) -> tuple[str, ...]:
        """Return the parts of the list in order: a kind of record each, then the reports."""
        fields = () if self.about == REPORT else tuple(RECORDS)
        return fields if self.about == FIELD else (*fields, REPORT)


def page(session: Session, authority_id: str, wanted: Wanted, turn: Turn) -> Page[Item]:
    """Return a page of at most `turn.limit` records and reviews. Raises `BadRequest`."""
    holder = f"{turn.holder} reviews {wanted}"
    at = {"section": wanted.sections[0], "id": ""}
    if turn.after is not None:
        at = {name: str(part) for name, part in unseal(turn.keys, holder, turn.after).items()}
    items: list[Item] = []
    room = turn.limit
    for section, after in _sections(wanted, at):
        found = list(_section(session, authority_id, (section, after, room + 1), wanted))
        items += [item for _, several in found[:room] for item in several]
        if len(found) > room:
            last = found[room - 1][0] if room else after
            return Page(items, seal(turn.keys, holder, {"section": section, "id": last}))
        room -= len(found)
    return Page(items, None)


def _sections(wanted: Wanted, at: dict[str, str]) -> Iterator[tuple[str, str]]:
    sections = wanted.sections
    start = sections.index(at["section"])
    yield sections[start], at["id"]
    yield from ((section, "") for section in sections[start + 1 :])


def _section(
    session: Session, authority_id: str, part: tuple[str, str, int], wanted: Wanted
) -> Iterable[tuple[str, list[Item]]]:
    """Yield up to a number of rows behind an id, each with the items it stands for."""
    section, after, most = part
    if section == REPORT:
        yield from _reports(session, authority_id, (after, most), wanted)
        return
    for row in conflicts.open_records(session, authority_id, section, after=after, limit=most):
        found = [one for one in conflicts.of_records([row]) if one.is_open]
        is_wanted = wanted.seizure_id in {None, *(one.seizure_id for one in found)}
        yield row.id, [*found] if is_wanted else []


def _reports(
    session: Session, authority_id: str, part: tuple[str, int], wanted: Wanted
) -> Iterable[tuple[str, list[Item]]]:
    after, most = part
    query = select(Review).where(Review.authority_id == authority_id, Review.id > after)
    if wanted.seizure_id is not None:
        query = query.where(Review.seizure_id == wanted.seizure_id)
    for row in session.scalars(query.order_by(Review.id).limit(most)):
        yield row.id, [view_review(row)]


def one(session: Session, authority_id: str, review_id: str) -> Item:
    """Return one decision on a report, or one conflict of a field. Raises `NotFound`."""
    row = session.get(Review, (authority_id, review_id))
    return conflicts.find(session, authority_id, review_id) if row is None else view_review(row)


def report_review(session: Session, authority_id: str, review_id: str) -> ReviewView:
    """Return one decision on a report. Raises `NotFound`."""
    row = session.get(Review, (authority_id, review_id))
    if row is None:
        raise NotFound
    return view_review(row)
