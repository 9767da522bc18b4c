"""A person's own page: the sessions that are open, the password, the second factor."""

from __future__ import annotations

from flask import Response, redirect, request
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader
from fieldapi.console.second import nonce_of_form, offered
from fieldapi.console.sign_in import FORM
from fieldapi.models import SignIn
from fieldapi.problems import InvalidBody, NotFound
from fieldapi.services import second_factors, sessions, sign_ins
from fieldapi.unit import Unit

HERE = "/console/account"


@blp.get("/account")
@session()
def account() -> Response:
    """Show the open sessions and how this person signs in."""
    return _shown()


@blp.post("/account/sessions/<session_id>/end")
@session()
@takes(FORM)
def end_session(session_id: str) -> Redirect:
    """End one of one's own sessions; no password is asked: this only ever takes away."""
    who = door.principal()
    house().database.transact(lambda unit: sessions.close_own(unit, who, session_id))
    door.keep_note("session-ended")
    return redirect(HERE, 303)


@blp.post("/account/password")
@session(is_great=True)
@takes(FORM)
def change_password() -> Response | Redirect:
    """Replace one's own password; every other session ends."""
    first, again = request.form.get("password", ""), request.form.get("again", "")
    who, token = door.principal(), door.token()
    if first != again:
        return _shown(fault="again", status=422)
    try:
        sign_ins.change_password(house().database, who, token=token, password=first)
    except InvalidBody:
        return _shown(fault="weak", status=422)
    door.keep_note("password")
    return redirect(HERE, 303)


@blp.get("/account/factor")
@session()
def factor() -> Response:
    """Show a fresh secret for the authenticator app."""
    with house().database.read() as database:
        row = _row(database)
    return offered(row, action="/console/account/factor", wanted=HERE)


@blp.post("/account/factor")
@session(is_great=True)
@takes(FORM)
def set_factor() -> Response:
    """Set the second factor up, or replace it, and tell the recovery codes."""
    nonce, code = nonce_of_form(), request.form.get("code", "")

    def work(unit: Unit) -> list[str] | None:
        return second_factors.set_up(unit, _row(unit.session), nonce=nonce, code=code)

    codes = house().database.transact(work)
    if codes is not None:
        return page("recovery.html", codes=codes, wanted=HERE)
    with house().database.read() as database:
        row = _row(database)
    return offered(row, action="/console/account/factor", wanted=HERE, nonce=nonce, fault=True)


@blp.post("/account/recovery")
@session(is_great=True)
@takes(FORM)
def renew_recovery() -> Response:
    """Replace the recovery codes. Raises `NotFound` where no second factor is set up."""

    def work(unit: Unit) -> list[str]:
        row = _row(unit.session)
        if row.factor_at is None:
            raise NotFound
        return second_factors.renew_recovery(unit, row)

    return page("recovery.html", codes=house().database.transact(work), wanted=HERE)


def _row(database: Session) -> SignIn:
    who = door.principal()
    row = sign_ins.of_person(database, who.authority_id, who.person_id)
    if row is None:
        raise NotFound
    return row


def _shown(*, fault: str | None = None, status: int = 200) -> Response:
    who, parts = door.principal(), house()
    with parts.database.read() as database:
        row = _row(database)
        listed = sessions.own(database, who, door.token(), parts.database.clock())
        left, head = second_factors.left(database, row), reader(database, who)
    shown = {"sessions": listed, "sign_in": row, "left": left, "reader": head}
    return page("account.html", status=status, fault=fault, **shown)
