"""Credentials whose ops may come in: the device that asks, and those whose signed ops it brings.

Called before anything is locked; `arrival` judges by what stands here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from sqlalchemy import select

from fieldapi.clock import to_ms
from fieldapi.models import Device
from fieldapi.models.bulk import among
from fieldapi.services.ops.signing import key_id
from fieldapi.services.ops.writers import Writer, people_on
from fieldapi.unit import Unit
from sync.wire import Slice

CONFIRMED, PENDING = "confirmed", "pending"


@dataclass(frozen=True, slots=True)
class Sender:
    """An actor and who may write as it. `people`: whom its ops may name as `by`, by id.

    `issued_ms`: when it was given out; nothing was captured with it before. `key`: the public key
    it proved to hold, as JWK text. `last_n`, `last_stamp`: the greatest it has handed in.
    """

    actor: str
    people: Mapping[str, Writer] = field(default_factory=dict)
    issued_ms: int = 0
    standing: str = CONFIRMED
    key: str | None = None
    last_n: int | None = None
    last_stamp: str | None = None


def senders_of(
    unit: Unit, authority_id: str, own: str | None, parts: Iterable[Slice]
) -> dict[str, Sender]:
    """Return, by device id, the device `own` and every known one that signed one of the ops."""
    signers = {name for part in parts if (name := key_id(part.value)) is not None}
    return load(unit, authority_id, signers | ({own} if own is not None else set()))


def load(unit: Unit, authority_id: str, device_ids: Collection[str]) -> dict[str, Sender]:
    """Return the devices among `device_ids` that the authority has, by id."""
    if not device_ids:
        return {}
    rows = unit.session.scalars(
        select(Device).where(
            Device.authority_id == authority_id, among(unit.session, Device.id, device_ids)
        )
    ).all()
    return {row.id: _sender(unit, row) for row in rows}


def _sender(unit: Unit, row: Device) -> Sender:
    return Sender(
        row.actor,
        people_on(unit.session, row.authority_id, row.id, unit.now),
        to_ms(row.enrolled_at),
        row.standing,
        row.public_key,
        row.last_n,
        row.last_stamp,
    )
