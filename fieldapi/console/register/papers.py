"""Official papers in the console: a page for each, drawn for 80 mm and A4, counted when printed."""

from __future__ import annotations

from flask import Response, redirect, request
from werkzeug.wrappers import Response as Redirect

from fieldapi.access import session, takes
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader, words
from fieldapi.console.register.acts import paper_of
from fieldapi.console.sign_in import FORM
from fieldapi.documents import drawing
from fieldapi.documents.papers import sheet_of
from fieldapi.documents.sheets import Sheet
from fieldapi.problems import Conflict, InvalidBody, Unavailable
from fieldapi.queries import papers as queries
from fieldapi.services import prints, serials
from fieldapi.unit import Unit

# Nothing of a paper is from elsewhere, and nothing in it runs.
SANDBOX = "sandbox allow-modals; default-src 'none'; style-src 'unsafe-inline'"


@blp.get("/papers/<document_id>")
@session("document.read")
def paper(document_id: str) -> Response:
    """Show what a paper is, how often it was printed, and in which sizes it can be."""
    return _shown(document_id)


@blp.get("/papers/<document_id>.html")
@session("document.read")
def paper_html(document_id: str) -> Response:
    """Give a paper as a page to print. `size`: a4, 80mm."""
    return sheet_html(_sheet(document_id), size=_size())


@blp.get("/papers/<document_id>.pdf")
@session("document.read")
def paper_pdf(document_id: str) -> Response:
    """Give a paper as PDF. Raises `Unavailable` where its fonts are not installed."""
    try:
        drawn = drawing.pdf(_sheet(document_id), size=_size(), fonts=house().settings.fonts)
    except drawing.FontsMissing as exc:
        raise Unavailable(f"{str(exc).capitalize()}. The same paper is there as .html.") from exc
    response = Response(drawn, content_type="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="{document_id}.pdf"'
    return response


@blp.post("/papers/<document_id>/printed")
@session("document.print")
@takes(FORM)
def paper_printed(document_id: str) -> Redirect:
    """Count a print: from now on the paper comes out as a duplicate."""
    who = door.principal()
    house().database.transact(lambda unit: prints.printed(unit, who, document_id))
    door.keep_note("paper-printed")
    return redirect(f"/console/papers/{document_id}", 303)


@blp.post("/papers/<document_id>/void")
@session("document.print", is_great=True)
@takes(FORM)
def paper_void(document_id: str) -> Response | Redirect:
    """Void a numbered paper that is wrong."""
    who, reason = door.principal(), request.form.get("reason", "").strip()

    def work(unit: Unit) -> object:
        queries.paper(unit.session, who, document_id)
        return serials.void(unit, who, document_id=document_id, reason=reason)

    try:
        house().database.transact(work)
    except InvalidBody:
        return _shown(document_id, fault="reason", status=422)
    except Conflict:
        return _shown(document_id, fault="stale", status=409)
    door.keep_note("paper-void")
    return redirect(f"/console/papers/{document_id}", 303)


def sheet_html(sheet: Sheet, *, size: str = "a4") -> Response:
    """Return the answer that is a sheet as a page to print."""
    response = Response(drawing.html(sheet, size=size), content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = SANDBOX
    return response


def _size() -> str:
    wanted = request.args.get("size", "a4")
    return wanted if wanted in drawing.SIZES else "a4"


def _sheet(document_id: str) -> Sheet:
    parts = house()
    with parts.database.read() as database:
        row = queries.paper(database, door.principal(), document_id)
        drawn = queries.drawn(row, parts.packs, public_url=parts.settings.public_url)
    return sheet_of(drawn)


def _shown(document_id: str, *, fault: str | None = None, status: int = 200) -> Response:
    who = door.principal()
    with house().database.read() as database:
        view = queries.view(queries.paper(database, who, document_id))
        head = reader(database, who)
    link = paper_of(view, words())
    return page(
        "register/paper.html", status=status, reader=head, paper=view, link=link, fault=fault
    )
