"""Where a delivery plays: the authority's statute and its limits on the map."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from sqlalchemy.orm import Session

from fieldapi.clock import INDIA
from fieldapi.domain.geo import Area, read_area
from fieldapi.law.profile import StatuteProfile
from fieldapi.models import Authority
from fieldapi.packs import Packs
from fieldapi.problems import NotFound
from fieldapi.unit import Unit


@dataclass(frozen=True, slots=True)
class Scene:
    """The authority as an op's judge needs it. `profile`: the statute in force today."""

    authority_id: str
    code: str
    profile: StatuteProfile
    area: Area | None


def scene_of(unit: Unit, packs: Packs, authority_id: str) -> Scene:
    """Return the scene of an authority. Raises `NotFound`."""
    return scene_at(unit.session, packs, authority_id, unit.now.astimezone(INDIA).date())


def scene_at(session: Session, packs: Packs, authority_id: str, on: date) -> Scene:
    """Return the scene as of one day."""
    row = session.get(Authority, authority_id)
    if row is None:
        raise NotFound
    area = _area(row.area) if row.area else None
    return Scene(row.id, row.code, packs.profile(row.statute, on=on), area)


@lru_cache(maxsize=256)
def _area(geojson: str) -> Area:
    return read_area(json.loads(geojson))
