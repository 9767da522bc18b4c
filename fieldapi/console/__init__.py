"""The console of the panchayat: server-rendered pages, each of which works without any script.

Parses forms, calls services and queries, renders. One file per page or noun; what a page shows is
made by Flask-free builders (`case`, `integrity`, `timeline` …) and said by `words`.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask, Response, request
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import Access
from fieldapi.console import (
    account,
    assets,
    bulk,
    bundles,
    cases,
    decisions,
    desk,
    door,
    exports,
    ground,
    guide,
    inbox,
    pages,
    phones,
    photos,
    second,
    sign_in,
    twins,
    views,
    waiting,
)
from fieldapi.console.admin import cards, people, places, scales, statute, villages
from fieldapi.console.admin import home as admin_home
from fieldapi.console.blueprint import blp
from fieldapi.console.complaints import views as complaint_views
from fieldapi.console.register import books, home, owed, papers, receive, remittances, slips
from fieldapi.console.register import views as act_views
from fieldapi.problems import Problem
from fieldapi.settings import Settings

__all__ = ["error_page", "install"]

VIEWS = (
    account,
    assets,
    bulk,
    bundles,
    cases,
    complaint_views,
    decisions,
    desk,
    exports,
    ground,
    guide,
    inbox,
    phones,
    photos,
    second,
    sign_in,
    twins,
    views,
    waiting,
)
ADMIN_VIEWS = (admin_home, cards, people, places, scales, statute, villages)
REGISTER_VIEWS = (books, home, owed, papers, receive, remittances, slips, act_views)
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src {images}; "
    "object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)


def install(app: Flask, settings: Settings) -> Callable[[Access], Redirect | None]:
    """Open the console in `app`; returns its door, to be asked before every page."""
    door.configure(app, settings)
    app.register_blueprint(blp)
    app.view_functions["console.ask_again"] = sign_in.ask_again
    app.after_request(_guard_for(settings.tiles_origin))
    return door.admit


def error_page(problem: Problem, instance: str) -> str | None:
    """Return the console's page for a failure; None for pages of other doors."""
    return pages.error_html(problem, instance) if _is_console(request.path) else None


def _is_console(path: str) -> bool:
    return path.startswith("/console/") or path == "/console"


def _guard_for(tiles: str | None) -> Callable[[Response], Response]:
    """Return what puts the policies on pages; `tiles`: whence a map may load its ground."""
    policy = POLICY.format(images=" ".join(filter(None, ("'self'", "data:", tiles))))

    def guard(response: Response) -> Response:
        """Put the policies of the console on its pages, those of failures included."""
        if _is_console(request.path) and response.mimetype == "text/html":
            # A paper to print brings a policy of its own, which lets even less happen.
            response.headers.setdefault("Content-Security-Policy", policy)
            # Forms say where they come from, to this server alone.
            response.headers["Referrer-Policy"] = "same-origin"
        return response

    return guard
