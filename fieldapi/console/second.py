"""The second step of signing in: a code of the authenticator app, or setting the app up first; and
the link by which a password is chosen.

These views let anybody in and look themselves: a half session opens nothing else.
"""

from __future__ import annotations

import re

from flask import Response, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import public, takes
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page
from fieldapi.console.sign_in import FORM
from fieldapi.documents.pages import qr_uri
from fieldapi.models import SignIn
from fieldapi.problems import (
    BadRequest,
    Conflict,
    InvalidBody,
    NotAuthenticated,
    NotFound,
    TooManyRequests,
)
from fieldapi.services import invitations, second_factors, sign_ins

_NONCE = re.compile(r"[A-Za-z0-9_-]{16,64}", re.ASCII)


@blp.get("/second")
@public
def second() -> Response | Redirect:
    """Ask for the code of the second factor."""
    wanted = door.inside(request.args.get("next"))
    try:
        row, _ = sign_ins.half_of(house().database, door.token())
    except NotAuthenticated:
        return _start(wanted)
    if row.factor_at is None:
        return redirect(url_for("console.first_factor", next=wanted), 303)
    return page("second.html", wanted=wanted, fault=None)


@blp.post("/second")
@public
@takes(FORM)
def open_whole() -> Response | Redirect:
    """Sign in whole by the code."""
    wanted = door.inside(request.form.get("next"))
    try:
        opened = sign_ins.open_whole(house().database, door.token(), request.form.get("code", ""))
    except NotAuthenticated as exc:
        if exc.extensions.get("reason") != "code":
            return _start(wanted)
        return page("second.html", status=401, wanted=wanted, fault="wrong")
    except TooManyRequests:
        return page("second.html", status=429, wanted=wanted, fault="often")
    door.open_browser(opened.token, language=door.language())
    return redirect(wanted, 303)


@blp.get("/second/set-up")
@public
def first_factor() -> Response | Redirect:
    """Show the secret for the authenticator app, to whoever has to set it up before going on."""
    wanted = door.inside(request.args.get("next"))
    try:
        row, _ = sign_ins.half_of(house().database, door.token())
    except NotAuthenticated:
        return _start(wanted)
    if row.factor_at is not None:
        return redirect(url_for("console.second", next=wanted), 303)
    return offered(row, action="/console/second/set-up", wanted=wanted)


@blp.post("/second/set-up")
@public
@takes(FORM)
def set_first_factor() -> Response | Redirect:
    """Set the second factor up, and tell the recovery codes."""
    wanted, nonce = door.inside(request.form.get("next")), nonce_of_form()
    database, code = house().database, request.form.get("code", "")
    try:
        opened, codes = sign_ins.set_up_factor(database, door.token(), nonce=nonce, code=code)
    except NotAuthenticated as exc:
        if exc.extensions.get("reason") != "code":
            return _start(wanted)
        row, _ = sign_ins.half_of(database, door.token())
        again = {"action": "/console/second/set-up", "wanted": wanted, "nonce": nonce}
        return offered(row, fault=True, **again)
    door.open_browser(opened.token, language=door.language())
    return page("recovery.html", codes=codes, wanted=wanted)


@blp.get("/welcome/<secret>")
@public
def welcome(secret: str) -> Response:
    """Let whoever holds the link choose a password. Raises `NotFound` once it is used or over."""
    with house().database.read() as session:
        name = invitations.name_on(session, secret, house().database)
    return page("welcome.html", name=name, secret=secret, fault=None)


@blp.post("/welcome/<secret>")
@public
@takes(FORM)
def choose(secret: str) -> Response | Redirect:
    """Keep the password, and go on to sign in with it."""
    first, again = request.form.get("password", ""), request.form.get("again", "")
    database = house().database
    with database.read() as session:
        name = invitations.name_on(session, secret, database)
    shown = {"name": name, "secret": secret}
    if first != again:
        return page("welcome.html", status=422, fault="again", **shown)
    try:
        invitations.redeem(database, secret, first)
    except InvalidBody:
        return page("welcome.html", status=422, fault="weak", **shown)
    except Conflict as exc:
        raise NotFound("This link was used already, or is older than a day.") from exc
    door.keep_note("password")
    return redirect("/console/sign-in", 303)


def offered(
    row: SignIn, *, action: str, wanted: str, nonce: str = "", fault: bool = False
) -> Response:
    """Return the page with the secret, as a picture and as text."""
    made = second_factors.offer(house().keys, row, nonce)
    picture = qr_uri(made.uri, scale=5)
    groups = [made.secret[at : at + 4] for at in range(0, len(made.secret), 4)]
    return page(
        "factor.html",
        status=401 if fault else 200,
        action=action,
        wanted=wanted,
        nonce=made.nonce,
        picture=picture,
        secret=" ".join(groups),
        fault=fault,
    )


def nonce_of_form() -> str:
    """Return the nonce that the page carried. Raises `BadRequest` for any other text."""
    nonce = request.form.get("nonce", "")
    if not _NONCE.fullmatch(nonce):
        raise BadRequest("This form is not one of these pages.")
    return nonce


def _start(wanted: str) -> Redirect:
    return redirect(url_for("console.sign_in", next=wanted), 303)
