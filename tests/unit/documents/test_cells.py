"""Cells that no spreadsheet takes for a formula, and numbers that stay numbers."""

from __future__ import annotations

import itertools

import pytest

from fieldapi.documents.cells import csv_lines, plain

_SIGNS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\ufe62", "\ufe6b")
_BEFORE = ("", " ", "\u00a0", "\u200b", "\ufeff", "\u3000", "\u00ad", "\t", "\r", "\n")


@pytest.mark.parametrize("before, sign", [*itertools.product(_BEFORE, _SIGNS)])
def test_no_cell_is_run(before: str, sign: str) -> None:
    cell = f"{before}{sign}cmd|' /C calc'!A0"

    assert plain(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", " ", "Bedi", "\u0a86\u0ab6\u0abe", "9-11", "a=b", "'quoted"])
def test_what_nobody_runs_stays_as_it_is(cell: str) -> None:
    assert plain(cell) == cell


def test_numbers_stay_numbers() -> None:
    assert csv_lines([[-5, 1.5, True, None, "-5"]]) == b"-5,1.5,true,,'-5\r\n"
