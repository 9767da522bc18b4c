"""Reads CSV files that people make in a spreadsheet: a header with named columns, in any order.

All or nothing: every fault is told with its line, and then nothing is imported.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO, TypeVar

from fieldapi.problems import InvalidBody
from fieldapi.services.imports import Imported

T = TypeVar("T")
Row = Mapping[str, str]

_MOST_BYTES = 20_000_000
_MOST_FAULTS = 20


def read_table(
    file: BinaryIO,
    columns: Mapping[str, bool],
    *,
    make: Callable[[Row], T],
    name_of: Callable[[Row], str] = lambda row: row["name"],
) -> list[T]:
    """Return what `make` makes of each row. Raises `InvalidBody` naming lines.

    `columns`: name → whether every row needs it. `name_of`: what a row is known by; two rows may
    not share it. Empty lines and spaces around values are passed over.
    """
    faults: dict[str, list[str]] = {}
    made: list[T] = []
    seen: dict[str, int] = {}
    for line, header, cells in _lines(file, columns):
        try:
            row = _row(header, cells)
            _check_cells(row, columns)
            _check_unique(name_of(row), line, seen=seen)
            made.append(make(row))
        except InvalidBody as exc:
            faults[f"line {line}"] = [f"{name}: {said[0]}" for name, said in exc.errors.items()]
    if faults:
        raise _faulty(faults)
    return made


def number(row: Row, name: str) -> float | None:
    """Return the number in a cell, None in an empty one. Raises `InvalidBody`."""
    text = row.get(name, "")
    if not text:
        return None
    try:
        return float(text)
    except ValueError as exc:
        raise InvalidBody(errors={name: [f"{text!r} is not a number."]}) from exc


def told(noun: str, came: Imported) -> str:
    """Return what an import came to, in words."""
    return f"{noun}: {came.added} added, {came.changed} changed, {came.unchanged} known already."


def _lines(
    file: BinaryIO, columns: Mapping[str, bool]
) -> Iterator[tuple[int, list[str], list[str]]]:
    """Yield line number, header and cells of every line that is not empty."""
    reader = csv.reader(io.StringIO(_text(file), newline=""), strict=True)
    try:
        header = [name.strip().lower() for name in next(reader, [])]
        _check_header(header, columns)
        for cells in reader:
            values = [cell.strip() for cell in cells]
            if any(values):
                yield reader.line_num, header, values
    except csv.Error as exc:
        raise _faulty({f"line {reader.line_num}": [f"{exc}."]}) from exc


def _row(header: list[str], cells: list[str]) -> dict[str, str]:
    if len(cells) > len(header):
        raise InvalidBody(errors={"cells": ["There are more than the header has columns."]})
    return dict(zip(header, [*cells, *[""] * (len(header) - len(cells))], strict=True))


def _text(file: BinaryIO) -> str:
    raw = file.read(_MOST_BYTES + 1)
    if len(raw) > _MOST_BYTES:
        raise InvalidBody(f"The file is larger than {_MOST_BYTES} bytes: split it.")
    try:
        return unicodedata.normalize("NFC", raw.decode("utf-8-sig"))
    except UnicodeDecodeError as exc:
        line = raw.count(b"\n", 0, exc.start) + 1
        raise InvalidBody(f"Line {line} is not UTF-8: save the file as `CSV UTF-8`.") from exc


def _check_header(header: list[str], columns: Mapping[str, bool]) -> None:
    missing = [name for name, is_needed in columns.items() if is_needed and name not in header]
    unknown = sorted(set(header) - set(columns))
    if missing or unknown or len(set(header)) != len(header):
        wrong = missing or unknown or ["a column is there twice"]
        what = "is missing" if missing else "is not known" if unknown else ""
        raise InvalidBody(
            f"Line 1: {', '.join(map(repr, wrong))} {what}. Columns: {', '.join(columns)}."
        )


def _check_cells(row: Row, columns: Mapping[str, bool]) -> None:
    empty = [name for name, is_needed in columns.items() if is_needed and not row[name]]
    if empty:
        raise InvalidBody(errors={name: ["This must not be empty."] for name in empty})


def _check_unique(name: str, line: int, *, seen: dict[str, int]) -> None:
    first = seen.setdefault(name, line)
    if name and first != line:
        raise InvalidBody(errors={"name": [f"{name!r} stands in line {first} already."]})


def _faulty(faults: Mapping[str, list[str]]) -> InvalidBody:
    shown = [f"{line}: {'; '.join(said)}" for line, said in list(faults.items())[:_MOST_FAULTS]]
    more = len(faults) - len(shown)
    tail = [f"… and {more} more"] if more > 0 else []
    return InvalidBody("\n  ".join(["Nothing was imported.", *shown, *tail]), errors=faults)
