"""Reads a table that was pasted from a spreadsheet or a CSV file. Flask-free."""

from __future__ import annotations

import csv
from collections.abc import Sequence

from fieldapi.domain.words import sentence

MOST_ROWS = 1000
_TOO_MANY = sentence("At most 1000 rows at once.")
_TOO_WIDE = sentence("More columns than there are names for them.")


class BadSheet(ValueError):
    """The table cannot be read; the text is a sentence. `line`: which line, None for the whole."""

    def __init__(self, says: str, line: int | None = None) -> None:
        """Say what is wrong, and where."""
        super().__init__(says)
        self.line = line


def rows(text: str, columns: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    r"""Return the filled rows with the number of their line, by the names of the columns.

    A first line that holds the first name is taken for the heads, in whichever order they stand.
    Columns are parted by tabs, semicolons or commas. Raises `BadSheet`.

    >>> rows("local_name,name\nx,Bedi", ["name", "local_name"])
    [(2, {'local_name': 'x', 'name': 'Bedi'})]
    """
    lines = text.splitlines()
    if len(lines) > MOST_ROWS + 1:
        raise BadSheet(_TOO_MANY)
    first = lines[0] if lines else ""
    mark = next((one for one in "\t;" if one in first), ",")
    read = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=mark)]
    names = [cell.lower() for cell in read[0]] if read else []
    has_heads = columns[0] in names
    used = names if has_heads else list(columns)
    found = []
    for number, row in enumerate(read, 1):
        if not any(row) or (has_heads and number == 1):
            continue
        if len(row) > len(used):
            raise BadSheet(_TOO_WIDE, number)
        found.append((number, dict(zip(used, row, strict=False))))
    return found
