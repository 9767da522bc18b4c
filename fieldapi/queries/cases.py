"""A report with everything that hangs on it, as one case: who wrote in it, how far it has moved,
what was decided. Shared by the services that judge it and the console that shows it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.models import RECORDS, Act, Device, Person, RecordRow, Review, Seizure, SignIn
from fieldapi.models.bulk import among
from fieldapi.problems import NotFound
from sync.merge import State

# What hangs on a report. Photos of an intake, and police aid, are records beside the case.
CHILDREN = ("animal", "photo", "intake")


@dataclass(frozen=True, slots=True)
class ReviewView:
    """One step of the review of a report. `reason`: as written; it reaches the phone."""

    id: str
    seizure_id: str
    person_id: str
    outcome: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class DeviceName:
    """What a device is called: its number, and whose it is."""

    number: int
    person_id: str


def records(session: Session, authority_id: str, seizure_id: str) -> list[RecordRow]:
    """Return the report and what hangs on it, in order of receipt. Raises `NotFound`."""
    seizure = session.get(Seizure, (authority_id, seizure_id))
    if seizure is None or not seizure.heads:
        raise NotFound
    return [seizure, *_children(session, authority_id, [seizure_id])]


def records_of_many(
    session: Session, authority_id: str, seizure_ids: Sequence[str]
) -> list[list[RecordRow]]:
    """Return what `records` does for each of several reports, read together. Raises `NotFound`."""
    mine = Seizure.authority_id == authority_id, Seizure.id.in_(seizure_ids), Seizure.heads != ""
    found: dict[str, list[RecordRow]] = {
        one.id: [one] for one in session.scalars(select(Seizure).where(*mine))
    }
    if not found.keys() >= {*seizure_ids}:
        raise NotFound
    for row in _children(session, authority_id, seizure_ids):
        found[row.seizure_id].append(row)
    return [found[one] for one in seizure_ids]


def _children(session: Session, authority_id: str, seizure_ids: Sequence[str]) -> Iterator[Any]:
    for kind in CHILDREN:
        model: Any = RECORDS[kind]
        yield from session.scalars(
            select(model)
            .where(
                model.authority_id == authority_id,
                model.seizure_id.in_(seizure_ids),
                model.heads != "",
            )
            .order_by(model.received_at, model.id)
        )


def authors(rows: Iterable[RecordRow]) -> set[str]:
    """Return everybody who wrote what is judged: who created a record, or said a value of one that
    stands or stood. A reviewer's decision is no such value.
    """
    found = set()
    for row in rows:
        found |= {row.author_id} if row.author_id else set()
        state = State.loads(row.heads)
        said = (*state.heads.values(), *state.past.values())
        sources = (state.sources[at] for entries in said for at, _ in entries)
        found |= {source.by for source in sources if source.decision is None}
    return found


def takers(session: Session, authority_id: str, seizure_id: str) -> set[str]:
    """Return the persons who took the cattle of a case in at a pound, by act."""
    query = select(Act.person_id).where(
        Act.authority_id == authority_id,
        Act.subject_kind == "case",
        Act.subject_id == seizure_id,
        Act.act == "impound",
    )
    return set(session.scalars(query.distinct()))


def revision(session: Session, authority_id: str, rows: Iterable[RecordRow]) -> str:
    """Return how far the case has moved: another text once anything in it has changed."""
    subjects = [f"{row.KIND}/{row.id}" for row in rows]
    seqs = ledger.revisions(session, authority_id, subjects)
    return f"{ledger.head(session, authority_id).epoch}.{max(seqs.values(), default=0)}"


def reviews(session: Session, authority_id: str, seizure_id: str) -> list[ReviewView]:
    """Return every step of the review of a report, oldest first."""
    query = (
        select(Review)
        .where(Review.authority_id == authority_id, Review.seizure_id == seizure_id)
        .order_by(Review.at, Review.id)
    )
    return [view_review(row) for row in session.scalars(query)]


def view_review(row: Review) -> ReviewView:
    """Return a step of a review as it is read."""
    return ReviewView(row.id, row.seizure_id, row.person_id, row.outcome, row.reason, row.at)


def names(session: Session, authority_id: str, person_ids: Collection[str]) -> dict[str, str]:
    """Return the names of people by id; who was erased, or is of elsewhere, is left out."""
    query = select(Person.id, Person.name).where(
        Person.authority_id == authority_id, Person.id.in_(person_ids)
    )
    return {row.id: row.name for row in session.execute(query)}


def doers(session: Session, authority_id: str, act_ids: Collection[str]) -> dict[str, str]:
    """Return who did official acts, by the ids of these."""
    query = select(Act.id, Act.person_id).where(
        Act.authority_id == authority_id, among(session, Act.id, act_ids)
    )
    return {row.id: row.person_id for row in session.execute(query)}


def devices(
    session: Session, authority_id: str, actors: Collection[str]
) -> Mapping[str, DeviceName]:
    """Return the devices behind actors."""
    query = select(Device.actor, Device.number, Device.person_id).where(
        Device.authority_id == authority_id, Device.actor.in_(actors)
    )
    return {actor: DeviceName(number, person) for actor, number, person in session.execute(query)}


def desk(session: Session, authority_id: str) -> list[str]:
    """Return the ids of the people who can sign in to the console."""
    query = select(SignIn.person_id).where(SignIn.authority_id == authority_id).distinct()
    return list(session.scalars(query))
