"""The public board of a pound: what it costs, what stands there, notices and sales, the day's head
of the ledger. One page without script, of at most 20 KB; it names no owner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fieldapi.documents.books import Cover
from fieldapi.documents.pages import qr_svg, render
from fieldapi.documents.sheets import Table
from fieldapi.domain.words import sentence

TITLES = (
    sentence("Pound board"),
    sentence("What it costs"),
    sentence("Cattle in the pound"),
    sentence("Head of the ledger on this day"),
    sentence("No scale is in force: nothing may be levied."),
    sentence("No cattle stand in this pound."),
    sentence("SAMPLE: this scale was invented to try things out."),
)


@dataclass(frozen=True, slots=True)
class Board:
    """What the board shows. `head`: the signed head of the ledger as text, for the QR."""

    cover: Cover
    scales: Sequence[Table]
    cattle: Table
    head: str
    day: str
    is_sample: bool


def board_html(board: Board) -> str:
    """Return the board as a page."""
    words = [board.cover.tongue.both(one) for one in TITLES]
    return render(
        "board.html",
        board=board,
        words=words,
        qr=qr_svg(board.head, error="l"),
    )
