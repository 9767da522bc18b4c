"""Measurements are compared by their ratio: a fifth worse is an alarm, a slower machine is none."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from tests.bench import book
from tests.bench.book import Found


@pytest.fixture
def committed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Commit one row with the ratio 2; return its name."""
    name = book.ROWS[0].name
    numbers = tmp_path / "benchmarks.json"
    numbers.write_text(json.dumps({"rows": {name: {"value": 1912, "ratio": 2.0}}}))
    monkeypatch.setattr(book, "NUMBERS", numbers)
    return name


@pytest.mark.parametrize("ratio, code", [(1.5, 0), (2.0, 0), (2.39, 0), (2.41, 1)])
def test_ratio_a_fifth_worse_fails_the_check(committed: str, ratio: float, code: int) -> None:
    assert book._compare({committed: Found(value=1.0, ratio=ratio)}) == code  # noqa: SLF001


def test_row_without_a_committed_ratio_is_told_and_fails_nothing(
    committed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    other = book.ROWS[1].name
    assert book._compare({other: Found(1.0, 9.0)}) == 0  # noqa: SLF001
    assert f"nothing is committed to compare with: {other}" in capsys.readouterr().out


def test_every_row_has_a_script_that_is_there() -> None:
    assert {row.script for row in book.ROWS} == set(book.SCRIPTS)
    modules = [f"tests.bench.bench_{name.partition(' ')[0]}" for name in book.SCRIPTS]
    assert [one for one in modules if importlib.util.find_spec(one) is None] == []
