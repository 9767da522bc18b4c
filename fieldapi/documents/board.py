"""The public board of a pound: what it costs, what stands there, notices and sales, the day's head
of the ledger. One page without script, of at most 20 KB; it names no owner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import segno
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from fieldapi.documents.books import Cover
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
    environment = Environment(
        loader=PackageLoader("fieldapi.documents"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    qr = segno.make(board.head, error="l", micro=False).svg_inline(
        border=2, omitsize=True, lineclass=None, svgclass="qr"
    )
    words = [board.cover.tongue.both(one) for one in TITLES]
    return environment.get_template("board.html").render(
        board=board,
        words=words,
        qr=Markup(qr),  # noqa: S704 - drawn here, from squares alone
    )
