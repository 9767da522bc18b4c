"""What people and programs read of a demo."""

from __future__ import annotations

import io
import json

import pytest

from fieldapi.demo.telling import Mismatch, Teller, kb, require


def test_people_read_what_was_done() -> None:
    out = io.StringIO()
    tell = Teller(out, is_json=False)
    with tell.step("enrol", "enrolling") as done:
        done("phone enrolled", device="01")

    assert out.getvalue() == "  ✓  0.0 s  phone enrolled\n"


def test_programs_read_facts() -> None:
    out = io.StringIO()
    tell = Teller(out, is_json=True)
    tell.chapter("Set up")
    with tell.step("enrol", "enrolling") as done:
        done("phone enrolled", device="01")
    tell.close(reference="RJK-01-2611-0001-L")

    assert [json.loads(line) for line in out.getvalue().splitlines()] == [
        {"step": "enrol", "ok": True, "seconds": 0.0, "device": "01"},
        {"step": "done", "ok": True, "reference": "RJK-01-2611-0001-L"},
    ]


def test_a_failure_names_its_step() -> None:
    out = io.StringIO()
    tell = Teller(out, is_json=False)
    with pytest.raises(Mismatch) as failed, tell.step("cut", "sending the photos"):
        require(False, "the photo came back with other bytes")
    tell.fail(str(failed.value), **{"server log": "var/server.log"})

    assert out.getvalue() == (
        "  ✗ sending the photos: the photo came back with other bytes\n"
        "    server log: var/server.log\n"
    )


def test_a_terminal_without_the_marks_gets_words() -> None:
    raw = io.BytesIO()
    tell = Teller(io.TextIOWrapper(raw, encoding="ascii", write_through=True), is_json=False)
    with tell.step("told", "pulling") as done:
        done("accepted, “they agree”")

    assert raw.getvalue() == b"  ok  0.0 s  accepted, ?they agree?\n"


def test_sizes_are_said_in_thousands() -> None:
    assert [kb(size) for size in (331_400, 999_600)] == ["331 KB", "1000 KB"]
