"""Takes the ops of one exchange into the database: all at once, or one by one where the database
or the program stumbles over one, so that it stops none of the others.

Called by `sync`.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import DBAPIError

from fieldapi.domain.access import Principal
from fieldapi.engine import is_down
from fieldapi.house import House
from fieldapi.problems import Problem
from fieldapi.services import budgets
from fieldapi.services.ops import counters, push
from fieldapi.services.ops.arrival import Arrival, Delivery, arrive, unstored
from fieldapi.services.ops.push import Drafts
from fieldapi.services.ops.scene import scene_of
from fieldapi.services.ops.senders import Sender, senders_of
from fieldapi.services.ops.writers import writer_of
from fieldapi.unit import Unit
from sync.wire import Slice

if TYPE_CHECKING:
    from fieldapi.services.sync import Ask

Taken = tuple[list[Arrival], Drafts]

_LEAST_WAIT_MS, _MOST_WAIT_MS = 5_000, 65_000

log = structlog.get_logger(__name__)


def take(house: House, principal: Principal, ask: Ask) -> Taken:
    """Store and merge the ops of an exchange; returns them judged, and the records they touched.

    An op that cannot be stored is answered `retry`, without a trace of it. A database that is down
    is not tried again: the whole request then fails.
    """
    try:
        return house.database.transact(lambda unit: _at_once(house, unit, principal, ask))
    except Problem:
        raise
    except Exception as exc:
        if isinstance(exc, DBAPIError) and is_down(exc):
            raise
        log.exception("push_stumbled", ops=len(ask.ops))
        return house.database.transact(lambda unit: _one_by_one(house, unit, principal, ask))


def _at_once(house: House, unit: Unit, principal: Principal, ask: Ask) -> Taken:
    delivery = delivery_for(house, unit, principal, ask)
    arrivals, drafts = push.push(unit, delivery, ask.ops)
    return _finish(unit, delivery, arrivals, drafts)


def _one_by_one(house: House, unit: Unit, principal: Principal, ask: Ask) -> Taken:
    delivery = delivery_for(house, unit, principal, ask)
    arrivals: list[Arrival] = []
    drafts: Drafts = {}
    for index, part in enumerate(ask.ops):
        arrival, touched = _one(unit, delivery, index, part)
        arrivals.append(arrival)
        drafts |= touched
    return _finish(unit, delivery, arrivals, drafts)


def _one(unit: Unit, delivery: Delivery, index: int, part: Slice) -> tuple[Arrival, Drafts]:
    try:
        with unit.savepoint():
            (arrival,), drafts = push.take(unit, delivery, [arrive(delivery, index, part)])
    except Exception as exc:
        if isinstance(exc, DBAPIError) and is_down(exc):
            raise
        log.exception("op_not_stored", index=index)
        wait = random.randint(_LEAST_WAIT_MS, _MOST_WAIT_MS)  # noqa: S311 - jitter
        return unstored(delivery, index, part, retry_after_ms=wait), {}
    return arrival, drafts


def _finish(unit: Unit, delivery: Delivery, arrivals: list[Arrival], drafts: Drafts) -> Taken:
    budgets.spend(unit, delivery.principal, len(arrivals))
    stored = [one for one in arrivals if one.retry_after_ms is None]
    counters.note_devices(unit, delivery.senders, delivery.principal.device_id or "", stored)
    # The answer speaks of the records as they are after the whole batch: read them while locked.
    for draft in drafts.values():
        _ = draft.view
    return arrivals, drafts


def delivery_for(house: House, unit: Unit, principal: Principal, ask: Ask) -> Delivery:
    """Return who brings these ops, and by which clock."""
    at = principal.authority_id
    scene = scene_of(unit, house.packs, at)
    senders = senders_of(unit, at, principal.device_id, ask.ops)
    own = senders.get(principal.device_id or "")
    if own is None:
        writer = writer_of(unit.session, at, principal.person_id, unit.now)
        own = Sender(principal.actor, {principal.person_id: writer})
    return Delivery(
        principal=principal,
        own=own,
        received_at=unit.now,
        device_now_ms=ask.device_now_ms,
        schema=ask.schema,
        profile=scene.profile,
        area=scene.area,
        keys=unit.keys,
        senders=senders,
    )
