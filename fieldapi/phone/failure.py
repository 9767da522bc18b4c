"""The page that says what went wrong, for people outside the console: at `/app/`, `/board/`,
`/enrol/` and `/verify`. It has the sheet of the phone app and no script.

Called by `app`.
"""

from __future__ import annotations

from flask import Response, after_this_request, render_template, request

from fieldapi.locale import asked, gettext, translations
from fieldapi.phone import shelf as shelves
from fieldapi.problems import Problem

_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'"
)


def error_page(problem: Problem, instance: str) -> str:
    """Return the page in the language that the browser asks for, with a way on."""
    language = asked(request.accept_languages)
    after_this_request(_let_style_in)
    return render_template(
        "failure.html",
        language=language,
        _=translations(language).gettext,
        title=gettext(problem.title, language),
        detail=gettext(problem.detail, language),
        number=instance,
        start=_start(request.path),
        icon=shelves.shelf().url("icon.svg"),
        sheet=shelves.shelf().url("app.css"),
    )


def _start(path: str) -> str:
    """Return where to go on: at what was begun, so far as it has a first page."""
    for first in ("/app/", "/enrol/", "/verify"):
        if path.startswith(first) or f"{path}/" == first:
            return first
    return "/"


def _let_style_in(response: Response) -> Response:
    response.headers.setdefault("Content-Security-Policy", _POLICY)
    response.vary.add("Accept-Language")
    return response
