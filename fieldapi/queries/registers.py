"""Reads the books of a pound: register of impoundings, daily statement, refunds, list of fees; and
what the public board shows. No rule is applied here; owners stand in the books, never on the board.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from fieldapi.clock import INDIA, format_instant
from fieldapi.documents.saying import day_of
from fieldapi.models import (
    Act,
    Authority,
    CaseFile,
    Custody,
    Disposition,
    Document,
    MoneyLine,
    Notification,
    Party,
    Pound,
    Seizure,
)
from fieldapi.models.bulk import among
from fieldapi.problems import NotFound
from fieldapi.queries.dispositions import standing

_SCALES = ("fee_schedule", "feeding_rates", "security_scale", "double_fine_area")
_INCOMING = frozenset({"payer", "buyer"})
_MOST = 2000
_FIRST_DAY, _LAST_DAY = date(1800, 1, 1), date(2200, 1, 1)


@dataclass(frozen=True, slots=True)
class Stall:
    """A pound, with the authority that keeps it."""

    authority_id: str
    authority: str
    languages: tuple[str, ...]
    statute: str
    pound_id: str
    pound: str


@dataclass(frozen=True, slots=True)
class Kept:
    """Heads of one kind of one case in a pound. `came_at`: when they were impounded."""

    kind: str
    head: int
    came_at: datetime
    place: str
    reference: str
    stands: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the register: one arrival with its serial."""

    serial: str
    came_at: datetime
    animals: dict[str, int]
    reference: str
    seizer: str
    seized_at: datetime | None
    owners: tuple[str, ...]
    became: dict[str, int]


@dataclass(frozen=True, slots=True)
class Day:
    """A day of a pound: heads at its beginning, in, out by what became of them, at its end; and the
    money of the day by what it was for and where it went. Whole paise.
    """

    day: date
    before: dict[str, int]
    came: dict[str, int]
    left: dict[tuple[str, str], int]
    after: dict[str, int]
    received: dict[str, int]
    spent: dict[tuple[str, str], int]


def stall(session: Session, pound_id: str, *, authority_id: str | None = None) -> Stall:
    """Return a pound by its id. Raises `NotFound`."""
    query = select(Pound, Authority).join(Authority, Authority.id == Pound.authority_id)
    query = query.where(Pound.id == pound_id)
    if authority_id is not None:
        query = query.where(Pound.authority_id == authority_id)
    found = session.execute(query.limit(1)).first()
    if found is None:
        raise NotFound("There is no such pound.")
    pound, authority = found
    return Stall(
        authority.id,
        authority.name,
        tuple(authority.languages.split()),
        authority.statute,
        pound.id,
        pound.name,
    )


def scales(session: Session, at: Stall, *, on: date) -> list[Notification]:
    """Return the scales in force on a day for a pound, by kind and number."""
    query = select(Notification).where(
        Notification.authority_id == at.authority_id,
        Notification.kind.in_(_SCALES),
        Notification.effective_from <= on,
        or_(Notification.effective_to.is_(None), Notification.effective_to >= on),
        or_(Notification.pound_id.is_(None), Notification.pound_id == at.pound_id),
    )
    return list(session.scalars(query.order_by(Notification.kind, Notification.number)))


def kept(session: Session, at: Stall) -> list[Kept]:
    """Return what stands in a pound now, the oldest first."""
    ended = select(Disposition.custody_id).where(
        Disposition.authority_id == Custody.authority_id,
        Disposition.custody_id == Custody.id,
        Disposition.undone_by.is_(None),
    )
    rows = session.execute(
        select(Custody, Seizure)
        .join(
            Seizure,
            (Seizure.authority_id == Custody.authority_id) & (Seizure.id == Custody.seizure_id),
        )
        .where(
            Custody.authority_id == at.authority_id,
            Custody.pound_id == at.pound_id,
            Custody.impounded_at.is_not(None),
            ~ended.exists(),
        )
        .order_by(Custody.impounded_at, Custody.seizure_id, Custody.n)
        .limit(_MOST)
    ).all()
    stands = _last_steps(session, at.authority_id, {seizure.id for _, seizure in rows})
    groups: dict[tuple[str, str], list[tuple[Custody, Seizure]]] = {}
    for custody, seizure in rows:
        groups.setdefault((seizure.id, custody.kind), []).append((custody, seizure))
    return [_kept(found, stands.get(case, "")) for (case, _), found in groups.items()]


def _kept(rows: list[tuple[Custody, Seizure]], stands: str) -> Kept:
    custody, seizure = rows[0]
    fields = seizure.fields
    return Kept(
        custody.kind,
        len(rows),
        custody.impounded_at or custody.started_at,
        str(fields.get("survey_no") or ""),
        str(seizure.reference or seizure.minted_reference or ""),
        stands,
    )


def _last_steps(session: Session, authority_id: str, cases: set[str]) -> dict[str, str]:
    """Return the last public step of each case: noticed, ordered to be sold."""
    if not cases:
        return {}
    rows = session.execute(
        select(Act.subject_id, Act.act, Act.happened_at)
        .where(
            Act.authority_id == authority_id,
            Act.subject_kind == "case",
            among(session, Act.subject_id, cases),
            Act.act.in_(("post_notice", "order_sale", "hold_auction")),
        )
        .order_by(Act.subject_id, Act.n)
    )
    return {case: f"{act} {day_of(at)}" for case, act, at in rows}


def register(session: Session, at: Stall, *, since: date, until: date) -> list[Entry]:
    """Return the register of a pound: every arrival of these days, by serial."""
    start, end = _span(since, until)
    papers = session.scalars(
        select(Document)
        .where(
            Document.authority_id == at.authority_id,
            Document.pound_id == at.pound_id,
            Document.kind == "register_entry",
            Document.issued_at >= start,
            Document.issued_at < end,
        )
        .order_by(Document.issued_at, Document.serial)
        .limit(_MOST)
    ).all()
    return [_entry(session, at, paper) for paper in papers]


def _entry(session: Session, at: Stall, paper: Document) -> Entry:
    data: dict[str, Any] = json.loads(paper.data)
    ids = [head["id"] for head in data["heads"]]
    heads = session.scalars(
        select(Custody).where(
            Custody.authority_id == at.authority_id, among(session, Custody.id, ids)
        )
    ).all()
    ends = session.execute(
        select(Disposition.became).where(
            Disposition.authority_id == at.authority_id,
            among(session, Disposition.custody_id, ids),
            Disposition.undone_by.is_(None),
        )
    )
    owners = {one for row in heads for one in (row.owner_id, row.kept_by_id) if one}
    names = session.scalars(
        select(Party.name).where(
            Party.authority_id == at.authority_id, among(session, Party.id, owners)
        )
    )
    seizure = session.get(Seizure, (at.authority_id, paper.seizure_id))
    act = session.get_one(Act, (at.authority_id, paper.act_id))
    return Entry(
        serial=str(paper.serial),
        came_at=act.happened_at,
        animals=dict(Counter(head["kind"] for head in data["heads"])),
        reference=str(data["seizure"].get("reference") or ""),
        seizer=str(data["seizure"]["seizer"].get("name") or ""),
        seized_at=None if seizure is None else seizure.seized_at,
        owners=tuple(sorted(names)),
        became=dict(Counter(became for (became,) in ends)),
    )


def day(session: Session, at: Stall, *, on: date) -> Day:
    """Return the daily statement of a pound (Kerala Rules 1962 r. 15)."""
    start, end = _span(on, on)
    heads = session.scalars(
        select(Custody).where(
            Custody.authority_id == at.authority_id,
            Custody.pound_id == at.pound_id,
            Custody.impounded_at.is_not(None),
            Custody.impounded_at < end,
        )
    ).all()
    ended = standing(at.authority_id).where(Custody.pound_id == at.pound_id, Disposition.at < end)
    ends = {row.custody_id: row for row in session.scalars(ended)}
    return _day(on, start, heads=heads, ends=ends, lines=_lines(session, at, start, end))


def _lines(session: Session, at: Stall, start: datetime, end: datetime) -> list[MoneyLine]:
    query = select(MoneyLine).where(
        MoneyLine.authority_id == at.authority_id,
        MoneyLine.pound_id == at.pound_id,
        MoneyLine.at >= start,
        MoneyLine.at < end,
    )
    return list(session.scalars(query))


def _day(
    on: date,
    start: datetime,
    *,
    heads: Iterable[Custody],
    ends: dict[str, Disposition],
    lines: Iterable[MoneyLine],
) -> Day:
    before: Counter[str] = Counter()
    came: Counter[str] = Counter()
    left: Counter[tuple[str, str]] = Counter()
    after: Counter[str] = Counter()
    for row in heads:
        end = ends.get(row.id)
        is_new = row.impounded_at is not None and row.impounded_at >= start
        if end is not None and end.at < start:
            continue
        (came if is_new else before)[row.kind] += 1
        if end is not None:
            left[row.kind, end.became] += 1
        else:
            after[row.kind] += 1
    received: Counter[str] = Counter()
    spent: Counter[tuple[str, str]] = Counter()
    for line in lines:
        if line.from_account in _INCOMING:
            received[line.line] += line.paise
        if not line.to_account.startswith(("held.", "due.", "receivable.")):
            spent[line.line, line.to_account] += line.paise
    return Day(on, dict(before), dict(came), dict(left), dict(after), dict(received), dict(spent))


def refunds(session: Session, at: Stall, *, since: date, until: date) -> list[dict[str, Any]]:
    """Return the refunds of security of these days, as the register of refunds asks."""
    start, end = _span(since, until)
    rows = session.execute(
        select(Act, MoneyLine, Party.name)
        .join(
            MoneyLine,
            (MoneyLine.authority_id == Act.authority_id) & (MoneyLine.act_id == Act.id),
        )
        .outerjoin(
            Party,
            (Party.authority_id == MoneyLine.authority_id) & (Party.id == MoneyLine.party_id),
        )
        .where(
            Act.authority_id == at.authority_id,
            Act.pound_id == at.pound_id,
            Act.act == "refund_security",
            Act.performed_at >= start,
            Act.performed_at < end,
        )
        .order_by(Act.performed_at, MoneyLine.n)
    )
    return [
        {
            "at": format_instant(act.performed_at),
            "party": name or "",
            "paise": line.paise,
            "case": act.subject_id,
        }
        for act, line, name in rows
    ]


def open_cases(session: Session, at: Stall) -> int:
    """Return how many cases of a pound are open."""
    query = select(CaseFile.id).where(
        CaseFile.authority_id == at.authority_id,
        CaseFile.pound_id == at.pound_id,
        CaseFile.state == "open",
    )
    return len(session.scalars(query).all())


def _span(since: date, until: date) -> tuple[datetime, datetime]:
    """Return when the first day begins and the last one ends; no book knows of other centuries."""
    first, last = max(since, _FIRST_DAY), min(until, _LAST_DAY)
    start = datetime.combine(first, datetime.min.time(), INDIA)
    return start, datetime.combine(last + timedelta(days=1), datetime.min.time(), INDIA)
