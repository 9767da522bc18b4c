"""Loads a case as the law sees it: heads, acts, money, register, calendars, other impoundings.

Called by the acts, which write, and by the reads of a case, a quote and the deadlines: all judge by
the same facts.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi import law
from fieldapi.clock import INDIA
from fieldapi.domain.geo import point_of, read_area
from fieldapi.ids import server_op_id
from fieldapi.law.profile import StatuteProfile
from fieldapi.models import (
    Act,
    Animal,
    Authority,
    CaseFile,
    ClosedDay,
    Custody,
    MoneyLine,
    Notification,
    Party,
    Seizure,
    StatuteConfirmation,
)
from fieldapi.models.bulk import among
from fieldapi.packs import Packs
from fieldapi.problems import Conflict, NotFound
from fieldapi.queries.impoundings import complaints, continues, impoundings, previous

COUNT_AGAIN, RECOGNISE = "count_again", "recognise"
_NO_SEIZURE = "The report does not say yet when the cattle were seized."
_NOTED = frozenset({COUNT_AGAIN, RECOGNISE})
_DAMAGE = "trespass_with_damage"
_AREAS = ("double_fine_area", "fee_schedule", "section_189", "section_190", "security_scale")


@dataclass(frozen=True, slots=True)
class DraftHead:
    """A head that follows the counts of the report until the first act; its id never changes."""

    id: str
    n: int
    kind: str
    animal_id: str


@dataclass(frozen=True, slots=True)
class Facts:
    """A case, and the rows it was made from. `file`: None before its first act.

    `drafts`: the heads that the first act will make; empty from then on.
    """

    case: law.Case
    seizure: Seizure
    file: CaseFile | None
    custody: Mapping[str, Custody]
    drafts: Sequence[DraftHead]
    acts: Sequence[Act]
    merged: Mapping[str, str]
    is_pinned: bool

    @property
    def version(self) -> str:
        """Return the version of the statute under which the case is."""
        return self.case.profile.version


def load(session: Session, packs: Packs, authority_id: str, seizure_id: str) -> Facts:
    """Return the facts of a case. Raises `NotFound`, `Conflict` (no seizure to speak of)."""
    seizure = session.get(Seizure, (authority_id, seizure_id))
    if seizure is None or not seizure.heads:
        raise NotFound("There is no such case.")
    if seizure.seized_at is None:
        raise Conflict(_NO_SEIZURE)
    file = session.get(CaseFile, (authority_id, seizure_id))
    return _facts(session, packs, authority_id, [(seizure, file)])[0]


def load_many(
    session: Session, packs: Packs, authority_id: str, seizure_ids: Collection[str]
) -> list[Facts]:
    """Return the facts of several cases that have had an act, by their ids in order. The database
    is asked as often as for one. Raises `Conflict` (no seizure to speak of).
    """
    query = (
        select(Seizure, CaseFile)
        .join(
            CaseFile,
            (CaseFile.authority_id == Seizure.authority_id) & (CaseFile.id == Seizure.id),
        )
        .where(
            Seizure.authority_id == authority_id,
            among(session, Seizure.id, seizure_ids),
            Seizure.heads != "",
        )
        .order_by(Seizure.id)
    )
    found = [(seizure, file) for seizure, file in session.execute(query)]
    if any(seizure.seized_at is None for seizure, _ in found):
        raise Conflict(_NO_SEIZURE)
    return _facts(session, packs, authority_id, found) if found else []


def _facts(
    session: Session,
    packs: Packs,
    authority_id: str,
    found: Sequence[tuple[Seizure, CaseFile | None]],
) -> list[Facts]:
    ids, merged = [seizure.id for seizure, _ in found], merged_parties(session, authority_id)
    custody, acts = _custody(session, authority_id, ids), _acts(session, authority_id, ids)
    moves = _moves(session, authority_id, [act for one in acts.values() for act in one], merged)
    told = complaints(
        session,
        authority_id,
        {id: [row.id for row in rows] for id, rows in custody.items()},
        merged=merged,
    )
    register, calendars = register_of(session, authority_id), calendars_of(session, authority_id)
    made = []
    for seizure, file in found:
        here = {row.id: row for row in custody[seizure.id]}
        profile, is_pinned = _profile(session, packs, seizure, file)
        drafts = [] if file is not None else draft_heads(session, authority_id, seizure.id)
        case = law.Case(
            id=seizure.id,
            profile=profile,
            seizure=_seizure(seizure, register),
            heads=tuple([_head(row) for row in here.values()] or map(_draft, drafts)),
            acts=_done(acts[seizure.id], moves, merged),
            register=register,
            calendars=calendars,
            complaints=tuple(told[seizure.id]),
        )
        made.append(Facts(case, seizure, file, here, drafts, acts[seizure.id], merged, is_pinned))
    return _beside_others(session, authority_id, made, merged)


def _beside_others(
    session: Session, authority_id: str, made: Sequence[Facts], merged: Mapping[str, str]
) -> list[Facts]:
    """Return the facts with what else was impounded of the same persons, and what they continue."""
    named = {one.case.id: _named(one.case) for one in made}
    others = impoundings(session, authority_id, named, merged=merged)
    earlier = continues(session, authority_id, {one.case.id: previous(one.custody) for one in made})
    return [
        replace(
            one,
            case=replace(one.case, impoundings=others[one.case.id], continues=earlier[one.case.id]),
        )
        for one in made
    ]


def _acts(session: Session, authority_id: str, cases: Collection[str]) -> dict[str, list[Act]]:
    """Return the acts of cases, each case's in their turn."""
    query = select(Act).where(
        Act.authority_id == authority_id,
        Act.subject_kind == "case",
        among(session, Act.subject_id, cases),
    )
    found: dict[str, list[Act]] = {one: [] for one in cases}
    for act in session.scalars(query.order_by(Act.subject_id, Act.n)):
        found[act.subject_id].append(act)
    return found


def acts_of(session: Session, authority_id: str, kind: str, subject_id: str) -> list[Act]:
    """Return the acts of a case, an order or an offence in their turn."""
    query = select(Act).where(
        Act.authority_id == authority_id, Act.subject_kind == kind, Act.subject_id == subject_id
    )
    return list(session.scalars(query.order_by(Act.n)))


def draft_heads(session: Session, authority_id: str, seizure_id: str) -> list[DraftHead]:
    """Return one head for each that the report counts now."""
    lots = session.scalars(
        select(Animal)
        .where(
            Animal.authority_id == authority_id,
            Animal.seizure_id == seizure_id,
            Animal.heads != "",
            Animal.is_withdrawn.is_(False),
        )
        .order_by(Animal.received_at, Animal.id)
    )
    found = [(lot, at) for lot in lots if lot.kind for at in range(lot.count or 0)]
    return [
        DraftHead(head_id(authority_id, seizure_id, f"{lot.id}/{at}"), n, str(lot.kind), lot.id)
        for n, (lot, at) in enumerate(found, 1)
    ]


def head_id(authority_id: str, seizure_id: str, name: str) -> str:
    """Return the id of a head that the server makes: the same however often it is asked."""
    return server_op_id(b"head of cattle", f"{authority_id}/{seizure_id}/{name}")


def register_of(session: Session, authority_id: str) -> law.Register:
    """Return the whole dated register as the law reads it."""
    rows = session.scalars(
        select(Notification)
        .where(Notification.authority_id == authority_id)
        .order_by(Notification.id)
    )
    return law.Register(tuple(_notification(row) for row in rows))


def calendars_of(session: Session, authority_id: str) -> law.Calendars:
    """Return the closed days of office and pound."""
    days: dict[str, set[date]] = {"office": set(), "pound": set()}
    rows = session.execute(
        select(ClosedDay.calendar, ClosedDay.day).where(ClosedDay.authority_id == authority_id)
    )
    for calendar, day in rows:
        days[calendar].add(day)
    return law.Calendars(office=frozenset(days["office"]), pound=frozenset(days["pound"]))


def merged_parties(session: Session, authority_id: str) -> dict[str, str]:
    """Return for each merged party the one that stands for it now."""
    rows = dict(
        session.execute(
            select(Party.id, Party.merged_into).where(
                Party.authority_id == authority_id, Party.merged_into.is_not(None)
            )
        ).all()
    )
    return {one: _end_of(one, rows) for one in rows}


def _end_of(party_id: str, merged: Mapping[str, str | None]) -> str:
    while (into := merged.get(party_id)) is not None:
        party_id = into
    return party_id


def confirmed_by(session: Session, authority_id: str, version: str, at: datetime) -> list[str]:
    """Return the keys of a version that two persons had confirmed at an instant."""
    query = select(StatuteConfirmation.key).where(
        StatuteConfirmation.authority_id == authority_id,
        StatuteConfirmation.version == version,
        StatuteConfirmation.second_at.is_not(None),
        StatuteConfirmation.second_at <= at,
    )
    return sorted(set(session.scalars(query)))


def _profile(
    session: Session, packs: Packs, seizure: Seizure, file: CaseFile | None
) -> tuple[StatuteProfile, bool]:
    """Return the version of the day of the seizure, with what was confirmed at its receipt."""
    authority = session.get_one(Authority, seizure.authority_id)
    is_pinned = authority.statute not in packs.series if file is None else file.is_pinned
    if file is not None:
        profile = packs.profile(file.version, on=file.opened_at.date())
        keys = json.loads(file.confirmations)
        return profile.confirmed(frozenset(keys)), is_pinned
    seized_on = (seizure.seized_at or seizure.received_at).astimezone(INDIA).date()
    profile = packs.profile(authority.statute, on=seized_on)
    keys = confirmed_by(session, seizure.authority_id, profile.version, seizure.received_at)
    return profile.confirmed(frozenset(keys)), is_pinned


def _custody(
    session: Session, authority_id: str, cases: Collection[str]
) -> dict[str, list[Custody]]:
    query = select(Custody).where(
        Custody.authority_id == authority_id, among(session, Custody.seizure_id, cases)
    )
    found: dict[str, list[Custody]] = {one: [] for one in cases}
    for row in session.scalars(query.order_by(Custody.seizure_id, Custody.n)):
        found[row.seizure_id].append(row)
    return found


def _head(row: Custody) -> law.Head:
    is_first = row.origin == "seized"
    return law.Head(
        id=row.id,
        kind=row.kind,
        lot=row.animal_id,
        previous=row.previous_id,
        since=None if is_first else row.started_at,
        origin=row.origin,
    )


def _draft(one: DraftHead) -> law.Head:
    return law.Head(id=one.id, kind=one.kind, lot=one.animal_id)


def done_of(
    session: Session, authority_id: str, acts: Sequence[Act], merged: Mapping[str, str]
) -> tuple[law.Done, ...]:
    """Return acts of one subject as the law reads them, each with its money."""
    return _done(acts, _moves(session, authority_id, acts, merged), merged)


def _done(
    acts: Iterable[Act], moves: Mapping[str, Sequence[law.Move]], merged: Mapping[str, str]
) -> tuple[law.Done, ...]:
    return tuple(_act(act, moves.get(act.id, ()), merged) for act in acts if act.act not in _NOTED)


def _moves(
    session: Session, authority_id: str, acts: Sequence[Act], merged: Mapping[str, str]
) -> dict[str, list[law.Move]]:
    """Return the money of acts, by the act, as far as it is of the subject of the act."""
    moves: dict[str, list[law.Move]] = {}
    if not acts:
        return moves
    lines = session.scalars(
        select(MoneyLine)
        .where(
            MoneyLine.authority_id == authority_id,
            among(session, MoneyLine.act_id, [act.id for act in acts]),
            among(session, MoneyLine.subject_id, {act.subject_id for act in acts}),
        )
        .order_by(MoneyLine.act_id, MoneyLine.n)
    )
    subjects = {act.id: act.subject_id for act in acts}
    for line in lines:
        if line.subject_id == subjects[line.act_id]:
            moves.setdefault(line.act_id, []).append(_move(line, merged))
    return moves


def _act(act: Act, moves: Iterable[law.Move], merged: Mapping[str, str]) -> law.Done:
    data: dict[str, Any] = json.loads(act.data)
    return law.Done(
        id=act.id,
        n=act.n,
        act=act.act,
        at=act.happened_at,
        mode=act.mode,
        party=through(merged, act.party_id),
        heads=tuple(json.loads(act.heads)),
        data={name: _through(merged, value) for name, value in data.items()},
        moves=tuple(moves),
    )


def _through(merged: Mapping[str, str], value: Any) -> Any:  # noqa: ANN401 - as it was stored
    """Return a particular with its people read through merges: alone, or after the act of a sum."""
    if isinstance(value, str):
        act, mark, party = value.partition("/")
        return f"{act}/{through(merged, party)}" if mark else through(merged, value)
    if isinstance(value, list):
        return [_through(merged, one) if isinstance(one, str) else one for one in value]
    if not isinstance(value, dict):
        return value
    found: dict[str, Any] = {}
    for name, one in value.items():
        told = _through(merged, name)
        is_sum = told in found and isinstance(one, int)
        found[told] = found[told] + one if is_sum else one
    return found


def _move(line: MoneyLine, merged: Mapping[str, str]) -> law.Move:
    return law.Move(
        line=line.line,
        paise=line.paise,
        source=line.from_account,
        target=line.to_account,
        party=through(merged, line.party_id),
        how=line.how,
        section=line.source,
    )


def through(merged: Mapping[str, str], party_id: str | None) -> str | None:
    """Return who stands for a party now."""
    return merged.get(party_id, party_id) if party_id is not None else None


def _named(case: law.Case) -> set[str]:
    """Return the parties that the case speaks of."""
    found = {done.party for done in case.acts if done.party}
    found |= {str(done.data["party"]) for done in case.acts if done.data.get("party")}
    return found


def _notification(row: Notification) -> law.Notification:
    data: dict[str, Any] = json.loads(row.data)
    percent = data.get("forfeit_percent")
    return law.Notification(
        id=row.id,
        kind=row.kind,
        number=row.number,
        effective_from=row.effective_from,
        effective_to=row.effective_to,
        area=row.area,
        pound=row.pound_id,
        is_approved=row.approved_by is not None,
        is_sample=row.is_sample,
        rates=law.read_rates(data),
        names=frozenset(str(one) for one in data.get("names", [])),
        forfeit_percent=percent if isinstance(percent, int) else None,
        limits=read_area(data["polygon"]) if data.get("polygon") is not None else None,
    )


def _seizure(row: Seizure, register: law.Register) -> law.Seizure:
    fields = row.fields
    area = _area(fields, register)
    return law.Seizure(
        at=row.seized_at or row.received_at,
        capacity=row.capacity or "",
        ground=row.ground or "",
        place_kind=row.place_kind or "",
        has_damage=fields.get("damage_done") is True or row.ground == _DAMAGE,
        area=area,
        village=area,
    )


def _area(fields: Mapping[str, Any], register: law.Register) -> str | None:
    """Return the notified area in whose limits the report's place lies, the smallest of several;
    else the one that it names as its place, or else the place as named.

    A name does not count for an area whose limits are drawn when the place is known.
    """
    place, point = str(fields.get("place_text") or "").strip(), point_of(fields.get("location"))
    known = [one for one in register.notifications if one.kind in _AREAS and one.area]
    drawn = [(one.limits, one.area) for one in known if one.limits is not None]
    around = [(limits, area) for limits, area in drawn if point and limits.holds(point)]
    if around:
        return min(around, key=lambda one: one[0].box.size)[1]
    open_ = [one.area for one in known if one.area and (one.limits is None or point is None)]
    named = [area for area in open_ if area.casefold() in place.casefold()]
    if named:
        return max(named, key=len)
    is_elsewhere = point is not None and any(place == area for _, area in drawn)
    return None if is_elsewhere or not place else place
