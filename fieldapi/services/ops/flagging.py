"""Raises the doubts that one record shows by itself, each time it changes.

Doubts that need other records or the photo's bytes are pending work, not part of a push.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from sqlalchemy import delete, select, tuple_

from fieldapi.domain.found_flags import Circumstances, flags_of
from fieldapi.models import Flag, Pound, Seizure
from fieldapi.models.bulk import among, insert_many
from fieldapi.services.ops.arrival import Arrival, Delivery
from fieldapi.services.ops.draft import Draft
from fieldapi.services.ops.store import RecordKey
from fieldapi.unit import Unit

# Only these follow from the record alone, and go when it no longer shows them. Whoever changes
# `domain.found_flags.flags_of` keeps this list in step; a test compares the two.
DERIVED = frozenset(
    {
        "capacity_not_for_place",
        "capacity_not_listed",
        "damage_not_stated",
        "gps_mock",
        "gps_poor",
        "ground_not_listed",
        "kind_not_listed",
        "late_to_pound",
        "location_absent",
        "outside_area",
        "photo_from_gallery",
        "place_kind_not_listed",
        "pound_unknown",
    }
)


def raise_flags(
    unit: Unit,
    delivery: Delivery,
    arrivals: Iterable[Arrival],
    drafts: Mapping[RecordKey, Draft],
) -> None:
    """Bring the flags of every touched record up to what it shows now."""
    suspect = {(one.kind, one.record_id) for one in arrivals if one.is_suspect and one.is_merged}
    touched = {key: draft for key, draft in drafts.items() if draft.is_touched}
    if not touched:
        return
    authority_id = delivery.principal.authority_id
    seized = _seized_at(unit, authority_id, touched.values())
    pounds = _pounds(unit, authority_id, touched.values())
    wanted = {
        (*key, flag)
        for key, draft in touched.items()
        for flag in flags_of(
            key[0],
            draft.shown,
            Circumstances(
                delivery.profile,
                delivery.area,
                is_clock_suspect=key in suspect,
                seized_at=seized.get(str(draft.shown.get("seizure_id"))),
                pounds=pounds,
            ),
        )
    }
    _reconcile(unit, authority_id, touched, wanted)
    for key, draft in touched.items():
        if draft.is_first:
            draft.flags = tuple(sorted(flag for *one, flag in wanted if tuple(one) == key))


def _reconcile(
    unit: Unit,
    authority_id: str,
    touched: Mapping[RecordKey, Draft],
    wanted: set[tuple[str, str, str]],
) -> None:
    # A record that is new with this push has none to look for.
    keys = {key for key, draft in touched.items() if not draft.is_first}
    present = _present(unit, authority_id, keys) if keys else set()
    stale = {one for one in present - wanted if one[2] in DERIVED}
    if stale:
        unit.session.execute(
            delete(Flag).where(
                Flag.authority_id == authority_id,
                tuple_(Flag.kind, Flag.record_id, Flag.flag).in_(sorted(stale)),
            )
        )
    rows = [
        {
            "authority_id": authority_id,
            "kind": kind,
            "record_id": record_id,
            "flag": flag,
            "detail": "{}",
            "at": unit.now,
        }
        for kind, record_id, flag in sorted(wanted - present)
    ]
    if rows:
        insert_many(unit.session, Flag, rows)


def _present(unit: Unit, authority_id: str, keys: set[RecordKey]) -> set[tuple[str, str, str]]:
    query = select(Flag.kind, Flag.record_id, Flag.flag).where(
        Flag.authority_id == authority_id,
        among(unit.session, Flag.record_id, {record_id for _, record_id in keys}),
    )
    return {
        (kind, record_id, flag)
        for kind, record_id, flag in unit.session.execute(query)
        if (kind, record_id) in keys
    }


def _seized_at(
    unit: Unit, authority_id: str, drafts: Iterable[Draft]
) -> dict[str, datetime | None]:
    """Return when the seizures of touched intakes were made."""
    ids = {str(one.shown.get("seizure_id")) for one in drafts if one.kind == "intake"}
    if not ids:
        return {}
    rows = unit.session.execute(
        select(Seizure.id, Seizure.seized_at).where(
            Seizure.authority_id == authority_id, Seizure.id.in_(ids)
        )
    )
    return dict(rows.all())


def _pounds(unit: Unit, authority_id: str, drafts: Iterable[Draft]) -> frozenset[str] | None:
    """Return which of the pounds that touched records name there are; None if they name none."""
    named = {str(one.shown["pound_id"]) for one in drafts if one.shown.get("pound_id")}
    if not named:
        return None
    query = select(Pound.id).where(Pound.authority_id == authority_id, Pound.id.in_(named))
    return frozenset(unit.session.scalars(query))
