"""What the ops of a phone say of the phone: how far its counter has come, whether its clock runs
back, whether somebody copied it. Nothing is refused for any of it.

Called by `push` before flags are raised, and once the ops are stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from sqlalchemy import func, select, update

from fieldapi.models import Device, OpRow
from fieldapi.models.bulk import among
from fieldapi.services.authorise import OPERATOR_ACTOR
from fieldapi.services.ops.arrival import Arrival
from fieldapi.services.ops.senders import Sender
from fieldapi.unit import Unit


def suspect_clocks(senders: Iterable[Sender], arrivals: Sequence[Arrival]) -> None:
    """Mark ops whose stamp runs against the phone's own counter: its clock was set back, or two
    phones count as one.
    """
    known = {one.actor: (one.last_n, one.last_stamp) for one in senders}
    for actor, ops in _by_actor(arrivals).items():
        last_n, last_stamp = known.get(actor, (None, None))
        for arrival in sorted(ops, key=_count):
            n, stamp = _count(arrival), _stamp(arrival)
            if not n:
                continue
            is_against = (
                last_n is not None
                and last_stamp is not None
                and n != last_n
                and ((n > last_n) is not (stamp > last_stamp))
            )
            arrival.is_suspect = arrival.is_suspect or is_against
            if last_n is None or n > last_n:
                last_n, last_stamp = n, max(stamp, last_stamp or "")


def note_devices(
    unit: Unit, senders: Mapping[str, Sender], own: str, arrivals: Iterable[Arrival]
) -> None:
    """Keep how far each device has come that wrote one of these ops, `own` also that it was seen;
    flag those of which two phones write.
    """
    fresh = [one for one in arrivals if not one.is_replay and one.op is not None]
    by_actor = _by_actor(fresh)
    for device_id, sender in sorted(senders.items()):
        if sender.actor in by_actor or (device_id == own and fresh):
            _note(unit, (device_id, device_id == own), by_actor.get(sender.actor, []))


def _note(unit: Unit, device: tuple[str, bool], ops: Sequence[Arrival]) -> None:
    device_id, is_own = device
    row = unit.session.scalars(
        select(Device).where(Device.id == device_id).with_for_update(),
        execution_options={"populate_existing": True},
    ).one()
    is_cloned = row.is_cloned or _is_cloned(unit, row, ops)
    if is_cloned and not row.is_cloned:
        unit.enter(
            row.authority_id, "device.cloned", subject=f"device/{row.id}", actor=OPERATOR_ACTOR
        )
    unit.session.execute(
        update(Device)
        .where(Device.authority_id == row.authority_id, Device.id == device_id)
        .values(
            is_cloned=is_cloned,
            last_n=max([row.last_n or 0, *map(_count, ops)]) or None,
            last_stamp=max([row.last_stamp or "", *map(_stamp, ops)]) or None,
            seen_at=unit.now if is_own else row.seen_at,
        )
        .execution_options(synchronize_session=False)
    )


def _is_cloned(unit: Unit, row: Device, ops: Sequence[Arrival]) -> bool:
    """Say whether two ops of an actor bear one stamp. Only one that is not beyond all before it
    can have a twin among those stored.
    """
    stamps = Counter(map(_stamp, ops))
    if any(count > 1 for count in stamps.values()):
        return True
    return _have_twins(unit, row, {stamp for stamp in stamps if stamp <= (row.last_stamp or "")})


def _have_twins(unit: Unit, row: Device, stamps: Collection[str]) -> bool:
    if not stamps:
        return False
    query = (
        select(OpRow.stamp)
        .where(
            OpRow.authority_id == row.authority_id,
            OpRow.actor == row.actor,
            among(unit.session, OpRow.stamp, stamps),
        )
        .group_by(OpRow.stamp)
        .having(func.count() > 1)
    )
    return unit.session.scalars(query.limit(1)).first() is not None


def _by_actor(arrivals: Iterable[Arrival]) -> dict[str, list[Arrival]]:
    found: dict[str, list[Arrival]] = {}
    for one in arrivals:
        if one.op is not None and one.is_of_its_actor:
            found.setdefault(one.actor, []).append(one)
    return found


def _count(arrival: Arrival) -> int:
    return (arrival.op.n if arrival.op is not None else None) or 0


def _stamp(arrival: Arrival) -> str:
    return arrival.op.stamp if arrival.op is not None else ""
