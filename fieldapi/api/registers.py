"""The books of a pound over REST, as HTML and CSV: fees, register, daily statement, refunds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, make_response

from fieldapi.access import needs
from fieldapi.api.blueprint import blueprint
from fieldapi.api.documents import page_of
from fieldapi.api.house import house
from fieldapi.api.schemas.register import BookQuerySchema
from fieldapi.api.turns import reading
from fieldapi.clock import INDIA
from fieldapi.documents import books
from fieldapi.documents.sheets import Sheet
from fieldapi.queries import books as queries

blp = blueprint("books", "/api/v1/pounds/<pound_id>/books", "The books of a pound")


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
    today, packs = house().database.clock().astimezone(INDIA).date(), house().packs
    until = query["until"] or query["day"] or today
    span = (query["since"] or query["day"] or until, until)
    return reading(
        lambda session, who: queries.book(session, who, packs, pound_id, name=name, span=span)
    )
