"""How much one device may hand in before it is asked to wait a little; what it holds is never lost.

Only full batches are counted, so that an honest phone costs no row. Never by address: thousands of
phones share one behind a carrier. Called by `sync`, and by `deliveries` with what was taken.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from fieldapi.domain.access import Principal
from fieldapi.services.attempts import Limit, note
from fieldapi.unit import Unit

# Thirty times what a phone brings home after three weeks without a network.
PER_DEVICE = Limit("push.device", tries=60_000, window=timedelta(minutes=1))
COUNTED_FROM = 100


def refuse_if_spent(session: Session, principal: Principal, ops: int, now: datetime) -> None:
    """Raise `TooManyRequests`, for a minute at most, for a push of so many ops once the device has
    used up its budget; what it brings is taken after that.
    """
    if ops >= COUNTED_FROM:
        PER_DEVICE.refuse_if_reached(session, principal.actor, now)


def spend(unit: Unit, principal: Principal, ops: int) -> None:
    """Count a push of so many ops, with the unit that takes them."""
    if ops >= COUNTED_FROM:
        window_at = PER_DEVICE.window_at(unit.now)
        note(unit, PER_DEVICE.scope, principal.actor, window_at=window_at, more=ops)
