"""The books of a pound in the console: to print, and as CSV."""

from __future__ import annotations

from flask import Response, request
from werkzeug.datastructures import MultiDict

from fieldapi.access import session, takes
from fieldapi.clock import INDIA
from fieldapi.console import door
from fieldapi.console.blueprint import blp
from fieldapi.console.house import house
from fieldapi.console.pages import page, reader
from fieldapi.console.register.home import pound_of, span_of
from fieldapi.console.register.papers import sheet_html
from fieldapi.console.sign_in import FORM
from fieldapi.documents import books as drawn
from fieldapi.documents.sheets import Sheet
from fieldapi.domain.words import sentence
from fieldapi.problems import BadRequest, FieldErrors
from fieldapi.queries import books

NAMES = {
    "register": sentence("Pound register"),
    "daily-statement": sentence("Daily statement"),
    "fee-list": sentence("List of fees and charges"),
    "refunds": sentence("Register of refunds"),
}


@blp.get("/pound/<pound_id>/books")
@session("register.read")
def books_of(pound_id: str) -> Response:
    """List the books of a pound, for days that can be chosen."""
    who = door.principal()
    today = house().database.clock().astimezone(INDIA).date()
    with house().database.read() as database:
        at = pound_of(database, who, pound_id)
        head = reader(database, who)
    faults: FieldErrors = {}
    try:
        since, until = span_of(request.args, today)
    except BadRequest as exc:
        since, until, faults = today, today, exc.errors
    return page(
        "register/books.html",
        status=BadRequest.status if faults else 200,
        reader=head,
        pound=at,
        books=NAMES,
        of_a_day=books.OF_A_DAY,
        days={"since": since, "until": until},
        typed=request.args,
        faults=faults,
    )


@blp.get("/pound/<pound_id>/books/<name>.html")
@session("register.read")
def book_html(pound_id: str, name: str) -> Response:
    """Give a book to print."""
    return sheet_html(_sheet(pound_id, name, _span(request.args)))


@blp.post("/pound/<pound_id>/books/<name>.csv")
@session("register.read", is_great=True)
@takes(FORM)
def book_csv(pound_id: str, name: str) -> Response:
    """Give the rows of a book as CSV. The file is named after its days."""
    span = _span(request.form)
    sheet = _sheet(pound_id, name, span)
    days = span[1:] if name in books.OF_A_DAY else span
    file = "_".join([name, *dict.fromkeys(str(day) for day in days)])
    response = Response(drawn.csv_of(sheet), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{file}.csv"'
    return response


def _span(said: MultiDict[str, str]) -> books.Span:
    """Return the days of the address or of the form. Raises `BadRequest`."""
    return span_of(said, house().database.clock().astimezone(INDIA).date())


def _sheet(pound_id: str, name: str, span: books.Span) -> Sheet:
    with house().database.read() as database:
        return books.book(database, door.principal(), house().packs, pound_id, name=name, span=span)
