"""The door of the API: finds who holds the bearer token, and asks whether they may.

It runs before any body is read. Tokens come in the `Authorization` header and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import structlog
from flask import Flask, current_app, g, request
from flask.typing import ResponseReturnValue
from werkzeug.routing import Rule

from fieldapi.access import Access, access_of
from fieldapi.api.house import house
from fieldapi.problems import NotAuthenticated
from fieldapi.services import authorise, devices
from fieldapi.services.attempts import Limit
from fieldapi.services.authorise import PERMISSIONS, Credential, Principal
from fieldapi.unit import Database

View = Callable[..., Any]
# Set by the app: asks for a session, and answers itself where there is none.
SessionDoor = Callable[[Access], ResponseReturnValue | None]
SESSION_DOOR = "fieldapi-session-door"

_MAX_TOKEN = 512
# Failed tries alone, by address: a carrier puts thousands of honest phones behind one.
GUESSES = Limit("token.address", tries=20, window=timedelta(minutes=1))


def principal() -> Principal:
    """Return who is asking. Raises `NotAuthenticated` in a view that let anybody in."""
    found: Principal | None = g.get("principal")
    if found is None:
        raise NotAuthenticated
    return found


def admit() -> ResponseReturnValue | None:
    """Let the request in, or raise `NotAuthenticated` or `NotAllowed`.

    A page has a door of its own: what it returns (a way to sign in) is the answer.
    """
    access = current_access()
    if access is None or access.door == "public":
        return None
    if access.door == "session":
        door: SessionDoor = current_app.extensions[SESSION_DOOR]
        return door(access)
    _admit_token(access)
    return None


def _admit_token(access: Access) -> None:
    credential = _credential(_bearer_token())
    g.principal = who = credential.principal
    structlog.contextvars.bind_contextvars(
        authority_id=who.authority_id, person_id=who.person_id, device_id=who.device_id
    )
    if credential.is_first_use:
        house().database.transact(lambda unit: devices.mark_used(unit, credential))
    if access.action is not None:
        authorise.require(who, access.action)


def current_access() -> Access | None:
    """Return what the view of this request declared; None if no view of ours answers it."""
    if request.url_rule is None:
        return None
    view = view_of(current_app, request.url_rule, request.method)
    return None if view is None else access_of(view)


def view_of(app: Flask, rule: Rule, method: str) -> View | None:
    """Return the function that answers `method`, or None where Flask answers OPTIONS itself."""
    if method == "OPTIONS" and getattr(rule, "provide_automatic_options", False):
        return None
    view: View = app.view_functions[rule.endpoint]
    owner = getattr(view, "view_class", None)
    if owner is None:
        return view
    name = "get" if method == "HEAD" and not hasattr(owner, "head") else method.lower()
    found: View | None = getattr(owner, name, None)
    return found


def routes(app: Flask) -> Iterator[tuple[str, str, Access]]:
    """Yield method, rule and declared access of everything that a view of ours answers."""
    for rule in app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) - {"HEAD"}):
            view = view_of(app, rule, method)
            if view is not None:
                yield method, rule.rule, access_of(view)


def require_declared(app: Flask) -> None:
    """Raise `RuntimeError` naming the routes that do not say who may come in, or say nonsense."""
    faulty = [f"{method} {rule}" for method, rule, access in routes(app) if not _holds(app, access)]
    if faulty:
        raise RuntimeError(f"these routes do not say who may come in: {', '.join(faulty)}")


def _holds(app: Flask, access: Access) -> bool:
    is_known = access.action is None or access.action in PERMISSIONS
    has_door = access.door != "session" or SESSION_DOOR in app.extensions
    return access.door is not None and is_known and has_door


def _bearer_token() -> str:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token or len(token) > _MAX_TOKEN or not token.isascii():
        raise NotAuthenticated("Send the device's token as `Authorization: Bearer …`.")
    return token


def _credential(token: str) -> Credential:
    """Return the credential of a token. Raises `NotAuthenticated`, and `TooManyRequests` at an
    address from which tokens that never were keep coming. A good token is never slowed.
    """
    database = house().database
    try:
        return authorise.credential_of_token(database, token, database.clock())
    except NotAuthenticated as exc:
        if exc.extensions.get("reason") == "unknown":
            _note_guess(database, request.remote_addr or "unknown")
        raise


def _note_guess(database: Database, address: str) -> None:
    with database.read() as session:
        GUESSES.refuse_if_reached(session, address, database.clock())
    database.transact(lambda unit: GUESSES.note(unit, address))
