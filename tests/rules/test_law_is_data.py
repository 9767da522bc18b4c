"""No number of days, no rupee and no section of an Act decides anything in code: they are data."""

from __future__ import annotations

import ast

from tests.support import tree

# Months of a year, days of a week, per cent and paise of a rupee are arithmetic, not law; the rest
# are places in lists, nothing, one, and how soon a clock is said to end soon.
_ARITHMETIC = frozenset({-1, 0, 1, 2, 4, 7, 12, 100})


def test_law_has_no_number_of_its_own() -> None:
    numbers = {
        (name, node.value)
        for name in tree.python("fieldapi/law/")
        for node in tree.nodes(name)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
    }

    assert numbers
    assert {each for each in numbers if each[1] not in _ARITHMETIC} == set()


def test_law_names_no_state() -> None:
    states = ("gujarat", "kerala", "karnataka")
    texts = {
        (name, text)
        for name in tree.python("fieldapi/law/")
        for text in _texts(name)
        if any(state in text.lower() for state in states)
    }

    assert texts == set()


def _texts(name: str) -> list[str]:
    """Return the texts of a module that are not docstrings."""
    nodes = list(tree.nodes(name))
    said = {id(one.value) for one in nodes if isinstance(one, ast.Expr)}
    found = [one for one in nodes if isinstance(one, ast.Constant) and id(one) not in said]
    return [one.value for one in found if isinstance(one.value, str)]
