"""Reads what the counter of a pound looks at: who stands in it since when, what is due to be done,
who a person might be, and who is on the way. Shared by the pages of the pound and their lists.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.orm import Session

from fieldapi.clock import INDIA
from fieldapi.ids import is_id
from fieldapi.law.clocks import OF_OTHERS
from fieldapi.models import (
    Animal,
    CaseFile,
    Custody,
    Deadline,
    Disposition,
    Intake,
    MoneyLine,
    Notification,
    Party,
    Person,
    Photo,
    Seizure,
)
from fieldapi.models.bulk import among
from fieldapi.queries.register import PartyView, view_party

_MOST_PARTIES = 20
_LONGEST_NAME = 500


@dataclass(slots=True)
class Stay:
    """A case with heads in a pound. `herd`: heads by kind; `since`: of the first that came;
    `next`: the nearest deadline and what then; `photo_ids`: the first photos.
    """

    id: str
    reference: str
    since: datetime
    herd: Counter[str] = field(default_factory=Counter)
    owners: list[str] = field(default_factory=list)
    photo_ids: list[str] = field(default_factory=list)
    next: tuple[datetime, str] | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """What the head of a pound's page says: heads in it, cases due today, heads released today."""

    heads: int
    due: int
    released: int


@dataclass(frozen=True, slots=True)
class Expected:
    """A report whose cattle have not been counted in."""

    id: str
    reference: str
    seized_at: datetime
    herd: dict[str, int]
    place: str


def tally(session: Session, authority_id: str, pound_id: str, now: datetime) -> Tally:
    """Return how full a pound is and what there is to do today."""
    start, end = day_of(now)
    heads = session.scalar(
        select(func.count(Custody.id)).where(*_is_standing(authority_id, pound_id))
    )
    due = session.scalar(
        select(func.count(func.distinct(Deadline.seizure_id)))
        .join(
            CaseFile,
            and_(
                CaseFile.authority_id == Deadline.authority_id, CaseFile.id == Deadline.seizure_id
            ),
        )
        .where(
            Deadline.authority_id == authority_id,
            Deadline.is_met.is_(False),
            Deadline.rule.not_in(OF_OTHERS),
            Deadline.last_moment >= start,
            Deadline.last_moment < end,
            CaseFile.pound_id == pound_id,
            CaseFile.state == "open",
        )
    )
    released = session.scalar(
        select(func.count())
        .select_from(Disposition)
        .join(
            Custody,
            and_(
                Custody.authority_id == Disposition.authority_id,
                Custody.id == Disposition.custody_id,
            ),
        )
        .where(
            Disposition.authority_id == authority_id,
            Custody.pound_id == pound_id,
            Disposition.became.startswith("released", autoescape=True),
            Disposition.undone_by.is_(None),
            Disposition.at >= start,
            Disposition.at < end,
        )
    )
    return Tally(heads or 0, due or 0, released or 0)


def day_of(now: datetime) -> tuple[datetime, datetime]:
    """Return the first instant of the day in India and of the one after it."""
    start = datetime.combine(now.astimezone(INDIA).date(), time(), INDIA)
    return start, start + timedelta(days=1)


def _of_case(
    seizure_id: ColumnElement[str], authority_id: ColumnElement[str]
) -> ColumnElement[bool]:
    return and_(CaseFile.authority_id == authority_id, CaseFile.id == seizure_id)


def _is_standing(authority_id: str, pound_id: str) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions that a head stands in a pound."""
    ended = select(Disposition.custody_id).where(
        Disposition.authority_id == Custody.authority_id,
        Disposition.custody_id == Custody.id,
        Disposition.undone_by.is_(None),
    )
    return (
        Custody.authority_id == authority_id,
        Custody.pound_id == pound_id,
        Custody.impounded_at.is_not(None),
        ~ended.exists(),
    )


def stays(
    session: Session, authority_id: str, pound_id: str, *, text: str = "", most: int = 50
) -> list[Stay]:
    """Return the cases with heads in a pound, the oldest first.

    `text`: those whose reference, owner or ear tag mentions it, gone ones too.
    """
    ids = _cases(session, authority_id, pound_id, text=text, most=most)
    if not ids:
        return []
    found = {
        row.id: Stay(row.id, str(row.reference or row.minted_reference or ""), row.received_at)
        for row in session.scalars(
            select(Seizure).where(
                Seizure.authority_id == authority_id, among(session, Seizure.id, ids)
            )
        )
    }
    _fill(session, authority_id, pound_id, found)
    return [found[one] for one in ids if one in found]


def _cases(
    session: Session, authority_id: str, pound_id: str, *, text: str, most: int
) -> list[str]:
    first = func.min(Custody.impounded_at)
    query = (
        select(Custody.seizure_id)
        .where(
            Custody.authority_id == authority_id,
            Custody.pound_id == pound_id,
            Custody.impounded_at.is_not(None),
        )
        .group_by(Custody.seizure_id)
        .limit(most)
    )
    if not text:
        standing = _is_standing(authority_id, pound_id)
        return list(session.scalars(query.where(*standing).order_by(first)))
    matching = _mentioning(authority_id, text)
    return list(session.scalars(query.where(matching).order_by(first.desc())))


def _mentioning(authority_id: str, text: str) -> ColumnElement[bool]:
    """Return the condition that a head's case, owner or lot mentions a text."""
    by_reference = select(Seizure.id).where(
        Seizure.authority_id == authority_id,
        or_(
            Seizure.reference.icontains(text, autoescape=True),
            Seizure.minted_reference.icontains(text, autoescape=True),
        ),
    )
    by_name = select(Party.id).where(
        Party.authority_id == authority_id, Party.name.icontains(text, autoescape=True)
    )
    by_tag = select(Animal.seizure_id).where(
        Animal.authority_id == authority_id, Animal.shown.icontains(text, autoescape=True)
    )
    is_tag = text.isascii() and text.isdigit()
    wanted = [
        Custody.seizure_id.in_(by_reference),
        Custody.owner_id.in_(by_name),
        Custody.kept_by_id.in_(by_name),
    ]
    return or_(*wanted, Custody.seizure_id.in_(by_tag)) if is_tag else or_(*wanted)


def _fill(session: Session, authority_id: str, pound_id: str, found: dict[str, Stay]) -> None:
    """Add herd, owners, photos and the nearest deadline, each by one query."""
    mine = among(session, Custody.seizure_id, found)
    rows = session.scalars(
        select(Custody)
        .where(Custody.authority_id == authority_id, mine, Custody.pound_id == pound_id)
        .order_by(Custody.n)
    ).all()
    gone = set(
        session.scalars(
            select(Disposition.custody_id).where(
                Disposition.authority_id == authority_id,
                among(session, Disposition.custody_id, [row.id for row in rows]),
                Disposition.undone_by.is_(None),
            )
        )
    )
    names = party_names(
        session,
        authority_id,
        {one for row in rows for one in (row.owner_id, row.kept_by_id) if one},
    )
    for row in rows:
        stay = found[row.seizure_id]
        if row.impounded_at is not None:
            stay.since = row.impounded_at if not stay.herd else min(stay.since, row.impounded_at)
        if row.id not in gone:
            stay.herd[row.kind] += 1
        name = names.get(row.kept_by_id or row.owner_id or "")
        if name is not None and name.name not in stay.owners:
            stay.owners.append(name.name)
    _add_photos(session, authority_id, found)
    _add_deadlines(session, authority_id, found)


def _add_photos(session: Session, authority_id: str, found: dict[str, Stay]) -> None:
    rows = session.execute(
        select(Photo.seizure_id, Photo.id)
        .where(
            Photo.authority_id == authority_id,
            among(session, Photo.seizure_id, found),
            Photo.heads != "",
            Photo.is_withdrawn.is_(False),
            Photo.checked_at.is_not(None),
        )
        .order_by(Photo.received_at, Photo.id)
    )
    for seizure_id, photo_id in rows:
        found[str(seizure_id)].photo_ids.append(photo_id)


def _add_deadlines(session: Session, authority_id: str, found: dict[str, Stay]) -> None:
    rows = session.execute(
        select(Deadline.seizure_id, Deadline.last_moment, Deadline.then)
        .where(
            Deadline.authority_id == authority_id,
            among(session, Deadline.seizure_id, found),
            Deadline.is_met.is_(False),
            Deadline.rule.not_in(OF_OTHERS),
        )
        .order_by(Deadline.last_moment.desc())
    )
    for seizure_id, last, then in rows:
        found[seizure_id].next = (last, then)


def expected(
    session: Session, authority_id: str, pound_id: str, *, most: int = 50
) -> list[Expected]:
    """Return the reports of cattle on the way to a pound, the oldest first."""
    arrived = select(Intake.id).where(
        Intake.authority_id == Seizure.authority_id,
        Intake.seizure_id == Seizure.id,
        Intake.heads != "",
        Intake.is_withdrawn.is_(False),
    )
    taken = select(Custody.id).where(
        Custody.authority_id == Seizure.authority_id,
        Custody.seizure_id == Seizure.id,
        Custody.impounded_at.is_not(None),
    )
    closed = select(CaseFile.id).where(
        CaseFile.authority_id == Seizure.authority_id,
        CaseFile.id == Seizure.id,
        CaseFile.state == "closed",
    )
    rows = session.scalars(
        select(Seizure)
        .where(
            Seizure.authority_id == authority_id,
            Seizure.pound_id == pound_id,
            Seizure.heads != "",
            Seizure.is_withdrawn.is_(False),
            Seizure.state != "rejected",
            Seizure.seized_at.is_not(None),
            ~arrived.exists(),
            ~taken.exists(),
            ~closed.exists(),
        )
        .order_by(Seizure.seized_at)
        .limit(most)
    ).all()
    herds = herds_of(session, authority_id, [row.id for row in rows])
    return [_expected(row, herds.get(row.id, {})) for row in rows]


def came_to(session: Session, authority_id: str, pound_id: str, seizure_id: str) -> bool:
    """Say whether heads of a case were ever taken into a pound."""
    query = select(Custody.id).where(
        Custody.authority_id == authority_id,
        Custody.seizure_id == seizure_id,
        Custody.pound_id == pound_id,
        Custody.impounded_at.is_not(None),
    )
    return session.scalar(query.limit(1)) is not None


def _expected(row: Seizure, herd: dict[str, int]) -> Expected:
    place = row.fields.get("place_text") or row.fields.get("survey_no") or ""
    name = str(row.reference or row.minted_reference or "")
    return Expected(row.id, name, row.seized_at or row.received_at, herd, str(place))


def herds_of(
    session: Session, authority_id: str, ids: Collection[str]
) -> dict[str, dict[str, int]]:
    """Return the heads by kind of reports, as they show them."""
    found: dict[str, dict[str, int]] = {}
    rows = session.execute(
        select(Animal.seizure_id, Animal.kind, func.sum(Animal.count))
        .where(
            Animal.authority_id == authority_id,
            among(session, Animal.seizure_id, ids),
            Animal.heads != "",
            Animal.is_withdrawn.is_(False),
        )
        .group_by(Animal.seizure_id, Animal.kind)
        .order_by(Animal.kind)
    )
    for seizure_id, kind, count in rows:
        if seizure_id and kind:
            found.setdefault(seizure_id, {})[kind] = int(count or 0)
    return found


@dataclass(frozen=True, slots=True)
class Heads:
    """A head of somebody's that is held. `case`: where."""

    id: str
    case: str
    kind: str


def heads_of(
    session: Session, authority_id: str, party_id: str, cases: Collection[str]
) -> list[Heads]:
    """Return the heads in some cases that somebody has to answer for and that are still held."""
    ended = select(Disposition.custody_id).where(
        Disposition.authority_id == Custody.authority_id,
        Disposition.custody_id == Custody.id,
        Disposition.undone_by.is_(None),
    )
    rows = session.scalars(
        select(Custody)
        .where(
            Custody.authority_id == authority_id,
            among(session, Custody.seizure_id, cases),
            func.coalesce(Custody.kept_by_id, Custody.owner_id) == party_id,
            ~ended.exists(),
        )
        .order_by(Custody.seizure_id, Custody.n)
    )
    return [Heads(row.id, row.seizure_id, row.kind) for row in rows]


@dataclass(frozen=True, slots=True)
class DueTo:
    """What a case has collected for somebody else. `to`: the account, such as `fund`."""

    case: str
    reference: str
    to: str
    paise: int


def to_remit(session: Session, authority_id: str, pound_id: str) -> list[DueTo]:
    """Return what was collected at a pound and not handed on, by case and for whom, the oldest
    case first.
    """
    balance: Counter[tuple[str, str]] = Counter()
    for account, sign in ((MoneyLine.to_account, 1), (MoneyLine.from_account, -1)):
        query = (
            select(MoneyLine.subject_id, account, func.sum(MoneyLine.paise))
            .where(
                MoneyLine.authority_id == authority_id,
                MoneyLine.pound_id == pound_id,
                account.startswith("due."),
            )
            .group_by(MoneyLine.subject_id, account)
        )
        for case, name, paise in session.execute(query):
            balance[case, name.removeprefix("due.")] += sign * int(paise)
    owed = {key: paise for key, paise in balance.items() if paise > 0}
    rows = session.execute(
        select(Seizure.id, Seizure.reference, Seizure.minted_reference).where(
            Seizure.authority_id == authority_id,
            among(session, Seizure.id, {case for case, _ in owed}),
        )
    )
    names = {row.id: str(row.reference or row.minted_reference or "") for row in rows}
    return [
        DueTo(case, names[case], to, paise)
        for (case, to), paise in sorted(owed.items())
        if case in names
    ]


def party_names(session: Session, authority_id: str, ids: Collection[str]) -> dict[str, PartyView]:
    """Return people of the register by id, mobile numbers masked."""
    if not ids:
        return {}
    rows = session.scalars(
        select(Party).where(Party.authority_id == authority_id, among(session, Party.id, ids))
    )
    return {row.id: view_party(row, is_masked=True) for row in rows}


def find_parties(session: Session, authority_id: str, text: str) -> list[PartyView]:
    """Return at most twenty people of the register whose name or village mentions a text.

    A longer text than any name is in none, and too much for SQLite to look for.
    """
    if len(text) > _LONGEST_NAME:
        return []
    rows = session.scalars(
        select(Party)
        .where(
            Party.authority_id == authority_id,
            Party.merged_into.is_(None),
            or_(
                Party.name.icontains(text, autoescape=True),
                Party.residence.icontains(text, autoescape=True),
            ),
        )
        .order_by(Party.name, Party.id)
        .limit(_MOST_PARTIES)
    )
    return [view_party(row, is_masked=True) for row in rows]


def appointed(session: Session, authority_id: str, kind: str) -> list[tuple[str, str]]:
    """Return whom entries of the register appoint: people by id and name, others by their names."""
    rows = session.scalars(
        select(Notification).where(
            Notification.authority_id == authority_id, Notification.kind == kind
        )
    )
    named = {str(one) for row in rows for one in json.loads(row.data).get("names") or []}
    if not named:
        return []
    query = select(Person.id, Person.name).where(
        Person.authority_id == authority_id, among(session, Person.id, named)
    )
    people = [(row.id, row.name) for row in session.execute(query.order_by(Person.name))]
    return people + [(name, name) for name in sorted(named) if not is_id(name)]
