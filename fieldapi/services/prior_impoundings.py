"""Impoundings from before this register was kept: they count as times. Called by the api."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from fieldapi.clock import INDIA
from fieldapi.domain.values import HEAD, LINE, UUID, Choice, ValueType
from fieldapi.domain.words import sentence
from fieldapi.models import PriorImpounding
from fieldapi.models.party import LEGALITIES
from fieldapi.services import parties
from fieldapi.services.authorise import Principal, require
from fieldapi.services.fields import check_fields, refuse
from fieldapi.unit import Unit

_TYPES: dict[str, ValueType] = {
    "id": UUID,
    "head": HEAD,
    "legality": Choice(LEGALITIES),
    "source": LINE,
}


@dataclass(frozen=True, slots=True)
class NewPrior:
    """An earlier impounding of cattle of a party. `source`: where it was read."""

    id: str
    party_id: str
    impounded_on: date
    head: int
    source: str
    legality: str = "not_disputed"


def add(unit: Unit, principal: Principal, new: NewPrior) -> PriorImpounding:
    """Add an earlier impounding. Raises `InvalidBody`, `NotFound` (the party)."""
    require(principal, "prior_impounding.add")
    check_fields(_TYPES, {name: getattr(new, name) for name in _TYPES})
    if not new.source.strip():
        raise refuse("source", sentence("Say where this was read."))
    if new.impounded_on > unit.now.astimezone(INDIA).date():
        raise refuse("impounded_on", sentence("This day has not come yet."))
    party = parties.get(unit, principal, new.party_id)
    row = PriorImpounding(
        authority_id=principal.authority_id,
        id=new.id,
        party_id=party.id,
        impounded_on=new.impounded_on,
        head=new.head,
        legality=new.legality,
        source=new.source,
        entered_by=principal.person_id,
        created_at=unit.now,
    )
    unit.session.add(row)
    unit.enter(
        row.authority_id,
        "prior_impounding.added",
        subject=f"party/{party.id}",
        actor=principal.actor,
        prior=row.id,
    )
    return row
