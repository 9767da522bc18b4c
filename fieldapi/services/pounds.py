"""Adds pounds, one at a time or from a list. Called by the api and the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select

from fieldapi.domain.values import NAME, UUID, Real, ValueType
from fieldapi.domain.words import sentence
from fieldapi.ids import new_id
from fieldapi.models import Pound
from fieldapi.problems import Conflict, NotFound
from fieldapi.services.authorise import Principal, require
from fieldapi.services.fields import area_text, check_fields, refuse
from fieldapi.services.imports import Imported
from fieldapi.unit import Unit
from sync.wire import JSON

LAT, LON = Real(-90, 90), Real(-180, 180)
_TYPES: dict[str, ValueType] = {"id": UUID, "name": NAME, "lat": LAT, "lon": LON}


@dataclass(frozen=True, slots=True)
class NewPound:
    """A pound to be. `lat`, `lon`: WGS84 degrees, both or neither. `area`: GeoJSON polygon."""

    name: str
    lat: float | None = None
    lon: float | None = None
    area: JSON = None
    id: str | None = None


def add(unit: Unit, principal: Principal, new: NewPound) -> Pound:
    """Add a pound; its name is its own in the authority. Raises `InvalidBody`, `Conflict`."""
    require(principal, "pound.add")
    check(new)
    if _named(unit, principal.authority_id, [new.name]):
        raise Conflict(sentence("There is already a pound named {name}.", name=new.name))
    return _insert(unit, principal, new)


def import_many(unit: Unit, principal: Principal, rows: Sequence[NewPound]) -> Imported:
    """Add the pounds that are new by name and move those that stand elsewhere now."""
    require(principal, "pound.add")
    for new in rows:
        check(new)
    known = _named(unit, principal.authority_id, [new.name for new in rows])
    added = [new for new in rows if new.name not in known]
    for new in added:
        _insert(unit, principal, new)
    old = [new for new in rows if new.name in known]
    changed = sum(_move(unit, principal, known[new.name], to=new) for new in old)
    return Imported(len(added), changed, len(old) - changed)


def get(unit: Unit, principal: Principal, pound_id: str) -> Pound:
    """Return a pound of the principal's authority. Raises `NotFound`."""
    row = unit.session.get(Pound, (principal.authority_id, pound_id))
    if row is None:
        raise NotFound(sentence("There is no such pound."))
    return row


def _insert(unit: Unit, principal: Principal, new: NewPound) -> Pound:
    row = Pound(
        authority_id=principal.authority_id,
        id=new.id or new_id(),
        name=new.name,
        lat=new.lat,
        lon=new.lon,
        area=None if new.area is None else area_text("area", new.area),
        closed_at=None,
        created_at=unit.now,
    )
    unit.session.add(row)
    subject = f"pound/{row.id}"
    unit.enter(row.authority_id, "pound.added", subject=subject, actor=principal.actor)
    return row


def _move(unit: Unit, principal: Principal, row: Pound, *, to: NewPound) -> bool:
    if to.lat is None or (row.lat, row.lon) == (to.lat, to.lon):
        return False
    row.lat, row.lon = to.lat, to.lon
    unit.enter(
        row.authority_id,
        "pound.changed",
        subject=f"pound/{row.id}",
        actor=principal.actor,
        fields=["lat", "lon"],
    )
    return True


def _named(unit: Unit, authority_id: str, names: Sequence[str]) -> Mapping[str, Pound]:
    rows = unit.session.scalars(
        select(Pound).where(Pound.authority_id == authority_id, Pound.name.in_(names))
    )
    return {row.name: row for row in rows}


def check(new: NewPound) -> None:
    """Raise `InvalidBody` unless the pound can be taken as it is written."""
    check_fields(_TYPES, {"id": new.id, "name": new.name, "lat": new.lat, "lon": new.lon})
    if (new.lat is None) != (new.lon is None):
        raise refuse("lat" if new.lat is None else "lon", sentence("Give lat and lon, or neither."))
