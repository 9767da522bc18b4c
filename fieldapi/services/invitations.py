"""One-time links by which a person chooses a password: the first one, or a new one when locked out.

Made by the command line only. Called by it and by the console. Only the hash of a link is kept.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from pathlib import Path

from sqlalchemy import delete, update
from sqlalchemy.orm import Session

from fieldapi.clock import format_instant
from fieldapi.domain.words import sentence
from fieldapi.models import SignIn, SignInLink
from fieldapi.problems import Conflict, NotFound
from fieldapi.services import outside, passwords, people, second_factors, sessions, sign_ins
from fieldapi.services.authorise import Principal, operator, require, token_hash
from fieldapi.unit import Database, Unit

LIFETIME = timedelta(hours=24)
SIGN_IN_RESET = "sign_in_reset"


def invite(unit: Unit, principal: Principal, person_id: str, *, name: str) -> str:
    """Return the secret of a fresh link for a person; an older one ends.

    Raises `InvalidBody`, `NotFound`, `Conflict` if the name is somebody else's.
    """
    require(principal, "person.add")
    sign_ins.check_name(name)
    people.get(unit, principal, person_id)
    mine = (principal.authority_id, person_id)
    row = unit.session.get(SignIn, name)
    if row is not None and (row.authority_id, row.person_id) != mine:
        raise Conflict(sentence("This sign-in name belongs to somebody else."))
    secret = secrets.token_urlsafe(32)
    unit.session.execute(
        delete(SignInLink).where(
            SignInLink.authority_id == mine[0], SignInLink.person_id == person_id
        )
    )
    unit.session.add(
        SignInLink(
            token_hash=token_hash(secret),
            authority_id=mine[0],
            person_id=person_id,
            name=name,
            expires_at=unit.now + LIFETIME,
            used_at=None,
        )
    )
    _enter(unit, principal, person_id, kind="sign_in.invited")
    return secret


def reset(unit: Unit, principal: Principal, person_id: str, *, log: Path | None = None) -> str:
    """Lock a sign-in and return the secret of a link that opens it again: password, second factor,
    recovery codes and sessions end. `log`: outside the database, for a restore. Raises `NotFound`.
    """
    require(principal, "person.add")
    row = sign_ins.of_person(unit.session, principal.authority_id, person_id)
    if row is None:
        raise NotFound(
            sentence("This person has no sign-in yet: make one with `fieldapi person invite`.")
        )
    lock(unit, principal, row)
    if log is not None:
        named = {"authority": row.authority_id, "person": person_id}
        outside.append(log, {"what": SIGN_IN_RESET, "at": format_instant(unit.now), **named})
    return invite(unit, principal, person_id, name=row.name)


def lock(unit: Unit, principal: Principal, row: SignIn) -> None:
    """End password, second factor, recovery codes and sessions of a sign-in."""
    row.password_hash, row.changed_at = passwords.NONE_FITS, unit.now
    second_factors.remove(unit, row)
    sessions.close_all(unit, row.authority_id, row.person_id)
    _enter(unit, principal, row.person_id, kind="sign_in.reset")


def name_on(session: Session, secret: str, database: Database) -> str:
    """Return the sign-in name that a link is for. Raises `NotFound` once it is used or over."""
    row = session.get(SignInLink, token_hash(secret))
    if row is None or row.used_at is not None or row.expires_at <= database.clock():
        raise NotFound(sentence("This link was used already, or is older than a day."))
    return row.name


def redeem(database: Database, secret: str, password: str) -> None:
    """Choose the password that a link lets choose. Raises `NotFound`, `InvalidBody` (the link stays
    good), `Conflict`.
    """
    with database.read() as session:
        passwords.check(password, name=name_on(session, secret, database))
    hashed = passwords.hashed(password)
    database.transact(lambda unit: _redeem(unit, secret, hashed))


def _redeem(unit: Unit, secret: str, hashed: str) -> None:
    """Use the link by one conditional UPDATE: of two browsers one is let through."""
    row = unit.session.scalar(
        update(SignInLink)
        .where(
            SignInLink.token_hash == token_hash(secret),
            SignInLink.used_at.is_(None),
            SignInLink.expires_at > unit.now,
        )
        .values(used_at=unit.now)
        .returning(SignInLink)
    )
    if row is None:
        raise NotFound(sentence("This link was used already, or is older than a day."))
    boss = operator(row.authority_id)
    sign_ins.store(unit, boss, (row.person_id, row.name, hashed))


def _enter(unit: Unit, principal: Principal, person_id: str, *, kind: str) -> None:
    subject = f"person/{person_id}"
    unit.enter(principal.authority_id, kind, subject=subject, actor=principal.actor)
