"""The verdict of ./dev test: what failed and what was left out are both said."""

from __future__ import annotations

import sys

import pytest

from tools.parts import Report


def _ran(*codes: int) -> Report:
    report = Report()
    for number, code in enumerate(codes):
        report.run(f"part-{number}", sys.executable, "-c", f"raise SystemExit({code})")
    return report


def test_all_good_is_good() -> None:
    assert _ran(0, 0).close([], is_strict=True) == 0


def test_one_failed_part_fails_the_run_after_all_have_run() -> None:
    report = _ran(1, 0)

    assert report.close([], is_strict=False) == 1
    assert [result.is_good for result in report.results] == [False, True]


def test_pytest_that_found_no_test_fails_the_run() -> None:
    assert _ran(5).close([], is_strict=False) == 1


def test_what_was_not_run_fails_only_where_nothing_may_be_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    missing = ["the browser tests: chromium is missing"]

    assert _ran(0).close(missing, is_strict=False) == 0
    assert _ran(0).close(missing, is_strict=True) == 1
    assert "not run: the browser tests: chromium is missing" in capsys.readouterr().out


def test_last_line_counts_the_parts(capsys: pytest.CaptureFixture[str]) -> None:
    _ran(0, 3).close([], is_strict=False)

    assert capsys.readouterr().out.splitlines()[-1] == "parts: 1 passed, 1 failed"
