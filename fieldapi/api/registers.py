"""The books of a pound over REST, as HTML and CSV: fees, register, daily statement, refunds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from flask import Response, make_response
from sqlalchemy.orm import Session

from fieldapi.access import needs
from fieldapi.api.blueprint import blueprint
from fieldapi.api.board import cover_of, scale_of
from fieldapi.api.documents import page_of
from fieldapi.api.house import house
from fieldapi.api.schemas.register import BookQuerySchema
from fieldapi.api.turns import reading
from fieldapi.clock import INDIA
from fieldapi.documents import books
from fieldapi.documents.books import Cover
from fieldapi.documents.sheets import Sheet, Table, rupees
from fieldapi.domain.access import Principal, keeps, sees_all
from fieldapi.domain.words import sentence
from fieldapi.problems import NotFound
from fieldapi.queries import registers
from fieldapi.queries.registers import Day, Stall

blp = blueprint("books", "/api/v1/pounds/<pound_id>/books", "The books of a pound")
Span = tuple[date, date]


@blp.get("/<name>.html")
@needs("register.read")
@blp.arguments(BookQuerySchema, location="query")
@blp.response(200)
def page(query: Mapping[str, Any], pound_id: str, name: str) -> Response:
    """Give a book to print: `fee-list`, `register`, `daily-statement`, `refunds`."""
    return page_of(_sheet(pound_id, name, query))


@blp.get("/<name>.csv")
@needs("register.read")
@blp.arguments(BookQuerySchema, location="query")
@blp.response(200)
def table(query: Mapping[str, Any], pound_id: str, name: str) -> Response:
    """Give the rows of a book as CSV."""
    response = make_response(books.csv_of(_sheet(pound_id, name, query)))
    response.headers["Content-Type"] = "text/csv; charset=utf-8"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def _sheet(pound_id: str, name: str, query: Mapping[str, Any]) -> Sheet:
    make = _BOOKS.get(name)
    if make is None:
        raise NotFound("There is no such book.")
    today = house().database.clock().astimezone(INDIA).date()
    until = query["until"] or query["day"] or today
    span = (query["since"] or query["day"] or until, until)

    def read(session: Session, who: Principal) -> Sheet:
        at = registers.stall(session, pound_id, authority_id=who.authority_id)
        if not (sees_all(who) or keeps(who, pound_id)):
            raise NotFound("There is no such pound.")
        return make(session, at, span)

    return reading(read)


def _fees(session: Session, at: Stall, span: Span) -> Sheet:
    found = registers.scales(session, at, on=span[1])
    return books.fee_list(cover_of(at), [scale_of(one) for one in found])


def _register(session: Session, at: Stall, span: Span) -> Sheet:
    cover = cover_of(at)
    both = cover.tongue.both
    columns = (
        sentence("No."),
        sentence("Brought to the pound on"),
        sentence("Cattle"),
        sentence("Report no."),
        sentence("Seizer"),
        sentence("Owner"),
        sentence("What became of them"),
    )
    rows = [
        [
            one.serial,
            f"{one.came_at.astimezone(INDIA):%d/%m/%Y %H:%M}",
            cover.counted(one.animals),
            one.reference,
            one.seizer,
            ", ".join(one.owners),
            ", ".join(f"{became.replace('_', ' ')}: {n}" for became, n in one.became.items()),
        ]
        for one in registers.register(session, at, since=span[0], until=span[1])
    ]
    table = Table([both(one) for one in columns], rows)
    facts = [(sentence("Days"), _days(span))]
    return cover.sheet(sentence("Pound register"), facts=facts, tables=[table])


def _statement(session: Session, at: Stall, span: Span) -> Sheet:
    cover, found = cover_of(at), registers.day(session, at, on=span[1])
    facts = [(sentence("Day"), f"{found.day:%d/%m/%Y}")]
    tables = [_cattle(cover, found), _money(cover, found)]
    return cover.sheet(sentence("Daily statement"), facts=facts, tables=tables)


def _cattle(cover: Cover, found: Day) -> Table:
    both = cover.tongue.both
    columns = (
        sentence("Kind"),
        sentence("In the morning"),
        sentence("Came"),
        sentence("Left"),
        sentence("In the evening"),
    )
    left: dict[str, int] = {}
    for (kind, _), n in found.left.items():
        left[kind] = left.get(kind, 0) + n
    kinds = sorted({*found.before, *found.came, *left, *found.after})
    rows = [
        [
            cover.kind(kind),
            *(str(counts.get(kind, 0)) for counts in (found.before, found.came, left, found.after)),
        ]
        for kind in kinds
    ]
    return Table([both(one) for one in columns], rows, numeric=(1, 2, 3, 4))


def _money(cover: Cover, found: Day) -> Table:
    both = cover.tongue.both
    columns = [both(one) for one in (sentence("For"), sentence("To"), sentence("Amount"))]
    came = both(sentence("Received"))
    rows = [[line, came, rupees(paise)] for line, paise in sorted(found.received.items())]
    rows += [
        [line, account.replace("_", " "), rupees(-paise)]
        for (line, account), paise in sorted(found.spent.items())
    ]
    total = sum(found.received.values()) - sum(found.spent.values())
    rows.append([both(sentence("Held more than before")), "", rupees(total)])
    return Table(columns, rows, numeric=(2,), is_last_row_sum=True)


def _refunds(session: Session, at: Stall, span: Span) -> Sheet:
    cover = cover_of(at)
    columns = (sentence("Day"), sentence("Depositor"), sentence("Amount"), sentence("Signature"))
    rows = [
        [one["at"][:10], one["party"], rupees(one["paise"]), ""]
        for one in registers.refunds(session, at, since=span[0], until=span[1])
    ]
    table = Table([cover.tongue.both(one) for one in columns], rows, numeric=(2,))
    facts = [(sentence("Days"), _days(span))]
    return cover.sheet(sentence("Register of refunds"), facts=facts, tables=[table])


def _days(span: Span) -> str:
    return f"{span[0]:%d/%m/%Y} – {span[1]:%d/%m/%Y}"


_BOOKS: Mapping[str, Callable[[Session, Stall, Span], Sheet]] = {
    "fee-list": _fees,
    "register": _register,
    "daily-statement": _statement,
    "refunds": _refunds,
}
