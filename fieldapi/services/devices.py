"""Enrolled phones and integrations: their row, their token, their standing.

Called by `enrolments`, the api and the command line. What a confirmation does to the ops that
waited for it is in `ops`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import or_, select, update

from fieldapi.clock import format_instant
from fieldapi.domain.values import SHORT, UUID, ValueType
from fieldapi.ids import new_actor, new_id
from fieldapi.ledger import Detail
from fieldapi.models import Authority, Device, DevicePerson, DeviceUse, Enrolment, RequestKey
from fieldapi.models.insert import insert_into
from fieldapi.problems import Conflict, IdReuse, NotAllowed, NotFound
from fieldapi.services import keys, outside, returning
from fieldapi.services.authorise import (
    OPERATOR_ACTOR,
    Credential,
    Principal,
    new_token,
    require,
    token_hash,
)
from fieldapi.services.fields import check_fields, refuse
from fieldapi.services.ops import release
from fieldapi.services.requests import body_digest
from fieldapi.services.returning import LAST_NUMBER, Previous
from fieldapi.unit import Unit
from sync.wire import JSON

_ABOUT = ("make", "model", "colour", "os", "app_version")
_TYPES: dict[str, ValueType] = {"id": UUID} | {f"device.{name}": SHORT for name in _ABOUT}
_SCOPE = "enrolment"
# The standing that a verdict leads to, and those it may be reached from.
_VERDICTS = {
    "confirm": ("confirmed", ("pending",)),
    "reject": ("rejected", ("pending",)),
    "revoke": ("revoked", ("pending", "confirmed")),
}

ENDINGS = {verdict: _VERDICTS[verdict][0] for verdict in ("reject", "revoke")}


@dataclass(frozen=True, slots=True)
class NewDevice:
    """What a phone says of itself. `public_key`: a JWK; used only with a `proof` by it. `previous`:
    what it says it was before.
    """

    make: str | None = None
    model: str | None = None
    colour: str | None = None
    os: str | None = None
    app_version: str | None = None
    public_key: JSON = None
    proof: JSON = None
    previous: JSON = None


@dataclass(frozen=True, slots=True)
class Enrolled:
    """A device with its bearer token, shown once. `is_resend`: the phone asked a second time."""

    device: Device
    token: str
    is_resend: bool = False


@dataclass(frozen=True, slots=True)
class Arrival:
    """A redeemed code and what came with it. `device_id`: made by the phone, or None. `log`: of
    endings, outside the database.
    """

    enrolment: Enrolment
    code: str
    new: NewDevice
    device_id: str | None
    body: JSON
    log: Path | None = None


def enrol(unit: Unit, arrival: Arrival) -> Enrolled:
    """Add the device of a redeemed code. Raises `InvalidBody`, `IdReuse`, `Conflict`."""
    new = arrival.new
    check_fields(
        _TYPES, {"id": arrival.device_id} | {f"device.{k}": v for k, v in _about(new).items()}
    )
    public_key = _proven_key(arrival)
    previous = returning.previous_of(new.previous)
    if previous is not None:
        return _take_back(unit, arrival, previous, public_key)
    row = _added(unit, arrival, public_key, device_id=arrival.device_id or new_id())
    return _let_in(unit, arrival, row)


def _added(
    unit: Unit,
    arrival: Arrival,
    public_key: str | None,
    *,
    device_id: str,
    previous: Previous | None = None,
) -> Device:
    """Return a new row: a phone's first, or the one that a restore has lost."""
    enrolment, authority_id = arrival.enrolment, arrival.enrolment.authority_id
    if unit.session.get(Device, (authority_id, device_id)):
        raise IdReuse("This id is already the id of a device.")
    number = None if previous is None else returning.number_of(unit, authority_id, previous)
    row = Device(
        authority_id=authority_id,
        id=device_id,
        number=number or _next_number(unit, authority_id),
        actor=new_actor() if previous is None else previous.actor,
        person_id=enrolment.person_id,
        standing=_first_standing(unit, enrolment),
        public_key=public_key,
        token_hash="",
        token_at=unit.now,
        enrolled_at=unit.now if previous is None else returning.issued_at(unit, authority_id),
        standing_at=unit.now,
        **_about(arrival.new),
    )
    unit.session.add(row)
    return row


def _let_in(unit: Unit, arrival: Arrival, row: Device) -> Enrolled:
    """Give a phone that is new here its token."""
    token = new_token(row.id)
    row.token_hash = token_hash(token)
    unit.session.flush()
    arrival.enrolment.device_id = row.id
    _join(unit, row)
    _bind(unit, row, arrival.enrolment, arrival.body)
    _enter(unit, row, "device.enrolled", actor=row.actor)
    return Enrolled(row, token)


def _take_back(
    unit: Unit, arrival: Arrival, previous: Previous, public_key: str | None
) -> Enrolled:
    """Enrol a phone as the one it was. Raises `NotAllowed`, `InvalidBody`."""
    enrolment = arrival.enrolment
    if arrival.device_id not in {None, previous.device}:
        raise refuse("id", "A phone that comes back keeps its id.")
    asked = returning.Asked(
        enrolment.authority_id, enrolment.person_id, arrival.code, public_key, arrival.log
    )
    row = returning.known(unit, previous, asked)
    if row is None:
        row = _added(unit, arrival, public_key, device_id=previous.device, previous=previous)
        enrolled = _let_in(unit, arrival, row)
        returning.judge_again(unit, row)
        return enrolled
    token = new_token(row.id)
    row.token_hash, row.next_hash, row.token_at = token_hash(token), None, unit.now
    row.seen_at = None
    enrolment.device_id = row.id
    _bind(unit, row, enrolment, arrival.body)
    _enter(unit, row, "device.rotated", actor=row.actor)
    return Enrolled(row, token)


def reissue(unit: Unit, enrolment: Enrolment, body: JSON) -> Enrolled | None:
    """Give a phone whose answer was lost a fresh token, the lost one ends; None if it may not.

    Only for the identical request, and only while no token since it was let in was used.
    """
    row = unit.session.get(
        Device, (enrolment.authority_id, enrolment.device_id), with_for_update=True
    )
    if row is None or row.seen_at is not None or row.standing not in {"pending", "confirmed"}:
        return None
    bound = unit.session.get(RequestKey, (row.authority_id, row.actor, _SCOPE, enrolment.id))
    if bound is None or bound.digest != body_digest(unit.keys, body):
        return None
    token = new_token(row.id)
    row.token_hash, row.token_at = token_hash(token), unit.now
    _enter(unit, row, "device.rotated", actor=row.actor)
    return Enrolled(row, token, is_resend=True)


def rotate(unit: Unit, principal: Principal) -> str:
    """Return a second token for the caller's own device; the first works until this one is used.

    Asking again replaces the second token, so that a lost answer locks nobody out.
    """
    if principal.device_id is None:
        raise NotAllowed("Only a device has a token.")
    row = get(unit, principal, principal.device_id)
    token = new_token(row.id)
    row.next_hash = token_hash(token)
    _enter(unit, row, "device.rotated", actor=principal.actor)
    return token


def mark_used(unit: Unit, credential: Credential) -> None:
    """Note the use of a token: its first one ends the token before it. Due on `is_first_use`."""
    digest = credential.digest
    row = unit.session.scalar(
        select(Device)
        .where(or_(Device.token_hash == digest, Device.next_hash == digest))
        .with_for_update()
    )
    if row is None:
        return
    _note_use(unit, row)
    if row.next_hash == digest:
        row.token_hash, row.next_hash, row.token_at = digest, None, unit.now
        _enter(unit, row, "device.rotated", actor=row.actor)
    if row.seen_at is None:
        row.seen_at = unit.now
        _enter(unit, row, "device.seen", actor=row.actor)


def _note_use(unit: Unit, row: Device) -> None:
    """Keep the day of the last use. A silent table: how often a phone calls is no event."""
    statement = insert_into(unit.session, DeviceUse).values(
        authority_id=row.authority_id, device_id=row.id, used_at=unit.now
    )
    unit.session.execute(
        statement.on_conflict_do_update(
            index_elements=["authority_id", "device_id"], set_={"used_at": unit.now}
        )
    )


def pend_all(unit: Unit, authority_id: str) -> int:
    """Make every confirmed device wait again for its fingerprint: for a restore that nobody can
    vouch for. Returns how many that were.
    """
    query = select(Device).where(
        Device.authority_id == authority_id, Device.standing == "confirmed"
    )
    rows = list(unit.session.scalars(query.order_by(Device.id).with_for_update()))
    for row in rows:
        row.standing, row.standing_at, row.standing_reason = "pending", unit.now, None
        _enter(unit, row, "device.pended", actor=OPERATOR_ACTOR)
    return len(rows)


def judge(  # noqa: PLR0913 - who judges which phone how, and where that is written down
    unit: Unit,
    principal: Principal,
    device_id: str,
    *,
    verdict: str,
    reason: str = "",
    log: Path | None = None,
) -> Device:
    """Confirm, reject or revoke a device; doing it twice changes nothing. `reason`: for the phone.
    `log`: outside the database, where an ending is noted for a restore.

    Raises `NotFound`, `Conflict` from a standing that the verdict does not follow.
    """
    require(principal, "device.judge")
    row = get(unit, principal, device_id)
    standing, before = _VERDICTS[verdict]
    if row.standing == standing:
        return row
    if row.standing not in before:
        message = f"A device that is {row.standing} cannot be {standing}."
        raise Conflict(message, current={"id": row.id, "standing": row.standing})
    was_pending = row.standing == "pending"
    row.standing, row.standing_at = standing, unit.now
    row.standing_reason = reason.strip() or None
    _enter(unit, row, f"device.{standing}", actor=principal.actor)
    if was_pending:
        _settle_held(unit, row, actor=principal.actor, reason=reason)
    if log is not None and verdict in ENDINGS:
        ended: dict[str, JSON] = {"authority": row.authority_id, "device": row.id}
        outside.append(log, {"what": standing, "at": format_instant(unit.now), **ended})
    return row


def get(unit: Unit, principal: Principal, device_id: str) -> Device:
    """Return a device of the principal's authority, locked. Raises `NotFound`."""
    key = (principal.authority_id, device_id)
    row = unit.session.get(Device, key, with_for_update=True)
    if row is None:
        raise NotFound("There is no such device.")
    return row


def _settle_held(unit: Unit, row: Device, *, actor: str, reason: str) -> None:
    """Let go, or turn down, the ops that waited for this verdict."""
    if row.standing == "confirmed":
        release.release_device(unit, row.authority_id, row.actor, actor=actor)
    else:
        text = reason.strip() or "The device was not confirmed."
        release.reject_device(unit, row.authority_id, row.actor, actor=actor, reason=text)


def _join(unit: Unit, row: Device) -> None:
    """Name the person who may write on the device."""
    person = DevicePerson(
        authority_id=row.authority_id,
        device_id=row.id,
        person_id=row.person_id,
        since=unit.now,
        until=None,
    )
    unit.session.add(person)


def _bind(unit: Unit, row: Device, enrolment: Enrolment, body: JSON) -> None:
    """Keep the HMAC of the request that used a code, so that its resend is known."""
    asked = RequestKey(
        authority_id=row.authority_id,
        actor=row.actor,
        scope=_SCOPE,
        key=enrolment.id,
        digest=body_digest(unit.keys, body),
        at=unit.now,
    )
    unit.session.add(asked)


def _next_number(unit: Unit, authority_id: str) -> int:
    following = unit.session.scalar(
        update(Authority)
        .where(Authority.id == authority_id)
        .values(next_device=Authority.next_device + 1)
        .returning(Authority.next_device)
    )
    if following is None or following - 1 > LAST_NUMBER:
        raise Conflict("This authority has given out its last device number.")
    return int(following) - 1


def _first_standing(unit: Unit, enrolment: Enrolment) -> str:
    authority = unit.session.get(Authority, enrolment.authority_id)
    needs_confirming = authority is None or authority.confirm_devices
    return "pending" if needs_confirming and not enrolment.is_confirmed else "confirmed"


def _proven_key(arrival: Arrival) -> str | None:
    """Return the key that the phone proved to hold; an unproven one is not kept."""
    new = arrival.new
    if new.public_key is None:
        return None
    jwk = keys.public_jwk(new.public_key)
    if new.proof is None:
        return None
    keys.check_proof(jwk, new.proof, code=arrival.code)
    return jwk


def _about(new: NewDevice) -> dict[str, str | None]:
    return {name: getattr(new, name) for name in _ABOUT}


def _enter(unit: Unit, row: Device, kind: str, *, actor: str) -> None:
    unit.enter(
        row.authority_id,
        kind,
        subject=f"device/{row.id}",
        actor=actor,
        person=row.person_id,
        standing=row.standing,
        op=None,
        moves=False,
        **_key_of(row),
    )


def _key_of(row: Device) -> dict[str, Detail]:
    """Return the hash of the key that a device signs with: a bundle is held against it."""
    if row.public_key is None:
        return {}
    return {"key": hashlib.sha256(row.public_key.encode()).hexdigest()}
