"""Measurements are compared by their ratio: a fifth worse is an alarm, a slower machine is none."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench import book, hearing, raw, rows, sizing
from tests.bench.book import NUMBERS, Found
from tests.support.tree import ROOT


@pytest.fixture
def committed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Commit one row with the ratio 2; return its name."""
    name = rows.ROWS[0].name
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
    other = rows.ROWS[1].name
    assert book._compare({other: Found(1.0, 9.0)}) == 0  # noqa: SLF001
    assert f"nothing is committed to compare with: {other}" in capsys.readouterr().out


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """Let one script alone answer, with this ratio; the row's name is `committed`'s."""
    said = {"push_ops_per_s": 1000.0, "raw_rows_per_s": 2000.0}
    row = replace(rows.ROWS[0], read=lambda one, _: (1.0, one["raw_rows_per_s"] / 1000))
    monkeypatch.setattr(book, "ROWS", (row,))
    monkeypatch.setattr(book, "SCRIPTS", {"push": rows.SCRIPTS["push"]})
    monkeypatch.setattr(raw, "measure", lambda: None)
    monkeypatch.setattr(hearing, "told", lambda _name, **_: said)
    return said


@pytest.mark.parametrize("rows_per_s, code", [(2300.0, 0), (2500.0, 1)])
def test_regression_by_a_fifth_leaves_with_1(
    committed: str, told: dict[str, float], rows_per_s: float, code: int
) -> None:
    told["raw_rows_per_s"] = rows_per_s

    assert book.main(["--check"]) == code


def test_script_that_fails_is_named_and_leaves_with_1(
    committed: str, told: dict[str, float], capsys: pytest.CaptureFixture[str]
) -> None:
    del told["raw_rows_per_s"]

    assert book.main(["--check"]) == 1
    assert f"not measured: {committed}: KeyError" in capsys.readouterr().out


def test_row_that_fails_loses_no_other_of_its_script(
    committed: str,
    told: dict[str, float],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    faulty = replace(rows.ROWS[0], name="faulty", read=lambda one, _: one["absent"])
    monkeypatch.setattr(book, "ROWS", (faulty, *rows.ROWS))
    told["raw_rows_per_s"] = 2500.0

    assert book.main(["--check"]) == 1
    said = capsys.readouterr().out
    assert "not measured: faulty: KeyError" in said
    assert f"worse by more than 20 %: {committed}" in said


def test_script_for_which_no_time_is_left_is_named_and_leaves_with_1(
    committed: str, told: dict[str, float], capsys: pytest.CaptureFixture[str]
) -> None:
    assert book.main(["--check", "--most", "0"]) == 1
    assert f"not measured: {committed}: no time was left for it" in capsys.readouterr().out


def test_medians_are_written_with_machine_date_and_rounds(
    committed: str, told: dict[str, float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page"
    page.write_text("before\n<!-- rows of ./dev bench -->\nearlier\n<!-- end of rows -->\nafter\n")
    monkeypatch.setattr(book, "PAGE", page)
    monkeypatch.setattr(book, "SIZES", sizes := tmp_path / "sizes")
    sizes.write_text(f"before\n{sizing.BEGIN}\nearlier\n{sizing.END}\nafter\n")

    assert book.main([]) == 0

    row = json.loads(book.NUMBERS.read_text())["rows"][committed]
    assert (row["value"], row["ratio"], row["rounds"]) == (1.0, 2.0, 3)
    assert "cores of" in row["machine"]
    assert f"| {committed} |" in page.read_text()
    assert row["date"] in page.read_text()
    assert "earlier" not in page.read_text() + sizes.read_text()
    assert "| one panchayat | 1 |" in sizes.read_text()


def test_capacity_of_the_page_is_reckoned_from_the_numbers_beside_it() -> None:
    kept = json.loads(NUMBERS.read_text())["rows"] if NUMBERS.exists() else {}
    page = (ROOT / "docs" / "operations.md").read_text()

    assert sizing.put_into(page, kept) == page


def test_state_is_reckoned_from_what_a_report_costs() -> None:
    told = {sizing.CPU: {"value": 250}, sizing.DECODED: {"value": 50}, sizing.STORED: {"value": 40}}
    text = sizing.text(told)

    # 14,000 / 6 an hour, 0.35 s each; 40 kB and 3.3 MiB on each of 365 days.
    assert "| a state of 14,000 panchayats | 14,000 | 0.23 | 200 GB | 18 TB |" in text
    assert {sizing.CPU, sizing.DECODED, sizing.STORED} <= {row.name for row in rows.ROWS}


def test_every_row_has_a_script_that_is_there() -> None:
    assert {row.script for row in rows.ROWS} == set(rows.SCRIPTS)
    modules = [f"tests.bench.bench_{name.partition(' ')[0]}" for name in rows.SCRIPTS]
    assert [one for one in modules if importlib.util.find_spec(one) is None] == []
