"""Does again, in a restored database, what must not be undone by a restore: what was erased, and
which phones were ended, since the backup. Called by the restore with the log outside the database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fieldapi.models import Device
from fieldapi.services import devices, erasures
from fieldapi.services.authorise import operator
from fieldapi.unit import Unit
from sync.wire import JSON

_VERDICTS = {standing: verdict for verdict, standing in devices.ENDINGS.items()}


def reapply(unit: Unit, lines: Iterable[Mapping[str, JSON]]) -> int:
    """Apply the lines that this database does not know; returns how many that were."""
    told = list(lines)
    ended = [_end(unit, line) for line in told if line.get("what") in _VERDICTS]
    return sum(ended) + erasures.reapply(unit, told)


def _end(unit: Unit, line: Mapping[str, JSON]) -> bool:
    """End a phone that the backup still knows; one that came after it is not there."""
    authority_id, device_id = str(line.get("authority")), str(line.get("device"))
    row = unit.session.get(Device, (authority_id, device_id))
    if row is None or row.standing in _VERDICTS:
        return False
    verdict = _VERDICTS[str(line["what"])] if row.standing == "pending" else "revoke"
    devices.judge(unit, operator(authority_id), device_id, verdict=verdict)
    return True
