"""What a restored database begins with: the next epoch of every ledger, so that phones notice.

Called by `backup`, and by the command line after another tool has restored the database.
"""

from __future__ import annotations

from sqlalchemy import delete, select, update

from fieldapi import ledger
from fieldapi.models import Authority, ConsoleSession, DeviceUse, Enrolment, SignInLink
from fieldapi.services import devices
from fieldapi.services.authorise import OPERATOR_ACTOR
from fieldapi.unit import Unit


def begin_epochs(unit: Unit, *, is_trusted: bool = True) -> list[str]:
    """Begin the next epoch of every ledger and return their authorities.

    Browsers are signed out, open enrolment codes burnt and open links ended: what ended them may
    have been lost. Tokens of known devices go on, as if used just now; not `is_trusted`: every
    device waits for its fingerprint again.
    Raises `LedgerError` for a ledger whose head this installation did not sign.
    """
    ids = sorted(unit.session.scalars(select(Authority.id)))
    for authority_id in ids:
        old = ledger.begin_epoch(unit.session, authority_id, unit.keys)
        unit.enter(
            authority_id,
            "ledger.restored",
            subject=f"authority/{authority_id}",
            actor=OPERATOR_ACTOR,
            epoch=ledger.next_epoch(old.epoch),
            old_epoch=old.epoch,
            old_size=old.size,
            old_root=old.root.hex(),
        )
    _burn_codes(unit)
    for table in (ConsoleSession, SignInLink):
        unit.session.execute(delete(table))
    unit.session.execute(update(DeviceUse).values(used_at=unit.now))
    if not is_trusted:
        for authority_id in ids:
            devices.pend_all(unit, authority_id)
    return ids


def _burn_codes(unit: Unit) -> None:
    """Burn the enrolment codes that were open: they may have been used since."""
    query = select(Enrolment).where(Enrolment.used_at.is_(None), Enrolment.burnt_at.is_(None))
    for row in unit.session.scalars(query):
        row.burnt_at = unit.now
        subject = f"enrolment/{row.id}"
        unit.enter(row.authority_id, "enrolment.burnt", subject=subject, actor=OPERATOR_ACTOR)
