"""Who is asking and what they may do: the one module that answers both.

Called by every door (api, console, cli) and by the services. Reads only; the writes that belong
to a credential (first use, rotation, sessions) are in `devices` and `sign_ins`.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import and_, bindparam, or_, select
from sqlalchemy.orm import Session

from fieldapi.domain.access import (
    PENDING_MAY,
    PERMISSIONS,
    Principal,
    keeps,
    may,
    may_review,
    may_see_aid,
    may_see_in_short,
    may_see_seizure,
    require,
    sees_all,
)
from fieldapi.models import ConsoleSession, Device, DeviceUse, Membership
from fieldapi.problems import NotAuthenticated
from fieldapi.unit import Database

__all__ = [
    "PENDING_MAY",
    "PERMISSIONS",
    "Credential",
    "Principal",
    "console_actor",
    "console_principal",
    "credential_of_token",
    "keeps",
    "may",
    "may_review",
    "may_see_aid",
    "may_see_in_short",
    "may_see_seizure",
    "new_token",
    "operator",
    "person_principal",
    "require",
    "roles_at",
    "sees_all",
    "token_device",
    "token_hash",
]

OPERATOR = "operator"
OPERATOR_ACTOR = "0" * 16
IDLE = timedelta(minutes=30)
# A token that rests for half a year ends, and every token after two years; use renews the first.
TOKEN_RESTS, TOKEN_LASTS = timedelta(days=180), timedelta(days=730)
_NOTED_EVERY = timedelta(days=1)

_OF_DEVICE = (
    *("authority_id", "id", "person_id", "actor", "standing", "standing_reason"),
    *("token_at", "next_hash", "seen_at"),
)
# Every request of a phone asks this: one statement, put together once. A row for each role held.
_BEARER = (
    select(
        *(Device.__table__.c[name] for name in _OF_DEVICE),
        DeviceUse.used_at,
        Membership.role,
        Membership.pound_id,
    )
    .select_from(Device)
    .outerjoin(
        DeviceUse,
        and_(DeviceUse.authority_id == Device.authority_id, DeviceUse.device_id == Device.id),
    )
    .outerjoin(
        Membership,
        and_(
            Membership.authority_id == Device.authority_id,
            Membership.person_id == Device.person_id,
            Membership.starts_at <= bindparam("now"),
            or_(Membership.ends_at.is_(None), Membership.ends_at > bindparam("now")),
        ),
    )
    .where(or_(Device.token_hash == bindparam("digest"), Device.next_hash == bindparam("digest")))
)
_TOKEN = re.compile(r"(csd1_([0-9a-f-]{36})_[A-Za-z0-9_-]{43})_([0-9a-f]{8})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Credential:
    """A bearer token that stood the test. `is_first_use`: `devices.mark_used` is due, because the
    device was never seen before, its next token is used for the first time, or no use of it was
    noted for a day. `digest`: SHA-256 of the token in hex.
    """

    principal: Principal
    digest: str
    is_first_use: bool


def operator(authority_id: str) -> Principal:
    """Return the principal of the command line: whoever has a shell on the server is admin."""
    return Principal(authority_id, OPERATOR, None, OPERATOR_ACTOR, frozenset({"admin"}), None, True)


def new_token(device_id: str) -> str:
    """Return a fresh bearer token: a prefix that leak scanners find, 256 random bits, a CRC."""
    secret = urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()
    body = f"csd1_{device_id}_{secret}"
    return f"{body}_{zlib.crc32(body.encode()):08x}"


def token_hash(token: str) -> str:
    """Return what the database keeps of a token or of a session cookie: its SHA-256 in hex."""
    return hashlib.sha256(token.encode()).hexdigest()


def token_device(token: str) -> str | None:
    """Return the device id in a well-formed token with a right checksum, else None.

    >>> token_device("csd1_nonsense")
    """
    found = _TOKEN.fullmatch(token)
    if found is None or f"{zlib.crc32(found[1].encode()):08x}" != found[3]:
        return None
    return found[2]


def credential_of_token(database: Database, token: str, now: datetime) -> Credential:
    """Return the principal of a bearer token, and whether this use has to be noted.

    Both slots of a rotation are good: the old token works until the new one is first used.
    Raises `NotAuthenticated`; its `reason` is `unknown`, `revoked`, `rejected` or `expired`.
    """
    device_id = token_device(token)
    if device_id is None:
        raise NotAuthenticated("This is not a token of this service.", reason="unknown")
    digest = token_hash(token)
    found = database.ask(_BEARER, {"digest": digest, "now": now})
    if not found or found[0]["id"] != device_id:
        raise NotAuthenticated("This token is unknown or was replaced.", reason="unknown")
    device = Device(**{name: found[0][name] for name in _OF_DEVICE})
    used_on: datetime | None = found[0]["used_at"]
    if device.standing in {"revoked", "rejected"}:
        said = f"This device was {device.standing}. {device.standing_reason or ''}".strip()
        raise NotAuthenticated(said, reason=device.standing)
    is_next = device.next_hash == digest
    used_at = device.token_at if used_on is None else max(device.token_at, used_on)
    if not is_next and (now - device.token_at >= TOKEN_LASTS or now - used_at >= TOKEN_RESTS):
        raise NotAuthenticated("This token is too old: enrol the phone again.", reason="expired")
    is_first_use = device.seen_at is None or is_next or now - used_at >= _NOTED_EVERY
    held = [(row["role"], row["pound_id"]) for row in found if row["role"]]
    return Credential(_device_principal(device, held), digest, is_first_use)


def _device_principal(device: Device, held: Collection[tuple[str, str | None]]) -> Principal:
    roles, pounds = _rights(held)
    return Principal(
        authority_id=device.authority_id,
        person_id=device.person_id,
        device_id=device.id,
        actor=device.actor,
        roles=roles,
        pounds=pounds,
        is_confirmed=device.standing == "confirmed",
    )


def console_actor(authority_id: str, person_id: str) -> str:
    """Return the actor under which a person acts in the console: the same in every browser."""
    return hashlib.sha256(f"console/{authority_id}/{person_id}".encode()).hexdigest()[:16]


def console_principal(session: Session, token: str, now: datetime) -> Principal:
    """Return who holds this console cookie. Raises `NotAuthenticated` once it is idle or over, and
    until the second factor was given.
    """
    row = session.get(ConsoleSession, token_hash(token))
    if row is None or not row.is_whole or now >= row.ends_at or now - row.seen_at >= IDLE:
        raise NotAuthenticated("Sign in again.", reason="unknown")
    return person_principal(session, row.authority_id, row.person_id, now)


def person_principal(
    session: Session, authority_id: str, person_id: str, now: datetime
) -> Principal:
    """Return a person as they act in the console."""
    roles, pounds = roles_at(session, authority_id, person_id, now)
    actor = console_actor(authority_id, person_id)
    return Principal(authority_id, person_id, None, actor, roles, pounds, True)


def roles_at(
    session: Session, authority_id: str, person_id: str, now: datetime
) -> tuple[frozenset[str], frozenset[str] | None]:
    """Return the roles a person holds at `now`, and the pounds they keep (None: all)."""
    held = session.execute(
        select(Membership.role, Membership.pound_id).where(
            Membership.authority_id == authority_id,
            Membership.person_id == person_id,
            Membership.starts_at <= now,
            or_(Membership.ends_at.is_(None), Membership.ends_at > now),
        )
    ).all()
    return _rights([(role, pound) for role, pound in held])


def _rights(
    held: Collection[tuple[str, str | None]],
) -> tuple[frozenset[str], frozenset[str] | None]:
    roles = frozenset(role for role, _ in held)
    return roles, _pounds(pound for role, pound in held if role == "pound_keeper")


def _pounds(kept: Iterable[str | None]) -> frozenset[str] | None:
    pounds = list(kept)
    if None in pounds:
        return None
    return frozenset(pound for pound in pounds if pound is not None)
