"""Shared phones: several people of one authority report from one device, each named in their ops.

Called by the api and the command line. Whoever is taken off a phone may be named on it no more;
what they wrote before stays theirs.
"""

from __future__ import annotations

from pathlib import Path

from fieldapi.clock import format_instant
from fieldapi.models import DevicePerson
from fieldapi.problems import Conflict, NotFound
from fieldapi.services import devices, outside, people
from fieldapi.services.authorise import Principal, require
from fieldapi.unit import Unit

LEFT = "left"


def join(unit: Unit, principal: Principal, device_id: str, person_id: str) -> None:
    """Let a person report from a device; doing it twice changes nothing.

    Raises `NotFound`, `Conflict` for a device that was ended.
    """
    require(principal, "enrolment.issue")
    device = devices.get(unit, principal, device_id)
    people.get(unit, principal, person_id)
    if device.standing not in {"pending", "confirmed"}:
        raise Conflict(f"A device that is {device.standing} is shared by nobody.")
    row = unit.session.get(DevicePerson, (principal.authority_id, device_id, person_id))
    if row is not None and (row.until is None or row.until > unit.now):
        return
    if row is None:
        row = DevicePerson(
            authority_id=principal.authority_id,
            device_id=device_id,
            person_id=person_id,
            since=unit.now,
        )
        unit.session.add(row)
    row.until = None
    _enter(unit, principal, row, kind="device.joined")


def leave(
    unit: Unit, principal: Principal, device_id: str, person_id: str, *, log: Path | None = None
) -> None:
    """Let a person report from a device no longer; doing it twice changes nothing. `log`: outside
    the database, for a restore. Raises `NotFound`, `Conflict` for the one it was enrolled for.
    """
    require(principal, "device.judge")
    device = devices.get(unit, principal, device_id)
    row = unit.session.get(DevicePerson, (principal.authority_id, device_id, person_id))
    if row is None:
        raise NotFound("This person does not report from this device.")
    if device.person_id == person_id:
        raise Conflict("The device was enrolled for this person: revoke it instead.")
    if row.until is not None and row.until <= unit.now:
        return
    row.until = unit.now
    _enter(unit, principal, row, kind="device.left")
    if log is not None:
        named = {"authority": row.authority_id, "device": device_id, "person": person_id}
        outside.append(log, {"what": LEFT, "at": format_instant(unit.now), **named})


def _enter(unit: Unit, principal: Principal, row: DevicePerson, *, kind: str) -> None:
    subject = f"device/{row.device_id}"
    unit.enter(row.authority_id, kind, subject=subject, actor=principal.actor, person=row.person_id)
