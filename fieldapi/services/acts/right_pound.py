"""Says whether cattle came to the pound that the Act names for the place: that of the area, or the
nearest one.

Called by the act `impound`. Another pound makes nothing unlawful (A.K. Abdul Kader Saheb v State of
Mysore, 1971 CriLJ 1477): it is told by a flag and never refused.
"""

from __future__ import annotations

import json

from sqlalchemy import select

from fieldapi import law
from fieldapi.domain.geo import Point, distance_m, point_of, read_area
from fieldapi.models import Pound, Seizure
from fieldapi.services.acts.kinds import Scene


def is_right_pound(scene: Scene, pound: Pound) -> bool | None:
    """Return whether this is the pound for the place of the seizure; None where nobody can say:
    the Act names none, the place is not known, or what belongs to which pound was not drawn.
    """
    facts = scene.case.seizure
    rules = scene.case.profile.seizure_rules_for(facts.capacity, facts.place_kind)
    row = scene.unit.session.get_one(Seizure, (scene.file.authority_id, scene.file.id))
    place = point_of(row.fields.get("location"))
    if place is None or not rules:
        return None
    if _is_allowed(scene, pound):
        return True
    answers = {_answer(scene, pound, one.pound, place) for one in rules}
    return True if True in answers else None if None in answers else False


def _answer(scene: Scene, pound: Pound, which: str, place: Point) -> bool | None:
    if which == "area":
        return None if pound.area is None else read_area(json.loads(pound.area)).holds(place)
    return _is_nearest(scene, pound, place) if which == "nearest" else None


def _is_allowed(scene: Scene, pound: Pound) -> bool:
    """Karnataka s. 7(3): or such other pound as the District Magistrate specifies."""
    on = law.day_of(scene.unit.now)
    entries = scene.case.register.in_force(
        "other_pound", on, area=scene.case.seizure.area, pound=pound.id
    )
    return any(one.pound == pound.id for one in entries)


def _is_nearest(scene: Scene, pound: Pound, place: Point) -> bool | None:
    known = scene.unit.session.execute(
        select(Pound.lat, Pound.lon).where(
            Pound.authority_id == pound.authority_id,
            Pound.closed_at.is_(None),
            Pound.id != pound.id,
        )
    )
    if pound.lat is None or pound.lon is None:
        return None
    here = distance_m(place, Point(pound.lat, pound.lon))
    others = [Point(lat, lon) for lat, lon in known if lat is not None and lon is not None]
    return all(here <= distance_m(place, one) for one in others)
