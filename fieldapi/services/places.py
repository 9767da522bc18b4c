"""Imports the named places that the phone app offers. Called by the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select

from fieldapi.domain.values import NAME, ValueType
from fieldapi.ids import new_id
from fieldapi.models import Place
from fieldapi.services.authorise import Principal, require
from fieldapi.services.fields import check_fields, refuse
from fieldapi.services.imports import Imported
from fieldapi.services.pounds import LAT, LON
from fieldapi.unit import Unit

_TYPES: dict[str, ValueType] = {"name": NAME, "local_name": NAME, "lat": LAT, "lon": LON}


@dataclass(frozen=True, slots=True)
class NewPlace:
    """A named place. `local_name`: the same in the local script. `lat`, `lon`: WGS84 degrees."""

    name: str
    local_name: str | None = None
    lat: float | None = None
    lon: float | None = None


def import_many(unit: Unit, principal: Principal, rows: Sequence[NewPlace]) -> Imported:
    """Add the places that are new by name, correct those that differ; one entry for the whole.

    Raises `InvalidBody`.
    """
    require(principal, "place.import")
    for new in rows:
        check(new)
    known = _known(unit, principal.authority_id)
    added = [_row(principal.authority_id, new) for new in rows if new.name not in known]
    unit.session.add_all(added)
    old = [new for new in rows if new.name in known]
    changed = sum(_correct(known[new.name], new) for new in old)
    if added or changed:
        unit.enter(
            principal.authority_id,
            "place.imported",
            subject=f"authority/{principal.authority_id}",
            actor=principal.actor,
            added=len(added),
            changed=changed,
        )
    return Imported(len(added), changed, len(old) - changed)


def _row(authority_id: str, new: NewPlace) -> Place:
    return Place(
        authority_id=authority_id,
        id=new_id(),
        name=new.name,
        local_name=new.local_name,
        lat=new.lat,
        lon=new.lon,
    )


def _correct(row: Place, new: NewPlace) -> bool:
    if (row.local_name, row.lat, row.lon) == (new.local_name, new.lat, new.lon):
        return False
    row.local_name, row.lat, row.lon = new.local_name, new.lat, new.lon
    return True


def _known(unit: Unit, authority_id: str) -> Mapping[str, Place]:
    rows = unit.session.scalars(select(Place).where(Place.authority_id == authority_id))
    return {row.name: row for row in rows}


def check(new: NewPlace) -> None:
    """Raise `InvalidBody` unless the place can be taken as it is written."""
    check_fields(
        _TYPES,
        {"name": new.name, "local_name": new.local_name, "lat": new.lat, "lon": new.lon},
    )
    if (new.lat is None) != (new.lon is None):
        raise refuse("lat" if new.lat is None else "lon", "Give lat and lon, or neither.")
