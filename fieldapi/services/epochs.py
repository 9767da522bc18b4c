"""What a restored database begins with: the next epoch of every ledger, so that phones notice.

Called by `backup`, and by the command line after another tool has restored the database.
"""

from __future__ import annotations

from sqlalchemy import delete, select

from fieldapi import ledger
from fieldapi.models import Authority, ConsoleSession, Enrolment
from fieldapi.services.authorise import OPERATOR_ACTOR
from fieldapi.unit import Unit


def begin_epochs(unit: Unit) -> list[str]:
    """Begin the next epoch of every ledger and return their authorities.

    Browsers are signed out and open enrolment codes burnt: what ended them may have been lost.
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
    unit.session.execute(delete(ConsoleSession))
    return ids


def _burn_codes(unit: Unit) -> None:
    """Burn the enrolment codes that were open: they may have been used since."""
    query = select(Enrolment).where(Enrolment.used_at.is_(None), Enrolment.burnt_at.is_(None))
    for row in unit.session.scalars(query):
        row.burnt_at = unit.now
        subject = f"enrolment/{row.id}"
        unit.enter(row.authority_id, "enrolment.burnt", subject=subject, actor=OPERATOR_ACTOR)
