"""Reads an authority, and the pounds and places it lists. Shared by api, console and cli."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from fieldapi.models import Authority, Place, Pound
from fieldapi.problems import NotFound
from fieldapi.queries.pages import Page, Turn, page
from sync.wire import JSON


@dataclass(frozen=True, slots=True)
class AuthorityView:
    """An authority. `languages`: in the order of preference. `area`: GeoJSON or None."""

    id: str
    code: str
    name: str
    statute: str
    languages: list[str]
    area: JSON
    confirm_devices: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class PoundView:
    """A pound. `lat`, `lon`: WGS84 degrees. `closed_at`: None while it takes cattle."""

    id: str
    name: str
    lat: float | None
    lon: float | None
    area: JSON
    closed_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A named place of the place picker."""

    id: str
    name: str
    local_name: str | None
    lat: float | None
    lon: float | None


def authority(session: Session, authority_id: str) -> AuthorityView:
    """Return one authority. Raises `NotFound`."""
    row = session.get(Authority, authority_id)
    if row is None:
        raise NotFound("There is no such authority.")
    return _authority(row)


def authority_by_code(session: Session, code: str) -> AuthorityView:
    """Return the authority with this code. Raises `NotFound`."""
    row = session.scalar(select(Authority).where(Authority.code == code))
    if row is None:
        raise NotFound(f"There is no authority with the code {code}.")
    return _authority(row)


def all_authorities(session: Session) -> list[AuthorityView]:
    """Return every authority of the installation by code: for the command line alone."""
    return [_authority(row) for row in session.scalars(select(Authority).order_by(Authority.code))]


def pounds(session: Session, authority_id: str, turn: Turn) -> Page[PoundView]:
    """Return a page of the pounds of an authority."""
    query = select(Pound).where(Pound.authority_id == authority_id)
    return page(session, query, turn, by=Pound.id).map(_pound)


def all_pounds(session: Session, authority_id: str) -> list[PoundView]:
    """Return every pound of an authority by name."""
    query = select(Pound).where(Pound.authority_id == authority_id).order_by(Pound.name, Pound.id)
    return [_pound(row) for row in session.scalars(query)]


def pound(session: Session, authority_id: str, pound_id: str) -> PoundView:
    """Return one pound. Raises `NotFound`."""
    row = session.get(Pound, (authority_id, pound_id))
    if row is None:
        raise NotFound("There is no such pound.")
    return _pound(row)


def all_places(session: Session, authority_id: str) -> list[PlaceView]:
    """Return every named place of an authority by name."""
    query = select(Place).where(Place.authority_id == authority_id).order_by(Place.name, Place.id)
    return [
        PlaceView(row.id, row.name, row.local_name, row.lat, row.lon)
        for row in session.scalars(query)
    ]


def _authority(row: Authority) -> AuthorityView:
    return AuthorityView(
        id=row.id,
        code=row.code,
        name=row.name,
        statute=row.statute,
        languages=row.languages.split(),
        area=_json(row.area),
        confirm_devices=row.confirm_devices,
        created_at=row.created_at,
    )


def _pound(row: Pound) -> PoundView:
    return PoundView(
        id=row.id,
        name=row.name,
        lat=row.lat,
        lon=row.lon,
        area=_json(row.area),
        closed_at=row.closed_at,
        created_at=row.created_at,
    )


def _json(text: str | None) -> JSON:
    found: JSON = None if text is None else json.loads(text)
    return found
