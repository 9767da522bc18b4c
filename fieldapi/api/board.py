"""The public board of a pound: a page for everybody, without script and without owners."""

from __future__ import annotations

import json

from flask import Response, make_response
from sqlalchemy.orm import Session

from fieldapi import ledger
from fieldapi.access import public
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.clock import INDIA
from fieldapi.documents.board import Board, board_html
from fieldapi.documents.books import Cover, rates_table
from fieldapi.documents.sheets import Table
from fieldapi.domain.words import sentence
from fieldapi.models import Notification
from fieldapi.queries import papers, registers
from fieldapi.queries.registers import Kept, Stall

blp = blueprint("board", "/board", "The public board of a pound")
_MOST_ROWS = 60
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
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
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["Cache-Control"] = "public, max-age=60"
    return response


def cover_of(at: Stall) -> Cover:
    """Return what stands over a book of a pound: the authority's languages, else the statute's."""
    packs, today = house().packs, house().database.clock().astimezone(INDIA).date()
    profile = packs.profile(at.statute, on=today)
    languages = [one for one in at.languages if one != "en"] or [
        one for one in profile.languages if one != "en"
    ]
    language = languages[0] if languages else "en"
    names = papers.kind_names(packs, language)
    return Cover(at.authority, at.pound, profile.name, language, names)


def scale_of(row: Notification) -> dict[str, object]:
    """Return a scale as the books read it."""
    return {
        "kind": row.kind,
        "number": row.number,
        "area": row.area,
        "is_sample": row.is_sample,
        "rates": json.loads(row.data).get("rates", []),
    }


def _board(session: Session, pound_id: str) -> Board:
    at = registers.stall(session, pound_id)
    today = house().database.clock().astimezone(INDIA)
    cover = cover_of(at)
    scales = registers.scales(session, at, on=today.date())
    head = ledger.head(session, at.authority_id)
    said = f"{at.authority_id} {head.epoch}.{head.size} {head.root.hex()}"
    return Board(
        cover=cover,
        scales=[rates_table(cover, scale_of(one)) for one in scales],
        cattle=_cattle(cover, registers.kept(session, at)[:_MOST_ROWS]),
        head=said,
        day=f"{today:%d/%m/%Y}",
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
            cover.kind(one.kind),
            str(one.head),
            f"{one.came_at.astimezone(INDIA):%d/%m/%Y %H:%M}",
            one.reference,
            _step(cover, one.stands),
        ]
        for one in kept
    ]
    return Table([both(one) for one in columns], rows, numeric=(1,))


def _step(cover: Cover, stands: str) -> str:
    act, _, day = stands.partition(" ")
    return f"{cover.tongue.both(_STEPS[act])} {day}" if act in _STEPS else ""
