"""Looks for the ear tags of a report in other open cases: one animal cannot be in two. A flag
on both lots; nothing is refused.

Called by `neighbours` for the reports that moved.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement, or_, select

from fieldapi.models import Animal, CaseFile, Flag
from fieldapi.models.bulk import among, insert_new
from fieldapi.services.authorise import OPERATOR_ACTOR
from fieldapi.unit import Unit

FLAG = "tag_in_two_cases"
_MOST, _NAMED = 500, 20
# SQLite takes an expression of a depth of 1000.
_PATTERNS = 100


def look(unit: Unit, authority_id: str, reports: Collection[str]) -> None:
    """Flag lots of these reports with an ear tag that another open case has, and the lots there."""
    lots = _tagged(unit, authority_id, among(unit.session, Animal.seizure_id, reports))
    worn = sorted({str(tag) for one in lots for tag in one.fields["ear_tags"]})
    held: list[Animal] = []
    for start in range(0, len(worn), _PATTERNS):
        held += _held(unit, authority_id, worn[start : start + _PATTERNS])
    for lot in lots:
        same = [one for one in held if _is_same_elsewhere(lot, one)]
        if same:
            _raise(unit, lot, same[:_NAMED])
            for one in same:
                _raise(unit, one, [lot])


def _held(unit: Unit, authority_id: str, tags: Sequence[str]) -> list[Animal]:
    """Return the lots in open cases that have one of the tags."""
    is_open = select(CaseFile.id).where(
        CaseFile.authority_id == authority_id, CaseFile.state == "open"
    )
    has_one = or_(*(Animal.shown.contains(f'"{tag}"', autoescape=True) for tag in tags))
    return _tagged(unit, authority_id, Animal.seizure_id.in_(is_open) & has_one)


def _tagged(unit: Unit, authority_id: str, where: ColumnElement[bool]) -> list[Animal]:
    query = select(Animal).where(
        Animal.authority_id == authority_id,
        where,
        Animal.shown.contains("ear_tags"),
        Animal.is_withdrawn.is_(False),
    )
    found = unit.session.scalars(query.order_by(Animal.id).limit(_MOST))
    return [one for one in found if one.fields.get("ear_tags")]


def _is_same_elsewhere(lot: Animal, other: Animal) -> bool:
    is_elsewhere = lot.seizure_id != other.seizure_id
    return is_elsewhere and not set(lot.fields["ear_tags"]).isdisjoint(other.fields["ear_tags"])


def _raise(unit: Unit, lot: Animal, others: Sequence[Animal]) -> None:
    row = {
        "authority_id": lot.authority_id,
        "kind": Animal.KIND,
        "record_id": lot.id,
        "flag": FLAG,
        "detail": json.dumps(
            {
                "animals": [one.id for one in others],
                "seizures": sorted({str(one.seizure_id) for one in others}),
            }
        ),
        "at": unit.now,
    }
    if insert_new(unit.session, Flag, [row], key=("record_id", "flag")):
        unit.enter(
            lot.authority_id,
            "flag.raised",
            subject=f"{Animal.KIND}/{lot.id}",
            actor=OPERATOR_ACTOR,
            moves=True,
            flags=[FLAG],
        )
