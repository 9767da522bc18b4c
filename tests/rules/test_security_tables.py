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

    assert len(found) >= 65
    assert [row[0] for row in found if len(row) != 3 or len(row[2]) < 15] == []
