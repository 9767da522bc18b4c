"""The second factor of the console: codes of an authenticator app (TOTP, RFC 6238), each good once,
and ten recovery codes that stand in for it.

The secret is the server's HMAC of a nonce: the database alone makes no code. Called by `sign_ins`
and the console.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import b32encode
from dataclasses import dataclass
from datetime import datetime

import pyotp
from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.orm import Session

from fieldapi.keyring import Keyring
from fieldapi.models import RecoveryCode, SignIn
from fieldapi.services import codes
from fieldapi.services.authorise import console_actor
from fieldapi.unit import Unit

STEP_S = 30
RECOVERY_CODES = 10
_ISSUER = "fieldapi"
_SECRET_BYTES = 20
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Offer:
    """A secret to be taken over by an authenticator app. `nonce`: what it is made from again."""

    nonce: str
    secret: str
    uri: str


def offer(keys: Keyring, row: SignIn, nonce: str = "") -> Offer:
    """Return a fresh secret for a person, or the one of `nonce` again. Nothing is stored yet."""
    nonce = nonce or secrets.token_urlsafe(16)
    secret = _secret(keys, row, nonce)
    uri = pyotp.TOTP(secret).provisioning_uri(name=row.name, issuer_name=_ISSUER)
    return Offer(nonce, secret, uri)


def set_up(unit: Unit, row: SignIn, *, nonce: str, code: str) -> list[str] | None:
    """Ask for the second factor from now on, if `code` shows that the app has it; returns the
    recovery codes, told once. None for a wrong code.
    """
    step = _step_of(_secret(unit.keys, row, nonce), code, unit.now)
    if step is None:
        return None
    row.factor_nonce, row.factor_at, row.factor_step = nonce, unit.now, step
    _enter(unit, row, "sign_in.factor_set")
    return renew_recovery(unit, row)


def remove(unit: Unit, row: SignIn) -> None:
    """Ask for it no longer, and forget the recovery codes. The caller enters why."""
    row.factor_nonce = row.factor_at = row.factor_step = None
    unit.session.execute(delete(RecoveryCode).where(*_mine(row)))


def renew_recovery(unit: Unit, row: SignIn) -> list[str]:
    """Replace the recovery codes by ten fresh ones, told once."""
    unit.session.execute(delete(RecoveryCode).where(*_mine(row)))
    made = [_recovery_code() for _ in range(RECOVERY_CODES)]
    unit.session.add_all(
        RecoveryCode(
            authority_id=row.authority_id,
            person_id=row.person_id,
            code_hash=_hash(unit.keys, row, code),
            used_at=None,
        )
        for code in made
    )
    _enter(unit, row, "sign_in.recovery_renewed")
    return [codes.printed(code) for code in made]


def left(session: Session, row: SignIn) -> int:
    """Return how many recovery codes were not used yet."""
    query = select(func.count()).select_from(RecoveryCode).where(*_mine(row))
    return int(session.scalar(query.where(RecoveryCode.used_at.is_(None))) or 0)


def use(unit: Unit, row: SignIn, code: str) -> bool:
    """Take a code of the app or a recovery code; each is good once. Says whether it was right.

    The row is locked: of two browsers that send the same code, one is let in.
    """
    mine = unit.session.get(SignIn, row.name, with_for_update=True)
    if mine is None or mine.factor_nonce is None:
        return False
    step = _step_of(_secret(unit.keys, mine, mine.factor_nonce), code, unit.now)
    if step is None:
        return _use_recovery(unit, mine, code)
    if mine.factor_step is not None and step <= mine.factor_step:
        return False
    mine.factor_step = step
    return True


def _use_recovery(unit: Unit, row: SignIn, code: str) -> bool:
    digest = _hash(unit.keys, row, codes.normalise(code))
    used = (
        update(RecoveryCode)
        .where(*_mine(row), RecoveryCode.code_hash == digest, RecoveryCode.used_at.is_(None))
        .values(used_at=unit.now)
        .returning(RecoveryCode.code_hash)
    )
    if unit.session.scalar(used) is None:
        return False
    _enter(unit, row, "sign_in.recovered")
    return True


def _step_of(secret: str, code: str, now: datetime) -> int | None:
    """Return the half minute whose code this is: now, the one before or the one after."""
    typed = code.replace(" ", "")
    if len(typed) != _DIGITS or not (typed.isascii() and typed.isdigit()):
        return None
    current = int(now.timestamp()) // STEP_S
    steps = (current, current - 1, current + 1)
    right = [one for one in steps if hmac.compare_digest(_code(secret, one), typed)]
    return right[0] if right else None


def _code(secret: str, step: int) -> str:
    return pyotp.HOTP(secret, digits=_DIGITS).at(step)


def _secret(keys: Keyring, row: SignIn, nonce: str) -> str:
    text = f"second factor\n{row.authority_id}\n{row.person_id}\n{nonce}"
    return b32encode(keys.digest(text.encode())[:_SECRET_BYTES]).decode()


def _recovery_code() -> str:
    while (code := codes.make(secrets.token_bytes(8))) is None:
        continue
    return code


def _hash(keys: Keyring, row: SignIn, code: str) -> str:
    text = f"recovery\n{row.authority_id}\n{row.person_id}\n{code}"
    return keys.digest(text.encode()).hex()


def _mine(row: SignIn) -> tuple[ColumnElement[bool], ...]:
    return (
        RecoveryCode.authority_id == row.authority_id,
        RecoveryCode.person_id == row.person_id,
    )


def _enter(unit: Unit, row: SignIn, kind: str) -> None:
    """Enter it under the person's own console actor."""
    actor = console_actor(row.authority_id, row.person_id)
    unit.enter(row.authority_id, kind, subject=f"person/{row.person_id}", actor=actor)
