"""The public board of a pound: a page for everybody, without script and without owners."""

from __future__ import annotations

from flask import Response, make_response
from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.access import public
from fieldapi.api.blueprint import blueprint
from fieldapi.api.headers import sheet_source
from fieldapi.api.house import house
from fieldapi.clock import INDIA
from fieldapi.documents import saying
from fieldapi.documents.board import Board, board_html
from fieldapi.documents.books import Cover, opening, rates_table
from fieldapi.documents.sheets import Table
from fieldapi.domain.words import sentence
from fieldapi.queries import registers
from fieldapi.queries.books import cover_of, scale_of
from fieldapi.queries.registers import Kept

blp = blueprint("board", "/board", "The public board of a pound")
_MOST_ROWS = 60
_POLICY = (
    "default-src 'none'; style-src {sheet}; img-src data:; form-action 'none';"
    " frame-ancestors 'none'; base-uri 'none'"
)
_STEPS = {
    "post_notice": sentence("Notice given on"),
    "order_sale": sentence("To be sold, ordered on"),
    "hold_auction": sentence("Auction on"),
}


@blp.get("/<pound_id>")
@public
@blp.response(200)
def board(pound_id: str) -> Response:
    """Show what a pound charges, what stands in it, and the ledger's head of the day."""
    with house().database.read() as session:
        page = board_html(_board(session, pound_id))
    response = make_response(page)
    response.headers["Content-Type"] = "text/html; charset=utf-8"
    response.headers["Content-Security-Policy"] = _POLICY.format(sheet=sheet_source(page))
    response.headers["Cache-Control"] = "public, max-age=60"
    return response


def _board(session: Session, pound_id: str) -> Board:
    at = registers.stall(session, pound_id)
    today = house().database.clock().astimezone(INDIA).date()
    cover = cover_of(at, house().packs, today)
    scales = registers.scales(session, at, on=today)
    head = ledger.head(session, at.authority_id)
    said = f"{at.authority_id} {head.epoch}.{head.size} {head.root.hex()}"
    return Board(
        cover=cover,
        scales=[rates_table(cover, scale_of(one)) for one in scales],
        cattle=_cattle(cover, registers.kept(session, at)[:_MOST_ROWS]),
        head=said,
        day=saying.day(today),
        is_sample=any(one.is_sample for one in scales),
    )


def _cattle(cover: Cover, kept: list[Kept]) -> Table:
    both = cover.tongue.both
    columns = (
        sentence("Kind"),
        sentence("Heads"),
        sentence("In the pound since"),
        sentence("Report no."),
        sentence("Notices and sales"),
    )
    rows = [
        [
            opening(cover.kind(one.kind)),
            str(one.head),
            saying.day_of(one.came_at),
            one.reference,
            _step(cover, one.stands),
        ]
        for one in kept
    ]
    return Table([both(one) for one in columns], rows, numeric=(1,))


def _step(cover: Cover, stands: str) -> str:
    act, _, day = stands.partition(" ")
    return f"{cover.tongue.both(_STEPS[act])} {day}" if act in _STEPS else ""
