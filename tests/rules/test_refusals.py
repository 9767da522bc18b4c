"""What people read when something is refused is a sentence of the catalogues, whole and filled."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from string import Formatter

from fieldapi import problems
from fieldapi.domain.words import Sentence
from fieldapi.law.scene import IMPOSSIBLE, REFUSED
from fieldapi.locale import catalogue
from fieldapi.packs import load_packs
from tests.support import tree

# What these raise reaches pages, papers or the phone. What the rest says is for whoever writes a
# client, or sits at the command line.
_FOR_PEOPLE = (
    "fieldapi/law/",
    "fieldapi/services/acts/",
    "fieldapi/services/calendars.py",
    "fieldapi/services/complaints.py",
    "fieldapi/services/confirmations.py",
    "fieldapi/services/conflicts.py",
    "fieldapi/services/desk_work.py",
    "fieldapi/services/duplicates.py",
    "fieldapi/services/invitations.py",
    "fieldapi/services/notifications.py",
    "fieldapi/services/offences.py",
    "fieldapi/services/ops/release.py",
    "fieldapi/services/parties.py",
    "fieldapi/services/passwords.py",
    "fieldapi/services/people.py",
    "fieldapi/services/pounds.py",
    "fieldapi/services/prior_impoundings.py",
    "fieldapi/services/removal_orders.py",
    "fieldapi/services/reports.py",
    "fieldapi/services/reviews.py",
    "fieldapi/services/seizures.py",
    "fieldapi/services/serials.py",
)
_RAISED = {one.__name__ for one in problems.catalogue()} | {"refuse", "refused"}


def _calls(name: str) -> Iterator[ast.Call]:
    return (node for node in tree.nodes(name) if isinstance(node, ast.Call))


def _name(call: ast.Call) -> str:
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))


def _said(call: ast.Call) -> Iterator[ast.expr]:
    """Yield what a refusal says: its detail, and the lists of its `errors`."""
    yield from call.args
    for one in call.keywords:
        if one.arg == "errors" and isinstance(one.value, ast.Dict):
            lists = (value for value in one.value.values if isinstance(value, ast.List))
            yield from (said for value in lists for said in value.elts)


def _is_bare(node: ast.expr) -> bool:
    """Say whether it is a text of words, and not the name of a field."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return any(isinstance(one, ast.Constant) and " " in str(one.value) for one in parts)


def test_what_is_refused_to_people_is_said_in_sentences() -> None:
    bare = [
        f"{name}:{call.lineno}: {ast.unparse(said)}"
        for name in tree.python(*_FOR_PEOPLE)
        for call in _calls(name)
        if _name(call) in _RAISED
        for said in _said(call)
        if _is_bare(said)
    ]

    assert bare == []


def test_the_places_of_a_sentence_are_those_that_are_filled() -> None:
    wrong = [
        f"{name}:{call.lineno}"
        for name in tree.python("fieldapi/")
        for call in _calls(name)
        if _name(call) == "sentence" and call.keywords and isinstance(call.args[0], ast.Constant)
        if {one.arg for one in call.keywords} != set(_places(str(call.args[0].value)))
    ]

    assert wrong == []


def _places(text: str) -> Iterator[str]:
    return (name for _, name, _, _ in Formatter().parse(text) if name)


def test_every_reason_of_the_law_is_in_the_catalogues() -> None:
    gates = (gate for one in load_packs().series.values() for p in one.profiles for gate in p.gates)
    reasons = {*IMPOSSIBLE.values(), *REFUSED.values(), *(gate.reason for gate in gates)}

    assert [one for one in reasons if not isinstance(one, Sentence)] == []
    assert reasons - {str(one.id) for one in catalogue("gu")} == set()
