"""Issues one-time enrolment codes and redeems them for a device with its token.

A code is used by one conditional UPDATE: of a hundred phones that send it at once one is enrolled.
Unknown, used, burnt and expired codes get one answer. Called by the api and the command line.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from sqlalchemy import select, update

from fieldapi.domain.words import sentence
from fieldapi.keyring import Keyring
from fieldapi.models import Enrolment
from fieldapi.problems import CodeRefused, Conflict
from fieldapi.services import attempts, codes, devices, people, returning
from fieldapi.services.attempts import Limit
from fieldapi.services.authorise import OPERATOR_ACTOR, Principal, require
from fieldapi.services.devices import Arrival, Enrolled, NewDevice
from fieldapi.unit import Database, Unit
from sync.wire import JSON

LIFETIME = timedelta(hours=24)
# An answer lost on 2G: the same phone may ask again while its token was never used.
RESEND = timedelta(minutes=10)
BURNS_AFTER = 5
PER_ADDRESS = Limit("enrolment.address", tries=100, window=timedelta(hours=1))


@dataclass(frozen=True, slots=True)
class Issued:
    """A code, shown once: only its HMAC is kept."""

    enrolment: Enrolment
    code: str


@dataclass(frozen=True, slots=True)
class Redemption:
    """What a phone sends to be enrolled. `code`: as typed. `body`: the parsed request, whole.

    `id`: made by the phone, becomes the device's id; it, or the one in `previous`, lets it ask
    again. `address`: where the request came from, to slow down guessing. `log`: of endings,
    outside the database.
    """

    code: str
    device: NewDevice
    body: JSON
    id: str | None
    address: str
    log: Path | None = None


def issue(
    unit: Unit, principal: Principal, person_id: str, *, enrolment_id: str, is_confirmed: bool
) -> Issued:
    """Make a code for a person. Raises `NotFound`, `Conflict` if the id is taken.

    The code follows from the id and the server's secret, so that a resend shows it again.
    """
    require(principal, "enrolment.issue")
    people.get(unit, principal, person_id)
    if unit.session.get(Enrolment, (principal.authority_id, enrolment_id)):
        raise Conflict("This id is already the id of an enrolment.")
    code = code_of(unit.keys, principal.authority_id, enrolment_id)
    row = Enrolment(
        authority_id=principal.authority_id,
        id=enrolment_id,
        person_id=person_id,
        lookup=code[: codes.LOOKUP],
        code_hash=_hash(unit, code),
        is_confirmed=is_confirmed,
        made_by=principal.person_id,
        created_at=unit.now,
        expires_at=unit.now + LIFETIME,
    )
    unit.session.add(row)
    subject = f"enrolment/{row.id}"
    unit.enter(
        row.authority_id,
        "enrolment.issued",
        subject=subject,
        actor=principal.actor,
        person=person_id,
        confirmed=int(is_confirmed),
    )
    return Issued(row, code)


def code_of(keys: Keyring, authority_id: str, enrolment_id: str) -> str:
    """Return the code of an enrolment: an HMAC of its ids under the server's secret."""
    for turn in range(1000):
        text = f"enrolment code\n{authority_id}\n{enrolment_id}\n{turn}"
        code = codes.make(keys.digest(text.encode()))
        if code is not None:
            return code
    raise AssertionError("a thousand codes without a plain check character")


def url_of(public_url: str, code: str) -> str:
    """Return the address that the QR of a card opens."""
    return f"{public_url}/enrol/{code}"


def redeem(database: Database, asked: Redemption) -> Enrolled:
    """Enrol the phone that holds the code. Raises `CodeRefused`, `InvalidBody`, `TooManyRequests`.

    A wrong try counts against every open code that begins alike, five of them burn it; it never
    counts against a phone whose code is right.
    """
    code = codes.normalise(asked.code)
    if not codes.is_well_typed(code):
        _note_failure(database, code, asked.address)
        message = sentence("One character of the code is wrong: compare it with the card.")
        raise CodeRefused(message, errors={"code": [message]})
    try:
        return database.transact(lambda unit: _redeem(unit, asked, code))
    except CodeRefused:
        _note_failure(database, code, asked.address)
        raise


def _redeem(unit: Unit, asked: Redemption, code: str) -> Enrolled:
    digest = _hash(unit, code)
    row = _use(unit, digest)
    if row is None:
        return _resend(unit, asked, digest)
    return devices.enrol(unit, Arrival(row, code, asked.device, asked.id, asked.body, asked.log))


def _use(unit: Unit, digest: str) -> Enrolment | None:
    """Mark the code used, if it still can be; the database lets one caller through."""
    return unit.session.scalar(
        update(Enrolment)
        .where(
            Enrolment.code_hash == digest,
            Enrolment.used_at.is_(None),
            Enrolment.burnt_at.is_(None),
            Enrolment.expires_at > unit.now,
        )
        .values(used_at=unit.now)
        .returning(Enrolment)
    )


def _resend(unit: Unit, asked: Redemption, digest: str) -> Enrolled:
    """Answer the phone that used this code a moment ago and never got the answer."""
    row = unit.session.scalar(
        select(Enrolment).where(
            Enrolment.code_hash == digest, Enrolment.used_at > unit.now - RESEND
        )
    )
    if row is None or row.device_id is None or row.device_id not in _named_in(asked):
        raise CodeRefused
    again = devices.reissue(unit, row, asked.body)
    if again is None:
        raise CodeRefused
    return again


def _named_in(asked: Redemption) -> set[str | None]:
    """Return the device that a request says it is: by a fresh id, or as the one it was."""
    previous = returning.previous_of(asked.device.previous)
    return {asked.id, None if previous is None else previous.device}


def _note_failure(database: Database, code: str, address: str) -> None:
    """Count a wrong try. Raises `TooManyRequests` for an address that keeps guessing."""
    if database.transact(lambda unit: _count_failure(unit, code, address)):
        with database.read() as session:
            PER_ADDRESS.refuse_if_reached(session, address, database.clock())


def _count_failure(unit: Unit, code: str, address: str) -> bool:
    """Count it against the address and every open code alike; False if the code once was one."""
    if unit.session.scalar(select(Enrolment.id).where(Enrolment.code_hash == _hash(unit, code))):
        return False
    PER_ADDRESS.note(unit, address)
    for row in _open_alike(unit, code):
        tries = attempts.note(unit, "enrolment.code", row.id, window_at=row.created_at)
        if tries >= BURNS_AFTER:
            row.burnt_at = unit.now
            unit.enter(
                row.authority_id,
                "enrolment.burnt",
                subject=f"enrolment/{row.id}",
                actor=OPERATOR_ACTOR,
            )
    return True


def _open_alike(unit: Unit, code: str) -> list[Enrolment]:
    return list(
        unit.session.scalars(
            select(Enrolment)
            .where(
                Enrolment.lookup == code[: codes.LOOKUP],
                Enrolment.used_at.is_(None),
                Enrolment.burnt_at.is_(None),
                Enrolment.expires_at > unit.now,
            )
            .order_by(Enrolment.id)
            .with_for_update()
        )
    )


def _hash(unit: Unit, code: str) -> str:
    return unit.keys.digest(f"enrolment\n{code}".encode()).hex()
