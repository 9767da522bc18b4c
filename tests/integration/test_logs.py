"""Log lines are JSON with ids and durations, and nobody's data, whoever wrote them."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

import pytest
import structlog

from fieldapi import logs

Lines = Callable[[], list[dict[str, Any]]]
NOBODY: dict[str, str] = {}
CANARIES = ("Kanta Patel", "9876543210", "22.3039", "csd1_")


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Lines:
    logs.configure("info")
    structlog.contextvars.clear_contextvars()
    return lambda: [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_line_tells_both_clocks(lines: Lines) -> None:
    structlog.get_logger("x").info("seizure_reported", seizure_id="0193")
    (line,) = lines()

    assert line["event"] == "seizure_reported"
    assert line["at"].endswith("Z")
    assert line["at_ist"].endswith("+05:30")


def test_field_off_the_list_is_dropped_and_named(lines: Lines) -> None:
    structlog.get_logger("x").info("person_added", person_id="p1", name="Kanta Patel", lat=22.3039)
    (line,) = lines()

    assert line["person_id"] == "p1"
    assert line["dropped"] == ["lat", "name"]
    assert not any(canary in json.dumps(line) for canary in CANARIES)


def test_other_libraries_are_reduced_to_their_template(lines: Lines) -> None:
    logging.getLogger("sqlalchemy.engine").warning("INSERT %s", {"mobile": "9876543210"})
    (line,) = lines()

    assert (line["event"], line["level"]) == ("INSERT %s", "warning")


def _fail_twice() -> None:
    try:
        _ = NOBODY["9876543210"]
    except KeyError as exc:
        raise ValueError("Kanta Patel") from exc


def test_exception_leaves_its_classes_and_lines_but_not_its_words(lines: Lines) -> None:
    try:
        _fail_twice()
    except ValueError:
        structlog.get_logger("x").exception("failed")
        logging.getLogger("gunicorn.error").exception("Error handling request %s", "/enrol/csd1_")
    first, second = lines()

    assert first["error"] == second["error"] == "builtins.ValueError < builtins.KeyError"
    assert first["trace"][0].startswith("tests/integration/test_logs.py:")
    assert not any(canary in json.dumps([first, second]) for canary in CANARIES)


def test_text_can_neither_break_a_line_nor_colour_it(lines: Lines) -> None:
    structlog.get_logger("x").info("odd", subject="a\nb\r\x1b[31mred\u2028")
    (line,) = lines()

    assert line["subject"] == "a\nb\r\x1b[31mred\u2028"


def test_text_that_runs_on_is_cut(lines: Lines) -> None:
    structlog.get_logger("x").info("long", subject="a" * 10_000)

    assert len(lines()[0]["subject"]) == 200


def test_setting_up_again_does_not_double_the_lines(lines: Lines) -> None:
    logs.configure("info")
    structlog.get_logger("x").info("once")

    assert len(lines()) == 1
