"""Signing in to the console, signing out, and the language of this browser."""

from __future__ import annotations

from flask import Response, g, redirect, request, url_for
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import public, takes
from fieldapi.console import door, nav
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, words
from fieldapi.problems import NotAllowed, NotAuthenticated, TooManyRequests
from fieldapi.queries.people import person
from fieldapi.services import sessions, sign_ins
from fieldapi.services.sign_ins import Opened

FORM = "application/x-www-form-urlencoded"


@blp.get("/sign-in")
@public
def sign_in() -> Response:
    """Show the form. `next`: where to go afterwards."""
    wanted = door.inside(g.get("wanted") or request.args.get("next"))
    return _form(wanted, typed=g.get("typed", ""))


@blp.post("/sign-in")
@public
@takes(FORM)
def open_session() -> Response | Redirect:
    """Sign in by name and password."""
    wanted = door.inside(request.form.get("next"))
    tried = door.attempted(request.form.get("name", ""), request.form.get("password", ""))
    is_asked = house().settings.is_https
    try:
        opened = sign_ins.open_session(house().database, tried, is_factor_asked=is_asked)
    except NotAuthenticated:
        return _form(wanted, name=tried.name, fault="wrong", status=401)
    except NotAllowed:
        return _form(wanted, name=tried.name, fault="role", status=403)
    except TooManyRequests as exc:
        minutes = _minutes(exc)
        return _form(wanted, name=tried.name, fault="often", minutes=minutes, status=429)
    door.open_browser(opened.token, language=_language(opened))
    wanted = nav.home(opened.principal) if wanted == door.HOME else wanted
    if opened.is_whole:
        return redirect(wanted, 303)
    step = "console.second" if opened.has_factor else "console.first_factor"
    return redirect(url_for(step, next=wanted), 303)


@blp.post("/sign-out")
@public
@takes(FORM)
def sign_out() -> Redirect:
    """End the session, here and on the server."""
    sessions.close(house().database, door.close_browser())
    door.keep_note("signed-out")
    return redirect("/console/sign-in", 303)


@blp.post("/language")
@public
@takes(FORM)
def language() -> Redirect:
    """Speak another language from now on, on the same page."""
    door.choose_language(request.form.get("language", ""))
    return redirect(door.inside(request.form.get("next")), 303)


def ask_again() -> Response:
    """Ask for the password once more, and keep what the interrupted form said.

    No address leads here: the door shows it in place of the page that was asked for.
    """
    fault = g.get("fault")
    here = request.path if request.method == "POST" else door.HOME
    context = {"action": here, "said": door.said_before(), "fault": fault, "back": door.came_from()}
    return page("prove.html", status=401, **context)


def _form(wanted: str, *, status: int = 200, **shown: object) -> Response:
    """Return the page with the form; the status says why it came back."""
    context = {"name": "", "fault": None, "minutes": 0, "typed": "", **shown}
    return page("sign_in.html", status=status, wanted=wanted, **context)


def _minutes(exc: TooManyRequests) -> int:
    seconds = exc.extensions.get("retry_after")
    return max(1, round(seconds / 60)) if isinstance(seconds, int) else 1


def _language(opened: Opened) -> str:
    """Return the language chosen on the form, else the person's own."""
    if door.has_chosen_language():
        return words().language
    who = opened.principal
    with house().database.read() as database:
        return person(database, who.authority_id, who.person_id).language
