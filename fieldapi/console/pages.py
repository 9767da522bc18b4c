"""Renders pages: one Jinja environment, everything escaped, nothing undefined, every sentence from
the catalogue. Called by the views.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from flask import Response, g, request, url_for
from jinja2 import Environment, PackageLoader, StrictUndefined
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from fieldapi.console import door, maps, nav
from fieldapi.console.assets import asset_url
from fieldapi.console.house import house
from fieldapi.console.linking import linked
from fieldapi.console.words import Words
from fieldapi.domain.access import Principal, may
from fieldapi.locale import LANGUAGE_NAMES
from fieldapi.problems import Problem, TooManyRequests
from fieldapi.queries import cases
from fieldapi.queries.authorities import authority


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads a page, as its head says it."""

    name: str
    authority: str
    roles: frozenset[str]


def words() -> Words:
    """Return how this browser's pages speak."""
    if "words" not in g:
        g.words = Words(door.language(), house().packs)
    found: Words = g.words
    return found


def reader(session: Session, principal: Principal) -> Reader:
    """Return who is signed in, for the head of the page."""
    at = principal.authority_id
    name = cases.names(session, at, [principal.person_id]).get(principal.person_id, "")
    return Reader(name, authority(session, at).name, principal.roles)


def page(template: str, *, status: int = 200, **context: object) -> Response:
    """Return a page. What was done just before is told on it, once."""
    shown = {"reader": None, "note": door.take_note(), **_around(), **context}
    html = _environment().get_template(template).render(shown)
    return Response(html, status, content_type="text/html; charset=utf-8")


def error_html(problem: Problem, instance: str) -> str:
    """Return the page that says what went wrong and what can be done, framed for its reader."""
    head = _reader_in_need(problem)
    shown = {
        "problem": problem,
        "instance": instance,
        "reader": head,
        "home": nav.HOME if head is None else nav.home(door.principal()),
        "note": None,
        **_around(),
    }
    return _environment().get_template("error.html").render(shown)


def _reader_in_need(problem: Problem) -> Reader | None:
    """Return who is signed in; None where that cannot be asked, or asking would add to the load."""
    if problem.status >= Problem.status or problem.status == TooManyRequests.status:
        return None
    with suppress(SQLAlchemyError):
        door.recognise()
        if door.is_signed_in():
            with house().database.read() as database:
                return reader(database, door.principal())
    return None


def _around() -> dict[str, object]:
    """Return what every page may use."""
    speech = words()
    return {
        "_": speech.gettext,
        "ngettext": speech.ngettext,
        "w": speech,
        "languages": LANGUAGE_NAMES,
        "here": request.full_path.rstrip("?") if request.method == "GET" else door.HOME,
        "csrf_token": door.form_secret,
        "may": lambda action: door.is_signed_in() and may(door.principal(), action),
        "is_signed_in": door.is_signed_in(),
        "nav": lambda: list(nav.links(door.principal())),
    }


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("fieldapi.console"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "asset": asset_url,
        "url": url_for,
        "linked": linked,
        "numbers": maps.numbers,
    }
    return environment
