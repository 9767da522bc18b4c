"""docs/security.md against the tests it names: each exists, no row is without one or a reason."""

from __future__ import annotations

import re
from functools import cache

from tests.support import tree
from tools.paths import ROOT

NUMBERS = {
    *(f"A{n}" for n in range(1, 18)),
    *(f"B{n}" for n in range(1, 16)),
    *(f"C{n}" for n in range(1, 17)),
    *(f"D{n}" for n in range(1, 16)),
    *(f"E{n}" for n in range(1, 14)),
}


# Level 1 of ASVS 5.0.0: the last part of each number, by section.
LEVEL_1 = {
    "1.2": "12345",
    "1.3": "12",
    "1.5": "1",
    "2.1": "1",
    "2.2": "12",
    "2.3": "1",
    "3.2": "12",
    "3.3": "1",
    "3.4": "12",
    "3.5": "123",
    "4.1": "1",
    "4.4": "1",
    "5.2": "12",
    "5.3": "12",
    "6.1": "1",
    "6.2": "12345678",
    "6.3": "12",
    "6.4": "12",
    "7.2": "1234",
    "7.4": "12",
    "8.1": "1",
    "8.2": "12",
    "8.3": "1",
    "9.1": "123",
    "9.2": "1",
    "10.4": "12345",
    "11.3": "12",
    "11.4": "1",
    "12.1": "1",
    "12.2": "12",
    "13.4": "1",
    "14.2": "1",
    "14.3": "1",
    "15.1": "1",
    "15.2": "1",
    "15.3": "1",
}


@cache
def page() -> str:
    return (ROOT / "docs" / "security.md").read_text()


@cache
def known_tests() -> frozenset[str]:
    python = (re.findall(r"def (test_\w+)", tree.text(name)) for name in tree.python("tests/"))
    return frozenset(name for names in python for name in names)


def rows(first: str) -> list[list[str]]:
    """Return the cells of every row whose first cell fits."""
    lines = [line.strip().strip("|").split("|") for line in page().splitlines() if line[:1] == "|"]
    cells = [[cell.strip() for cell in line] for line in lines]
    return [row for row in cells if re.fullmatch(first, row[0])]


def test_every_test_that_the_page_names_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", page()))

    assert named - known_tests() == set()
    assert len(named) > 150


def test_every_threat_has_a_row_with_a_test_or_a_reason() -> None:
    found = {row[0]: row[-1] for row in rows(r"[A-E]\d+")}

    assert found.keys() == NUMBERS
    assert [number for number, last in found.items() if len(last) < 20] == []


def test_every_requirement_has_a_test_or_a_reason() -> None:
    found = rows(r"\d+\.\d+\.\d+")

    wanted = [f"{section}.{last}" for section, lasts in LEVEL_1.items() for last in lasts]
    assert len(wanted) == 70
    assert [row[0] for row in found] == wanted
    assert [row[0] for row in found if len(row) != 3 or len(row[2]) < 15] == []
