"""Sessions of browsers at the console: server-side rows, only the hash of their cookie kept.

Called by the console. A session is half until the second factor was given, and half opens nothing.
Great things (a decision, a release, an export, a revocation, a grant) ask for the password again
once it was given more than five minutes ago.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from fieldapi.ids import new_id
from fieldapi.models import ConsoleSession, SignIn
from fieldapi.problems import NotAuthenticated, NotFound
from fieldapi.services.authorise import IDLE, Principal, console_principal, token_hash
from fieldapi.unit import Database, Unit

ABSOLUTE = timedelta(hours=12)
PROOF = timedelta(minutes=5)
_SEEN_EVERY = timedelta(minutes=1)
_AGENT = 40


@dataclass(frozen=True, slots=True)
class Browser:
    """What a session is opened in. `agent`: kind of browser; `is_whole`: nothing more is asked."""

    language: str = "en"
    agent: str = ""
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class OwnSession:
    """One of a person's sessions, as their own page lists it."""

    id: str
    agent: str
    started_at: datetime
    seen_at: datetime
    is_here: bool


def insert(unit: Unit, row: SignIn, browser: Browser) -> str:
    """Add a session and return its cookie's value, told once. Forgets sessions that are over."""
    token = secrets.token_urlsafe(32)
    unit.session.execute(delete(ConsoleSession).where(ConsoleSession.ends_at <= unit.now))
    unit.session.add(
        ConsoleSession(
            token_hash=token_hash(token),
            id=new_id(),
            authority_id=row.authority_id,
            person_id=row.person_id,
            language=browser.language,
            agent=browser.agent[:_AGENT],
            is_whole=browser.is_whole,
            started_at=unit.now,
            proved_at=unit.now,
            seen_at=unit.now,
            ends_at=unit.now + ABSOLUTE,
        )
    )
    return token


def close(database: Database, token: str) -> None:
    """End a session; an unknown one is no error."""
    ended = delete(ConsoleSession).where(ConsoleSession.token_hash == token_hash(token))
    database.transact(lambda unit: unit.session.execute(ended))


def close_all(unit: Unit, authority_id: str, person_id: str, *, but: str | None = None) -> None:
    """End every session of a person; the one whose cookie is `but` goes on."""
    ended = delete(ConsoleSession).where(
        ConsoleSession.authority_id == authority_id, ConsoleSession.person_id == person_id
    )
    if but is not None:
        ended = ended.where(ConsoleSession.token_hash != token_hash(but))
    unit.session.execute(ended)


def close_own(unit: Unit, principal: Principal, session_id: str) -> None:
    """End one of the principal's own sessions. Raises `NotFound` for anybody else's."""
    ended = unit.session.scalar(
        delete(ConsoleSession)
        .where(
            ConsoleSession.id == session_id,
            ConsoleSession.authority_id == principal.authority_id,
            ConsoleSession.person_id == principal.person_id,
        )
        .returning(ConsoleSession.id)
    )
    if ended is None:
        raise NotFound("There is no such session.")


def own(session: Session, principal: Principal, token: str, now: datetime) -> Sequence[OwnSession]:
    """Return the principal's open sessions, the one last used first."""
    rows = session.scalars(
        select(ConsoleSession)
        .where(
            ConsoleSession.authority_id == principal.authority_id,
            ConsoleSession.person_id == principal.person_id,
            ConsoleSession.is_whole,
            ConsoleSession.ends_at > now,
            ConsoleSession.seen_at > now - IDLE,
        )
        .order_by(ConsoleSession.seen_at.desc(), ConsoleSession.id)
    )
    here = token_hash(token)
    return [
        OwnSession(row.id, row.agent, row.started_at, row.seen_at, row.token_hash == here)
        for row in rows
    ]


def verify(database: Database, token: str) -> Principal:
    """Return who holds this cookie, and keep the session from falling idle.

    Raises `NotAuthenticated`.
    """
    now = database.clock()
    with database.read() as session:
        principal = console_principal(session, token, now)
        row = session.get(ConsoleSession, token_hash(token))
        is_stale = row is not None and now - row.seen_at >= _SEEN_EVERY
    if is_stale:
        database.transact(lambda unit: _touch(unit, token))
    return principal


def half(session: Session, token: str, now: datetime) -> ConsoleSession:
    """Return the half session of this cookie. Raises `NotAuthenticated` once it is over."""
    row = session.get(ConsoleSession, token_hash(token))
    if row is None or row.is_whole or now >= row.ends_at or now - row.seen_at >= IDLE:
        raise NotAuthenticated("Sign in again.", reason="unknown")
    return row


def is_proved(database: Database, token: str) -> bool:
    """Say whether the password was given within the last five minutes."""
    with database.read() as session:
        row = session.get(ConsoleSession, token_hash(token))
        return row is not None and database.clock() - row.proved_at < PROOF


def note_proof(unit: Unit, token: str) -> str:
    """Note that the password was given again just now. Returns the cookie's new value: whoever has
    the old one has nothing any more.
    """
    renewed = secrets.token_urlsafe(32)
    unit.session.execute(
        update(ConsoleSession)
        .where(ConsoleSession.token_hash == token_hash(token))
        .values(token_hash=token_hash(renewed), proved_at=unit.now)
    )
    return renewed


def _touch(unit: Unit, token: str) -> None:
    unit.session.execute(
        update(ConsoleSession)
        .where(ConsoleSession.token_hash == token_hash(token))
        .values(seen_at=unit.now)
    )
