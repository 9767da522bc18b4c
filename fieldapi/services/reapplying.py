"""Does again, in a restored database, what must not be undone by a restore: what was erased, and
which phones, roles, people on phones and sign-ins were ended, since the backup. Called by the
restore with the log outside the database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from fieldapi.clock import parse_instant
from fieldapi.models import Device, DevicePerson, Membership
from fieldapi.services import device_people, devices, erasures, invitations, people, sign_ins
from fieldapi.services.authorise import operator
from fieldapi.unit import Unit
from sync.wire import JSON

Line = Mapping[str, JSON]

_VERDICTS = {standing: verdict for verdict, standing in devices.ENDINGS.items()}


def reapply(unit: Unit, lines: Iterable[Line]) -> int:
    """Apply the lines that this database does not know; returns how many that were."""
    told = list(lines)
    done = [_AGAIN[what](unit, line) for line in told if (what := str(line.get("what"))) in _AGAIN]
    return sum(done) + erasures.reapply(unit, told)


def _end_device(unit: Unit, line: Line) -> bool:
    """End a phone that the backup still knows; one that came after it is not there."""
    authority_id, device_id = str(line.get("authority")), str(line.get("device"))
    row = unit.session.get(Device, (authority_id, device_id))
    if row is None or row.standing in _VERDICTS:
        return False
    verdict = _VERDICTS[str(line["what"])] if row.standing == "pending" else "revoke"
    devices.judge(unit, operator(authority_id), device_id, verdict=verdict)
    return True


def _end_role(unit: Unit, line: Line) -> bool:
    """End a role that the backup holds longer; an end to come is kept as it was said."""
    authority_id, role_id = str(line.get("authority")), str(line.get("membership"))
    row = unit.session.get(Membership, (authority_id, role_id))
    if row is None:
        return False
    ends_at = parse_instant(str(line.get("at")))
    is_over = row.ends_at is not None and row.ends_at <= ends_at
    if is_over or ends_at <= row.starts_at:
        return False
    row.ends_at = None
    people.end(unit, operator(authority_id), role_id, at=ends_at)
    return True


def _leave(unit: Unit, line: Line) -> bool:
    """Take a person off a shared phone again."""
    key = [str(line.get(name)) for name in ("authority", "device", "person")]
    row = unit.session.get(DevicePerson, tuple(key))
    if row is None or row.until is not None:
        return False
    device_people.leave(unit, operator(key[0]), key[1], key[2])
    return True


def _lock(unit: Unit, line: Line) -> bool:
    """Lock a sign-in that was reset since, if the backup has its older password."""
    authority_id = str(line.get("authority"))
    row = sign_ins.of_person(unit.session, authority_id, str(line.get("person")))
    if row is None or row.changed_at >= parse_instant(str(line.get("at"))):
        return False
    invitations.lock(unit, operator(authority_id), row)
    return True


_AGAIN: Mapping[str, Callable[[Unit, Line], bool]] = MappingProxyType(
    {
        **dict.fromkeys(_VERDICTS, _end_device),
        people.ROLE_ENDED: _end_role,
        device_people.LEFT: _leave,
        invitations.SIGN_IN_RESET: _lock,
    }
)
