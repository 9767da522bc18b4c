"""Every scenario of the sync protocol has its tests, clause by clause, named by its number."""

from __future__ import annotations

import ast
import json
import re

from tests.rules.scenarios import SCENARIOS
from tests.support import tree

GUIDE = "docs/protocol/sync.md"
ALL = range(1, 32)
_NUMBERED = re.compile(r"test_7_(\d+)_\w+")
_LISTED = re.compile(r"^(\d+)\. ", re.MULTILINE)


def written() -> set[str]:
    """Return the name of every test function."""
    return {
        node.name
        for name in tree.python("tests/")
        for node in tree.nodes(name)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def vectors() -> set[str]:
    """Return the name of every case that phones share."""
    names = [name for name in tree.files() if name.startswith("sync/vectors/client-")]
    return {
        f"vector: {case['name']}"
        for name in names
        for case in json.loads(tree.text(name))["vectors"]
    }


def named(number: int) -> set[str]:
    """Return the tests that the table names for a scenario."""
    return {test for clause in SCENARIOS[number].values() for test in clause}


def test_guide_and_table_have_the_same_31_scenarios() -> None:
    section = tree.text(GUIDE).partition("## 7. ")[2].partition("\n## ")[0]

    assert [int(number) for number in _LISTED.findall(section)] == [*ALL]
    assert sorted(SCENARIOS) == [*ALL]


def test_every_clause_of_a_scenario_has_a_test_that_is_there() -> None:
    there = written() | vectors()

    assert {n: named(n) - there for n in ALL if not named(n) <= there} == {}
    assert [(n, clause) for n in ALL for clause, by in SCENARIOS[n].items() if not by] == []


def test_every_number_has_a_test_named_after_it() -> None:
    assert [n for n in ALL if not any(_is_numbered(test, n) for test in named(n))] == []


def test_every_numbered_test_stands_in_the_table() -> None:
    numbered = {(int(found[1]), test) for test in written() if (found := _NUMBERED.fullmatch(test))}

    assert {(n, test) for n, test in numbered if test not in named(n)} == set()


def _is_numbered(test: str, number: int) -> bool:
    found = _NUMBERED.fullmatch(test)
    return found is not None and int(found[1]) == number
