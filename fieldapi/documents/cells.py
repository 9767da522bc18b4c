"""Cells of tables that people open in a spreadsheet: none is taken for a formula.

Called by the books of a pound and by exports. Must never import services, queries or SQL.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence

Cell = str | int | float | bool | None

# Also as written full-width or small, which some spreadsheets read alike.
_FORMULA = frozenset("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b")


def plain(cell: str) -> str:
    """Return a cell that no spreadsheet runs.

    >>> plain("=1+1"), plain(" @SUM(A1)"), plain("Bedi"), plain("")
    ("'=1+1", "' @SUM(A1)", 'Bedi', '')
    """
    seen = next((one for one in cell if one.isprintable() and not one.isspace()), "")
    return f"'{cell}" if _FORMULA.intersection((cell[:1], seen)) else cell


def csv_lines(rows: Iterable[Sequence[Cell]]) -> bytes:
    """Return rows as CSV (RFC 4180, UTF-8); numbers stay numbers, text is no formula."""
    out: list[str] = []
    csv.writer(_Lines(out), lineterminator="\r\n").writerows(
        [_cell(one) for one in row] for row in rows
    )
    return "".join(out).encode()


def _cell(value: Cell) -> str | int | float:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return plain(value) if isinstance(value, str) else value


class _Lines:
    """A list that the csv module writes into."""

    def __init__(self, lines: list[str]) -> None:
        self.write = lines.append
