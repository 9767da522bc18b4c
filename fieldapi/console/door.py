"""The door of the console: whose browser this is, in which language, and that forms are its own.

One cookie, signed by the app, holds the token of the server-side session (`sign_ins`), the secret
of the forms and the language. Everything it opens is checked again on every request.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import cast
from urllib.parse import urlsplit

import structlog
from flask import Flask, current_app, g, redirect, request, session, url_for
from flask_wtf.csrf import generate_csrf, validate_csrf
from werkzeug.wrappers import Response
from wtforms.validators import ValidationError

from fieldapi.access import Access
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.locale import LANGUAGES, asked
from fieldapi.problems import BadRequest, NotAuthenticated, TooManyRequests
from fieldapi.services import authorise, sessions, sign_ins
from fieldapi.services.authorise import Principal
from fieldapi.services.sign_ins import Attempted
from fieldapi.settings import Settings

HOME = "/console/"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_TOKEN, _LANGUAGE = "token", "language"
_PROOF, _CAME_FROM = "proof_password", "proof_came_from"
_AGENTS = ("Edg/", "Firefox/", "Chrome/", "Safari/")
_SYSTEMS = ("Android", "iPhone", "Windows", "Macintosh", "Linux")


def configure(app: Flask, settings: Settings) -> None:
    """Say how the cookie is kept: from scripts, from other sites, and from http where https is."""
    app.config.update(
        SESSION_COOKIE_NAME="__Host-console" if settings.is_https else "console",
        SESSION_COOKIE_SECURE=settings.is_https,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_PATH="/",
        # A form lasts as long as the session: nobody loses a text to a clock of the form.
        WTF_CSRF_TIME_LIMIT=None,
    )


def admit(access: Access) -> Response | None:
    """Let a request for a page in, answer with the sign-in page, or raise `BadRequest` for a form
    of elsewhere, `NotAllowed` for a role.
    """
    require_own_form()
    try:
        g.principal = who = sessions.verify(house().database, token())
    except NotAuthenticated:
        return _to_sign_in()
    structlog.contextvars.bind_contextvars(
        authority_id=who.authority_id, person_id=who.person_id, device_id=None
    )
    if access.action is not None:
        authorise.require(who, access.action)
    return _asked_again(who) if access.is_great else None


def _asked_again(who: Principal) -> Response | None:
    """Let go on whoever gave the password lately or gives it with this form; else ask for it, and
    bring along what the form said.
    """
    if is_proved():
        return None
    fault, given = None, request.form.get(_PROOF)
    if given is not None:
        try:
            tried = attempted("", given)
            session[_TOKEN] = sign_ins.prove(house().database, who, token=token(), tried=tried)
            return None
        except NotAuthenticated:
            fault = "wrong"
        except TooManyRequests:
            fault = "often"
    g.fault = fault
    view = cast("Callable[[], Response]", current_app.view_functions["console.ask_again"])
    return view()


def is_proved() -> bool:
    """Say whether the password was given in this browser lately."""
    return sessions.is_proved(house().database, token())


def said_before() -> list[tuple[str, str]]:
    """Return what the form that was interrupted said, to be sent again beside the password."""
    mine = {"csrf_token", _PROOF, _CAME_FROM}
    return [(name, text) for name, text in request.form.items(multi=True) if name not in mine]


def came_from() -> str:
    """Return the page of the console on which the form stood that was interrupted."""
    link = urlsplit(request.referrer or "")
    return inside(request.form.get(_CAME_FROM) or f"{link.path}?{link.query}".rstrip("?"))


def attempted(name: str, password: str) -> Attempted:
    """Return a try to sign in from this browser."""
    return Attempted(name, password, request.remote_addr or "unknown", language(), agent())


def agent() -> str:
    """Return which kind of browser this is, as far as it says: `Firefox, Linux`."""
    said = request.headers.get("User-Agent", "")
    names = (next((one for one in known if one in said), "") for known in (_AGENTS, _SYSTEMS))
    return ", ".join(one.rstrip("/").replace("Edg", "Edge") for one in names if one)


def token() -> str:
    """Return the token of this browser's session; empty if it has none."""
    return str(session.get(_TOKEN, ""))


@blp.before_request
def require_own_form() -> None:
    """Raise `BadRequest` unless a page of ours made this form, for this browser."""
    if request.method in _SAFE:
        return
    origin = request.headers.get("Origin")
    ours = {request.host, urlsplit(house().settings.public_url).netloc}
    if origin is not None and urlsplit(origin).netloc not in ours:
        raise BadRequest("This form was sent from another site.")
    try:
        validate_csrf(request.form.get("csrf_token"))
    except ValidationError as exc:
        raise BadRequest("This form is too old: load the page again.") from exc
    if any("\0" in text for pair in request.form.items(multi=True) for text in pair):
        raise BadRequest("A form has no NUL in it.")


def _to_sign_in() -> Response:
    """Send to the sign-in page and back here; what was typed is shown there, to be copied."""
    if request.method in _SAFE:
        return redirect(url_for("console.sign_in", next=request.full_path.rstrip("?")), 303)
    g.typed, g.wanted = request.form.get("reason", ""), urlsplit(request.referrer or "").path
    view = cast("Callable[[], Response]", current_app.view_functions["console.sign_in"])
    answer = view()
    answer.status_code = 401
    return answer


def principal() -> Principal:
    """Return who is signed in. Raises `NotAuthenticated` on a page that lets anybody in."""
    found: Principal | None = g.get("principal")
    if found is None:
        raise NotAuthenticated
    return found


def recognise() -> None:
    """Find out who is signed in where no door was passed: a page that is not there has none."""
    if not is_signed_in() and token():
        with suppress(NotAuthenticated):
            g.principal = sessions.verify(house().database, token())


def is_signed_in() -> bool:
    """Say whether this request was let in as somebody."""
    return "principal" in g


def open_browser(opened: str, *, language: str) -> None:
    """Sign this browser in: a fresh cookie, so that nothing from before is worth anything."""
    session.clear()
    session[_TOKEN], session[_LANGUAGE] = opened, language


def close_browser() -> str:
    """Sign this browser out, keeping its language; returns the token that is to be ended."""
    ended, spoken = token(), language()
    session.clear()
    session[_LANGUAGE] = spoken
    return ended


def form_secret() -> str:
    """Return the hidden value that every form of a page carries."""
    secret: str = generate_csrf()
    return secret


def language() -> str:
    """Return the language of this browser: the chosen one, else the first it asks for."""
    chosen = session.get(_LANGUAGE)
    if chosen in LANGUAGES:
        return str(chosen)
    return asked(request.accept_languages)


def has_chosen_language() -> bool:
    """Say whether somebody chose the language here."""
    return session.get(_LANGUAGE) in LANGUAGES


def choose_language(chosen: str) -> None:
    """Remember the language. An unknown one changes nothing."""
    if chosen in LANGUAGES:
        session[_LANGUAGE] = chosen


def inside(target: str | None) -> str:
    """Return `target` if it is a page of the console, else the first page: links lead nowhere else.

    >>> inside("/console/cases/7?photo=2"), inside("//evil.example/console/"), inside(None)
    ('/console/cases/7?photo=2', '/console/', '/console/')
    """
    if not target or not target.isprintable() or "\\" in target or ".." in target:
        return HOME
    parts = urlsplit(target)
    is_ours = not parts.scheme and not parts.netloc and parts.path.startswith(HOME)
    return target if is_ours else HOME


def keep_note(note: str) -> None:
    """Keep the code of what was done for the page that comes next."""
    session["note"] = note


def take_note() -> str | None:
    """Return what was done just before, once."""
    note = session.pop("note", None)
    return None if note is None else str(note)
