"""Passwords of the console, and the sessions of browsers: server-side, only their hash kept.

Called by the console and the command line. Argon2 runs outside every transaction: it takes a
while on purpose, and a writer's turn is not for waiting in.
"""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass
from datetime import timedelta
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from sqlalchemy import delete, select, update

from fieldapi.domain.values import Pattern
from fieldapi.domain.words import sentence
from fieldapi.models import ConsoleSession, SignIn
from fieldapi.problems import Conflict, NotAllowed, NotAuthenticated, NotFound
from fieldapi.services import people
from fieldapi.services.attempts import Limit
from fieldapi.services.authorise import (
    PERMISSIONS,
    Principal,
    console_principal,
    require,
    roles_at,
    token_hash,
)
from fieldapi.services.fields import check_fields, refuse
from fieldapi.unit import Database, Unit

ABSOLUTE = timedelta(hours=12)
LEAST_PASSWORD, MOST_PASSWORD = 12, 200
PER_NAME = Limit("sign-in.name", tries=10, window=timedelta(minutes=15))
PER_ADDRESS = Limit("sign-in.address", tries=100, window=timedelta(minutes=15))
_SEEN_EVERY = timedelta(minutes=1)
_TYPES = {
    "name": Pattern(
        "[a-z0-9][a-z0-9._@-]{2,63}",
        sentence("A sign-in name has 3 to 64 small letters, digits, dots, hyphens or @."),
        "sign-in",
    )
}
_COMMON = frozenset(
    {
        "123456789012",
        "1234567890123",
        "changemeplease",
        "letmeinletmein",
        "passwordpassword",
        "password1234",
        "password12345",
        "password123456",
        "qwertyuiop12",
        "qwertyuiop123",
        "qwertyuiopasdf",
    }
)
_hasher = PasswordHasher()
# Each hash takes 64 MiB: as many at once as a small server has room for.
_room = threading.BoundedSemaphore(4)


@dataclass(frozen=True, slots=True)
class Attempted:
    """A try to sign in. `address`: where it came from."""

    name: str
    password: str
    address: str
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Opened:
    """A new session: the cookie's value, shown once, and who it is."""

    token: str
    principal: Principal


def set_password(
    database: Database, principal: Principal, person_id: str, *, name: str, password: str
) -> None:
    """Give a person a sign-in name and password, or replace them; ends their sessions.

    Raises `InvalidBody`, `NotFound`, `Conflict` if the name is somebody else's.
    """
    require(principal, "person.add")
    check_fields(_TYPES, {"name": name})
    check_password(password, name=name)
    hashed = _hash(password)
    database.transact(lambda unit: _store(unit, principal, (person_id, name, hashed)))


def name_of(database: Database, principal: Principal, person_id: str) -> str:
    """Return the sign-in name of a person. Raises `NotFound`."""
    require(principal, "person.add")
    with database.read() as session:
        name = session.scalar(
            select(SignIn.name).where(
                SignIn.authority_id == principal.authority_id, SignIn.person_id == person_id
            )
        )
    if name is None:
        raise NotFound("This person has no sign-in yet: set one with `fieldapi person password`.")
    return name


def generate_password() -> str:
    """Return a random password of 100 bits in groups that can be read aloud."""
    letters = "abcdefghijkmnopqrstuvwxyz23456789"
    groups = ["".join(secrets.choice(letters) for _ in range(5)) for _ in range(4)]
    return "-".join(groups)


def check_password(password: str, *, name: str = "") -> None:
    """Raise `InvalidBody` for a password that is short, common or the name itself."""
    if len(password) < LEAST_PASSWORD:
        raise refuse("password", f"At least {LEAST_PASSWORD} characters.")
    if len(password) > MOST_PASSWORD:
        raise refuse("password", f"At most {MOST_PASSWORD} characters.")
    lower = password.lower()
    if lower in _COMMON or len(set(lower)) == 1 or (name and name in lower):
        raise refuse("password", "Too easy to guess.")


def open_session(database: Database, tried: Attempted) -> Opened:
    """Sign a person in. Raises `NotAuthenticated`, `TooManyRequests`, `NotAllowed` (no desk role).

    An unknown name costs the same time as a wrong password and gets the same answer.
    """
    row = _checked(database, tried)
    with database.read() as session:
        roles, _ = roles_at(session, row.authority_id, row.person_id, database.clock())
    if PERMISSIONS["console.open"].isdisjoint(roles):
        raise NotAllowed("Your roles do not open the console.", reason="role")
    token = secrets.token_urlsafe(32)
    database.transact(lambda unit: _insert(unit, row, token=token, language=tried.language))
    with database.read() as session:
        return Opened(token, console_principal(session, token, database.clock()))


def close_session(database: Database, token: str) -> None:
    """End a session; an unknown one is no error."""
    database.transact(
        lambda unit: unit.session.execute(
            delete(ConsoleSession).where(ConsoleSession.token_hash == token_hash(token))
        )
    )


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


def verify_password(database: Database, principal: Principal, tried: Attempted) -> None:
    """Ask a signed-in person for the password again. Raises as `open_session` does."""
    row = _checked(database, tried)
    if (row.authority_id, row.person_id) != (principal.authority_id, principal.person_id):
        raise NotAuthenticated("The name or the password is wrong.", reason="unknown")


def _checked(database: Database, tried: Attempted) -> SignIn:
    name, now = tried.name.strip().lower(), database.clock()
    with database.read() as session:
        PER_NAME.refuse_if_reached(session, name, now)
        PER_ADDRESS.refuse_if_reached(session, tried.address, now)
        row = session.get(SignIn, name)
    if _matches(row.password_hash if row else _nobody(), tried.password) and row is not None:
        return row
    database.transact(lambda unit: _note_failure(unit, name, tried.address))
    raise NotAuthenticated("The name or the password is wrong.", reason="unknown")


def _note_failure(unit: Unit, name: str, address: str) -> None:
    PER_NAME.note(unit, name)
    PER_ADDRESS.note(unit, address)


def _store(unit: Unit, principal: Principal, given: tuple[str, str, str]) -> None:
    person_id, name, hashed = given
    people.get(unit, principal, person_id)
    mine = (principal.authority_id, person_id)
    row = unit.session.get(SignIn, name)
    if row is not None and (row.authority_id, row.person_id) != mine:
        raise Conflict("This sign-in name belongs to somebody else.")
    for table in (SignIn, ConsoleSession):
        of_person = (table.authority_id == mine[0], table.person_id == mine[1])
        unit.session.execute(delete(table).where(*of_person))
    unit.session.expunge_all()
    unit.session.add(
        SignIn(
            name=name,
            authority_id=mine[0],
            person_id=mine[1],
            password_hash=hashed,
            changed_at=unit.now,
        )
    )
    unit.enter(mine[0], "sign_in.set", subject=f"person/{person_id}", actor=principal.actor)


def _insert(unit: Unit, row: SignIn, *, token: str, language: str) -> None:
    unit.session.execute(delete(ConsoleSession).where(ConsoleSession.ends_at <= unit.now))
    unit.session.add(
        ConsoleSession(
            token_hash=token_hash(token),
            authority_id=row.authority_id,
            person_id=row.person_id,
            language=language,
            started_at=unit.now,
            seen_at=unit.now,
            ends_at=unit.now + ABSOLUTE,
        )
    )


def _touch(unit: Unit, token: str) -> None:
    unit.session.execute(
        update(ConsoleSession)
        .where(ConsoleSession.token_hash == token_hash(token))
        .values(seen_at=unit.now)
    )


def _hash(password: str) -> str:
    with _room:
        return _hasher.hash(password)


def _matches(hashed: str, password: str) -> bool:
    with _room:
        try:
            return _hasher.verify(hashed, password[: MOST_PASSWORD + 1])
        except VerificationError:
            return False


@cache
def _nobody() -> str:
    """Return a hash that no password fits, to spend as long on an unknown name."""
    return _hash(secrets.token_hex(16))
