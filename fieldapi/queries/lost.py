"""Heads that were lost, to be known again in another case. Called by the console."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.models import Custody, Disposition, Seizure
from fieldapi.models.bulk import among
from fieldapi.queries.dispositions import standing

_MOST = 60
_LOST = ("rescued", "escaped")


@dataclass(frozen=True, slots=True)
class LostHead:
    """A head that its case lost. `case`: the reference of that case; `became`: rescued, escaped."""

    id: str
    kind: str
    case: str
    became: str
    at: datetime


def lost_heads(
    session: Session, authority_id: str, *, but: str, kinds: Collection[str]
) -> list[LostHead]:
    """Return heads of these kinds that other cases than `but` lost and that nobody knew again yet,
    the last lost first.
    """
    known = select(Custody.previous_id).where(
        Custody.authority_id == authority_id, Custody.previous_id.is_not(None)
    )
    of_case = (Seizure.authority_id == Custody.authority_id) & (Seizure.id == Custody.seizure_id)
    query = (
        standing(authority_id)
        .join(Seizure, of_case)
        .where(
            Disposition.became.in_(_LOST),
            Custody.seizure_id != but,
            Custody.id.not_in(known),
            among(session, Custody.kind, kinds),
        )
        .with_only_columns(
            Custody.id,
            Custody.kind,
            Seizure.reference,
            Seizure.minted_reference,
            Disposition.became,
            Disposition.at,
        )
        .order_by(Disposition.at.desc(), Custody.id)
        .limit(_MOST)
    )
    return [
        LostHead(row.id, row.kind, row.reference or row.minted_reference or "", row.became, row.at)
        for row in session.execute(query)
    ]
