"""How much one device may hand in before it is asked to wait a little; what it holds is never lost.

Only full batches are counted, so that an honest phone costs no row. Never by address: thousands of
phones share one behind a carrier. Called by the api before a push is taken.
"""

from __future__ import annotations

from datetime import timedelta

from fieldapi.domain.access import Principal
from fieldapi.services.attempts import Limit, note
from fieldapi.unit import Database

# Thirty times what a phone brings home after three weeks without a network.
PER_DEVICE = Limit("push.device", tries=60_000, window=timedelta(minutes=1))
COUNTED_FROM = 100


def take(database: Database, principal: Principal, ops: int) -> None:
    """Count a push of so many ops. Raises `TooManyRequests`, for a minute at most, once the device
    has used up its budget; what it brings is taken after that.
    """
    if ops < COUNTED_FROM:
        return
    now = database.clock()
    with database.read() as session:
        PER_DEVICE.refuse_if_reached(session, principal.actor, now)
    database.transact(
        lambda unit: note(
            unit, PER_DEVICE.scope, principal.actor, window_at=PER_DEVICE.window_at(now), more=ops
        )
    )
