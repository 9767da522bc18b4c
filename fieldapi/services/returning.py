"""Takes a phone back by its earlier key: after a restore of a backup that is older than the phone,
or when it lost its token. It keeps its id, number and actor, so what it captured stays its own.

Called by `devices`. What ended a phone is never undone here.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import select, update

from fieldapi import ledger
from fieldapi.models import Authority, Device, OpPayload, OpRow, ParkedOp
from fieldapi.problems import NotAllowed
from fieldapi.services import keys, outside
from fieldapi.services.fields import refuse
from fieldapi.services.keys import BadSignature
from fieldapi.services.ops import release
from fieldapi.services.ops.arrival import DEVICE_PENDING, UNKNOWN_DEVICE
from fieldapi.unit import Unit
from sync.wire import JSON

ENDED = frozenset({"rejected", "revoked"})
LAST_NUMBER = 9999


@dataclass(frozen=True, slots=True)
class Previous:
    """What a phone says it was. `proof`: a JWS over `{"code"}` by the key that it had."""

    device: str
    actor: str
    number: int | None
    proof: JSON


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks for it, by which code. `key`: the key that the phone proved to hold now, as JWK
    text; `log`: outside the database, where endings stand that a restore has undone.
    """

    authority_id: str
    person_id: str
    code: str
    key: str | None
    log: Path | None


def previous_of(said: JSON) -> Previous | None:
    """Return what a body says of an earlier enrolment; its shape was checked at the door."""
    if not isinstance(said, dict):
        return None
    number = said.get("number")
    return Previous(
        str(said.get("device")),
        str(said.get("actor")),
        number if isinstance(number, int) else None,
        said.get("proof"),
    )


def known(unit: Unit, previous: Previous, asked: Asked) -> Device | None:
    """Return the row of a phone that proved to be it, locked; None if a restore has lost the row.

    Raises `NotAllowed` for a phone that was ended or is another person's, `InvalidBody` for one
    that proves nothing or was never lost.
    """
    _refuse_ended(previous, asked)
    key = (asked.authority_id, previous.device)
    row = unit.session.get(Device, key, with_for_update=True)
    if row is None:
        _check_lost(unit, previous, asked)
        return None
    if row.standing in ENDED or row.person_id != asked.person_id:
        raise NotAllowed("This phone does not come back by this code.", reason="ended")
    if row.public_key is None or row.actor != previous.actor:
        raise refuse("previous", "This phone never showed a key to come back by.")
    keys.check_proof(row.public_key, previous.proof, code=asked.code)
    return row


def _refuse_ended(previous: Previous, asked: Asked) -> None:
    told = outside.read(asked.log) if asked.log is not None else ()
    if any(line.get("device") == previous.device and line.get("what") in ENDED for line in told):
        raise NotAllowed("This phone was ended.", reason="ended")


def _check_lost(unit: Unit, previous: Previous, asked: Asked) -> None:
    """Raise unless a restore may have lost this phone, and it holds the key it comes with."""
    if ledger.restored_to(unit.session, asked.authority_id) is None:
        raise refuse("previous", "There is no such phone, and nothing was restored here.")
    if asked.key is None:
        raise refuse("public_key", "A phone that comes back proves its earlier key.")
    keys.check_proof(asked.key, previous.proof, code=asked.code)
    taken = select(Device.id).where(
        Device.authority_id == asked.authority_id, Device.actor == previous.actor
    )
    if unit.session.scalar(taken) is not None:
        raise refuse("previous", "Another phone writes under this actor.")


def issued_at(unit: Unit, authority_id: str) -> datetime:
    """Return since when a lost phone may have captured: since what the restore went back to."""
    return ledger.restored_to(unit.session, authority_id) or unit.now


def number_of(unit: Unit, authority_id: str, previous: Previous) -> int | None:
    """Return its earlier number, if that is still nobody's; it is then not given out again."""
    number = previous.number
    if number is None or not 0 < number <= LAST_NUMBER:
        return None
    taken = select(Device.id).where(Device.authority_id == authority_id, Device.number == number)
    if unit.session.scalar(taken) is not None:
        return None
    unit.session.execute(
        update(Authority)
        .where(Authority.id == authority_id, Authority.next_device <= number)
        .values(next_device=number + 1)
    )
    return number


def judge_again(unit: Unit, row: Device) -> None:
    """Let in what others had brought of a phone that was unknown, if it bears its signature.

    While the phone waits for its own confirmation, so does that.
    """
    held = unit.session.scalars(
        select(ParkedOp)
        .where(
            ParkedOp.authority_id == row.authority_id,
            ParkedOp.actor == row.actor,
            ParkedOp.code == UNKNOWN_DEVICE,
            ParkedOp.status == "held",
            ParkedOp.resolved.is_(None),
        )
        .order_by(ParkedOp.received_at, ParkedOp.op)
    ).all()
    for one in held:
        if _is_its_own(unit, row, one):
            one.code = DEVICE_PENDING
    unit.session.flush()
    if row.standing == "confirmed":
        release.release_device(unit, row.authority_id, row.actor, actor=row.actor)


def _is_its_own(unit: Unit, row: Device, held: ParkedOp) -> bool:
    key = (held.authority_id, held.actor, held.op)
    left = unit.session.get(OpPayload, key) or unit.session.get_one(OpRow, key)
    if row.public_key is None or left.signature is None or left.payload is None:
        return False
    try:
        jws = keys.rejoin(left.signature, left.payload)
        keys.verify(row.public_key, jws)
    except BadSignature:
        return False
    return jws.header.get("kid") == row.id
