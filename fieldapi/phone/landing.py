"""`/enrol/{code}`: the page that a card's QR opens in the phone's browser.

It hands the code to the app behind a `#`, where no server and no log sees it again. Whether the
code is good is asked once, by the app: a page that told would help whoever guesses.
"""

from __future__ import annotations

from flask import Response, redirect, render_template, request
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import public
from fieldapi.locale import asked, translations
from fieldapi.phone import shelf as shelves
from fieldapi.phone.blueprint import blp
from fieldapi.services import codes


@blp.get("/enrol/")
@public
def typed() -> Redirect:
    """Send whoever wants to type a code to the app's own page for it."""
    return redirect("/app/#/enrol")


@blp.get("/enrol/<code>")
@public
def enrol(code: str) -> Response:
    """Show one button: go on in the app."""
    language = asked(request.accept_languages)
    tidy = codes.normalise(code)
    is_whole = codes.is_well_typed(tidy)
    html = render_template(
        "enrol.html",
        language=language,
        _=translations(language).gettext,
        code=tidy if is_whole else "",
        printed=codes.printed(tidy) if is_whole else "",
        icon=shelves.shelf().url("icon.svg"),
        sheet=shelves.shelf().url("app.css"),
    )
    return Response(html)
