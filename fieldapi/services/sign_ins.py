"""Signing in to the console: name and password, then the second factor.

Called by the console and the command line. What opens is a session (`sessions`). Unknown names
cost and read like wrong passwords. Failures are counted by address, and by name from one address
and from all (`attempts`): a stranger elsewhere shuts nobody out, nor stops who is signed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from fieldapi.domain.values import Pattern
from fieldapi.domain.words import sentence
from fieldapi.models import SignIn
from fieldapi.problems import Conflict, NotAllowed, NotAuthenticated, NotFound
from fieldapi.services import passwords, people, second_factors, sessions
from fieldapi.services.attempts import Limit
from fieldapi.services.authorise import (
    PERMISSIONS,
    Principal,
    console_actor,
    person_principal,
    require,
    token_hash,
)
from fieldapi.services.fields import check_fields
from fieldapi.services.sessions import Browser
from fieldapi.unit import Database, Unit

PER_NAME = Limit("sign-in.name", tries=10, window=timedelta(minutes=15))
ANYWHERE = Limit("sign-in.anywhere", tries=50, window=timedelta(minutes=15))
PER_ADDRESS = Limit("sign-in.address", tries=100, window=timedelta(minutes=15))
PER_FACTOR = Limit("sign-in.factor", tries=10, window=timedelta(minutes=15))
PER_PROOF = Limit("sign-in.proof", tries=10, window=timedelta(minutes=15))
# A limit, and under which key a failure counts against it.
Counted = tuple[Limit, str]
_TYPES = {
    "name": Pattern(
        "[a-z0-9][a-z0-9._@-]{2,63}",
        sentence("A sign-in name has 3 to 64 small letters, digits, dots, hyphens or @."),
        "sign-in",
    )
}
_LONGEST_NAME = 64
_WRONG = "The name or the password is wrong."


@dataclass(frozen=True, slots=True)
class Attempted:
    """A try to sign in. `address`: where it came from. `agent`: kind of browser."""

    name: str
    password: str
    address: str
    language: str = "en"
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Opened:
    """A new session: the cookie's value, shown once, and who it is. Not `is_whole`: the second
    factor is still to be given or, without `has_factor`, to be set up.
    """

    token: str
    principal: Principal
    is_whole: bool = True
    has_factor: bool = False


def set_password(
    database: Database, principal: Principal, person_id: str, *, name: str, password: str
) -> None:
    """Give a person a sign-in name and password, or replace them; ends their sessions.

    Raises `InvalidBody`, `NotFound`, `Conflict` if the name is somebody else's.
    """
    require(principal, "person.add")
    check_name(name)
    passwords.check(password, name=name)
    hashed = passwords.hashed(password)
    database.transact(lambda unit: store(unit, principal, (person_id, name, hashed)))


def check_name(name: str) -> None:
    """Raise `InvalidBody` for what is no sign-in name."""
    check_fields(_TYPES, {"name": name})


def name_of(database: Database, principal: Principal, person_id: str) -> str:
    """Return the sign-in name of a person. Raises `NotFound`."""
    require(principal, "person.add")
    with database.read() as session:
        row = of_person(session, principal.authority_id, person_id)
    if row is None:
        raise NotFound("This person has no sign-in yet: make one with `fieldapi person invite`.")
    return row.name


def of_person(session: Session, authority_id: str, person_id: str) -> SignIn | None:
    """Return the sign-in of a person, if there is one."""
    return session.scalar(
        select(SignIn).where(SignIn.authority_id == authority_id, SignIn.person_id == person_id)
    )


def store(unit: Unit, principal: Principal, given: tuple[str, str, str]) -> SignIn:
    """Keep person, name and hashed password; the second factor stays, the sessions end."""
    person_id, name, hashed = given
    people.get(unit, principal, person_id)
    mine = (principal.authority_id, person_id)
    row = unit.session.get(SignIn, name)
    if row is not None and (row.authority_id, row.person_id) != mine:
        raise Conflict("This sign-in name belongs to somebody else.")
    row = row or _renamed(unit, mine, name)
    row.password_hash, row.changed_at = hashed, unit.now
    sessions.close_all(unit, *mine)
    unit.enter(mine[0], "sign_in.set", subject=f"person/{person_id}", actor=principal.actor)
    return row


def open_session(database: Database, tried: Attempted, *, is_factor_asked: bool = False) -> Opened:
    """Sign a person in by name and password. Raises `NotAuthenticated`, `TooManyRequests`,
    `NotAllowed` (no desk role). `is_factor_asked`: whoever has no second factor sets one up first.

    An unknown name costs the same time as a wrong password and gets the same answer.
    """
    name = tried.name.strip().lower()
    row = _checked(database, name, tried.password, _counted(name, tried.address))
    with database.read() as session:
        who = person_principal(session, row.authority_id, row.person_id, database.clock())
    if PERMISSIONS["console.open"].isdisjoint(who.roles):
        raise NotAllowed("Your roles do not open the console.", reason="role")
    has_factor = row.factor_at is not None
    is_whole = not (has_factor or is_factor_asked)
    browser = Browser(tried.language, tried.agent, is_whole)
    token = database.transact(lambda unit: _open(unit, row, browser))
    return Opened(token, who, is_whole, has_factor)


def open_whole(database: Database, token: str, code: str) -> Opened:
    """Give the second factor of a half session: it ends, and a whole one under another cookie
    begins. Raises `NotAuthenticated`, `TooManyRequests`.
    """
    row, browser = half_of(database, token)
    key = f"{row.authority_id}/{row.person_id}"
    with database.read() as session:
        PER_FACTOR.refuse_if_reached(session, key, database.clock())

    def work(unit: Unit) -> str | None:
        if not second_factors.use(unit, row, code):
            PER_FACTOR.note(unit, key)
            return None
        return _open(unit, row, browser)

    opened = database.transact(work)
    if opened is None:
        raise NotAuthenticated("This code is wrong, or was used already.", reason="code")
    return _replaced(database, token, opened, row)


def set_up_factor(
    database: Database, token: str, *, nonce: str, code: str
) -> tuple[Opened, list[str]]:
    """Set the second factor up in a half session that has none; it becomes whole.

    Returns the recovery codes, too. Raises `NotAuthenticated` for a wrong code.
    """
    row, browser = half_of(database, token)

    def work(unit: Unit) -> tuple[str, list[str]] | None:
        mine = unit.session.get(SignIn, row.name, with_for_update=True)
        if mine is None or mine.factor_at is not None:
            return None
        codes = second_factors.set_up(unit, mine, nonce=nonce, code=code)
        return None if codes is None else (_open(unit, mine, browser), codes)

    done = database.transact(work)
    if done is None:
        raise NotAuthenticated("This code is wrong.", reason="code")
    return _replaced(database, token, done[0], row), done[1]


def half_of(database: Database, token: str) -> tuple[SignIn, Browser]:
    """Return whose half session this is, and its browser. Raises `NotAuthenticated`."""
    with database.read() as session:
        found = sessions.half(session, token, database.clock())
        row = of_person(session, found.authority_id, found.person_id)
        if row is None:
            raise NotAuthenticated("Sign in again.", reason="unknown")
        return row, Browser(found.language, found.agent)


def prove(database: Database, principal: Principal, *, token: str, tried: Attempted) -> str:
    """Ask a signed-in person for the password again. Returns the cookie's new value. Raises as
    `open_session` does.
    """
    with database.read() as session:
        row = of_person(session, principal.authority_id, principal.person_id)
    if row is None:
        raise NotAuthenticated(_WRONG, reason="unknown")
    counted = [(PER_PROOF, f"{row.authority_id}/{row.person_id}")]
    _checked(database, row.name, tried.password, counted)
    return database.transact(lambda unit: sessions.note_proof(unit, token))


def change_password(database: Database, principal: Principal, *, token: str, password: str) -> None:
    """Replace one's own password; the other sessions end. Raises `InvalidBody`, `NotFound`."""
    with database.read() as session:
        row = of_person(session, principal.authority_id, principal.person_id)
    if row is None:
        raise NotFound("There is no sign-in.")
    passwords.check(password, name=row.name)
    hashed = passwords.hashed(password)

    def work(unit: Unit) -> None:
        mine = unit.session.get(SignIn, row.name, with_for_update=True)
        if mine is None:
            raise NotFound("There is no sign-in.")
        mine.password_hash, mine.changed_at = hashed, unit.now
        sessions.close_all(unit, mine.authority_id, mine.person_id, but=token)
        _enter(unit, mine, "sign_in.set")

    database.transact(work)


def _open(unit: Unit, row: SignIn, browser: Browser) -> str:
    token = sessions.insert(unit, row, browser)
    if browser.is_whole:
        _enter(unit, row, "sign_in.opened")
    return token


def _replaced(database: Database, old: str, opened: str, row: SignIn) -> Opened:
    sessions.close(database, old)
    with database.read() as session:
        who = person_principal(session, row.authority_id, row.person_id, database.clock())
    return Opened(opened, who, has_factor=True)


def _checked(database: Database, name: str, password: str, counted: Sequence[Counted]) -> SignIn:
    now = database.clock()
    with database.read() as session:
        for limit, key in counted:
            limit.refuse_if_reached(session, key, now)
        row = session.get(SignIn, name) if _is_storable(name) else None
    kept = row.password_hash if row and row.password_hash != passwords.NONE_FITS else None
    if passwords.fits(kept or passwords.nobodys(), password) and row is not None and kept:
        return row
    database.transact(lambda unit: _note_failure(unit, counted))
    raise NotAuthenticated(_WRONG, reason="unknown")


def _counted(name: str, address: str) -> list[Counted]:
    """Return what a failure counts against; hashed, as somebody may type a password for a name."""
    here = (PER_NAME, token_hash(f"{name}\n{address}"))
    return [here, (ANYWHERE, token_hash(name)), (PER_ADDRESS, address)]


def _is_storable(name: str) -> bool:
    return name.isprintable() and len(name) <= _LONGEST_NAME


def _note_failure(unit: Unit, counted: Iterable[Counted]) -> None:
    for limit, key in counted:
        limit.note(unit, key)


def _renamed(unit: Unit, mine: tuple[str, str], name: str) -> SignIn:
    """Return the person's row under a new name, with the second factor it had."""
    old = of_person(unit.session, *mine)
    row = SignIn(
        name=name,
        authority_id=mine[0],
        person_id=mine[1],
        factor_nonce=old.factor_nonce if old else None,
        factor_at=old.factor_at if old else None,
        factor_step=old.factor_step if old else None,
    )
    if old is not None:
        unit.session.execute(delete(SignIn).where(SignIn.name == old.name))
    unit.session.add(row)
    return row


def _enter(unit: Unit, row: SignIn, kind: str) -> None:
    actor = console_actor(row.authority_id, row.person_id)
    unit.enter(row.authority_id, kind, subject=f"person/{row.person_id}", actor=actor)
