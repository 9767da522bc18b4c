"""Reads what else was impounded of the people of a case: how many head, when, how it stands; and
which earlier cases a case continues.

Called by `case_facts`. What was impounded before the register was kept is among it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from fieldapi import law
from fieldapi.clock import INDIA
from fieldapi.models import Act, Complaint, Custody, PriorImpounding
from fieldapi.models.bulk import among

WITHDRAWN = "withdrawn"
# Heads born in the pound or seized again are no further time of impounding.
_NO_TIME = ("born", "reseized")


def previous(custody: Mapping[str, Custody]) -> set[str]:
    """Return the heads of earlier cases that were seized again as heads of this one."""
    return {row.previous_id for row in custody.values() if row.previous_id} - custody.keys()


def continues(
    session: Session, authority_id: str, earlier: Mapping[str, set[str]]
) -> dict[str, frozenset[str]]:
    """Return by case the earlier cases in which its `previous` heads stood."""
    heads = set[str]().union(*earlier.values())
    if not heads:
        return dict.fromkeys(earlier, frozenset())
    query = select(Custody.id, Custody.seizure_id).where(
        Custody.authority_id == authority_id, among(session, Custody.id, heads)
    )
    stood = dict(session.execute(query).all())
    return {
        case: frozenset(stood[one] for one in found if one in stood)
        for case, found in earlier.items()
    }


def impoundings(
    session: Session,
    authority_id: str,
    named: Mapping[str, set[str]],
    *,
    merged: Mapping[str, str],
) -> dict[str, tuple[law.Impounding, ...]]:
    """Return by case what else was impounded of the parties it names: one for each other case and
    person, and those from before the register. However many cases ask, it is read together.
    """
    parties = set[str]().union(*named.values())
    if not parties:
        return dict.fromkeys(named, ())
    here = _impounded(session, authority_id, parties, merged)
    prior = prior_of(session, authority_id, parties)
    return {
        case: (
            *(one for one, persons in here if one.case != case and persons & of),
            *(one for one in prior if one.liable in of),
        )
        for case, of in named.items()
    }


def _impounded(
    session: Session, authority_id: str, parties: set[str], merged: Mapping[str, str]
) -> list[tuple[law.Impounding, set[str | None]]]:
    """Return what was impounded of parties, each with whose it is and who kept it."""
    owned, kept = (
        among(session, Custody.owner_id, parties),
        among(session, Custody.kept_by_id, parties),
    )
    rows = session.execute(
        select(
            Custody.seizure_id,
            Custody.owner_id,
            Custody.kept_by_id,
            Custody.impounded_at,
            func.count(),
        )
        .where(
            Custody.authority_id == authority_id,
            Custody.impounded_at.is_not(None),
            Custody.origin.not_in(_NO_TIME),
            or_(owned, kept),
        )
        .group_by(Custody.seizure_id, Custody.owner_id, Custody.kept_by_id, Custody.impounded_at)
    ).all()
    ids = _contested(session, authority_id, {row[0] for row in rows}, merged)
    return [
        (
            law.Impounding(
                at=at,
                head=many,
                liable=kept_by or owner,
                owner=owner or kept_by,
                legality=legality,
                case=case,
            ),
            {owner, kept_by},
        )
        for case, owner, kept_by, at, head in rows
        if at is not None
        for legality, many in _standing(ids.get(case), (owner, kept_by, at), head)
    ]


_Whose = tuple[str | None, str | None, datetime]


@dataclass(frozen=True, slots=True)
class _Contested:
    """A case that somebody complained of: the complaints, and its heads by person and arrival."""

    complaints: list[law.Complaint] = field(default_factory=list)
    heads: dict[_Whose, list[str]] = field(default_factory=dict)


def _standing(case: _Contested | None, whose: _Whose, head: int) -> Iterable[tuple[str, int]]:
    if case is None:
        return [(law.legality.NOT_DISPUTED, head)]
    return law.legality.parted(case.complaints, set(whose[:2]), case.heads.get(whose, []))


def _contested(
    session: Session, authority_id: str, cases: set[str], merged: Mapping[str, str]
) -> dict[str, _Contested]:
    """Return the cases of which somebody complained, with the heads that are impounded in them."""
    found: dict[str, _Contested] = {}
    told = _complained(session, authority_id, cases, merged)
    for case, _ in told:
        found.setdefault(case, _Contested())
    if not found:
        return found
    rows = session.scalars(
        select(Custody).where(
            Custody.authority_id == authority_id,
            among(session, Custody.seizure_id, set(found)),
            Custody.impounded_at.is_not(None),
            Custody.origin.not_in(_NO_TIME),
        )
    )
    for row in rows:
        if row.impounded_at is not None:
            whose = (row.owner_id, row.kept_by_id, row.impounded_at)
            found[row.seizure_id].heads.setdefault(whose, []).append(row.id)
    heads = {
        case: [one for ids in each.heads.values() for one in ids] for case, each in found.items()
    }
    for case, said in _as_ordered(session, authority_id, told, heads).items():
        found[case].complaints.extend(said)
    return found


def complaints(
    session: Session,
    authority_id: str,
    heads: Mapping[str, Iterable[str]],
    *,
    merged: Mapping[str, str],
) -> dict[str, list[law.Complaint]]:
    """Return by case the complaints about it, each as its order left it; none that was withdrawn.
    `heads`: of each case.
    """
    told = _complained(session, authority_id, set(heads), merged)
    return {case: [] for case in heads} | _as_ordered(session, authority_id, told, heads)


_Told = tuple[str, law.Complaint]


def _as_ordered(
    session: Session,
    authority_id: str,
    told: Sequence[_Told],
    heads: Mapping[str, Iterable[str]],
) -> dict[str, list[law.Complaint]]:
    """Return complaints by case; one that was upheld for some heads alone is two."""
    upheld = [one.id for _, one in told if one.outcome == law.complaints.ILLEGAL]
    named = _named(session, authority_id, upheld) if upheld else {}
    found: dict[str, list[law.Complaint]] = {}
    for case, one in told:
        parts = law.legality.upheld_in_part(one, named.get(one.id, ()), heads[case])
        found.setdefault(case, []).extend(parts)
    return found


def _named(session: Session, authority_id: str, upheld: Sequence[str]) -> dict[str, list[str]]:
    """Return the heads that the last order on each of these complaints names."""
    rows = session.execute(
        select(Act.subject_id, Act.heads)
        .where(
            Act.authority_id == authority_id,
            Act.subject_kind == "complaint",
            among(session, Act.subject_id, upheld),
            Act.act.in_(law.complaints.ORDERS),
        )
        .order_by(Act.n)
    )
    return {complaint: json.loads(heads) for complaint, heads in rows}


def _complained(
    session: Session, authority_id: str, cases: set[str], merged: Mapping[str, str]
) -> list[_Told]:
    """Return the complaints of cases with the case of each, those withdrawn left out."""
    if not cases:
        return []
    query = (
        select(Complaint)
        .where(
            Complaint.authority_id == authority_id,
            Complaint.state != WITHDRAWN,
            among(session, Complaint.seizure_id, cases),
        )
        .order_by(Complaint.made_at, Complaint.id)
    )
    return [
        (
            row.seizure_id,
            law.Complaint(
                id=row.id,
                made_at=row.made_at,
                by=merged.get(row.by_id, row.by_id),
                outcome=row.outcome,
                decided_at=row.decided_at,
                heads=tuple(json.loads(row.heads)),
            ),
        )
        for row in session.scalars(query)
    ]


def prior_of(session: Session, authority_id: str, parties: set[str]) -> tuple[law.Impounding, ...]:
    """Return the impoundings of these parties from before the register."""
    rows = session.scalars(
        select(PriorImpounding)
        .where(
            PriorImpounding.authority_id == authority_id,
            among(session, PriorImpounding.party_id, parties),
        )
        .order_by(PriorImpounding.impounded_on, PriorImpounding.id)
    )
    return tuple(
        law.Impounding(
            at=datetime.combine(row.impounded_on, time.min, INDIA),
            head=row.head,
            liable=row.party_id,
            owner=row.party_id,
            legality=row.legality,
        )
        for row in rows
    )
