"""What reviewers would otherwise say again and again. Each rule lists its offenders."""

from __future__ import annotations

import ast
import re

from tests.support import tree

_MAX_FILE = 500
_MAX_FUNCTION = 50
# The last one fills databases that nobody serves yet, row by row as they were.
_COMMITTERS = {"fieldapi/unit.py", "fieldapi/migrate.py", "fieldapi/backup/carrying.py"}
_LEDGER_WRITE = re.compile(r"\b(insert\s+into|update|delete\s+from)\s+\"?ledger", re.IGNORECASE)
# Put together from halves, so that this file does not offend against its own rule.
_ADDRESSES = re.compile(
    "python" + r"hosted\.org|pypi\.org/(?:simple|packages)|registry\.npm" + r"js\.org"
    r"|deb\.debian" + r"\.org|index\.crates" + r"\.io|https?://\S+(?:\.whl|\.tar\.gz|\.tgz)\b"
)
_MACHINE_PATHS = re.compile(r"(?<![\w./-])/(?:home|root|work|Users|opt/pypi)/\w|[A-Z]:\\Users\\")
_DEBTS = re.compile(r"\bTODO(?!\(#\d+\))|\bFIXME\b|\bXXX\b")
_PROMISES = re.compile(
    r"\bfor now\b|\bnot implemented\b|NotImplementedError|\bstub\b", re.IGNORECASE
)
_EMPTY_NAMES = re.compile(r"(^|/|_)(utils?|helpers?|manager|data2)(\.py|\.js|/)")


def _found(pattern: re.Pattern[str], names: list[str]) -> list[str]:
    return [
        f"{name}:{number}: {line.strip()[:80]}"
        for name in names
        for number, line in enumerate(tree.text(name).splitlines(), 1)
        if pattern.search(line)
    ]


def test_no_file_of_code_is_longer_than_500_lines() -> None:
    lengths = {name: tree.text(name).count("\n") for name in tree.code()}

    assert {name: length for name, length in lengths.items() if length > _MAX_FILE} == {}


def test_no_function_is_longer_than_50_lines() -> None:
    functions = [
        (f"{name}:{node.lineno} {node.name}", (node.end_lineno or 0) - node.lineno + 1)
        for name in tree.python()
        if not name.startswith("migrations/versions/")
        for node in tree.nodes(name)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]

    assert [(where, length) for where, length in functions if length > _MAX_FUNCTION] == []


def test_only_the_unit_of_work_commits() -> None:
    calls = [
        f"{name}:{node.lineno}"
        for name in tree.python("fieldapi/")
        if name not in _COMMITTERS
        for node in tree.nodes(name)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"commit", "begin"}
    ]

    assert calls == []


def test_only_the_ledger_writes_the_ledger() -> None:
    others = [name for name in tree.python("fieldapi/") if not name.startswith("fieldapi/ledger/")]

    assert _found(_LEDGER_WRITE, others) == []


def test_no_file_names_a_registry_or_a_download() -> None:
    assert _found(_ADDRESSES, list(tree.files())) == []


def test_no_file_names_a_folder_of_somebodys_machine() -> None:
    assert _found(_MACHINE_PATHS, list(tree.files())) == []


def test_every_debt_names_an_issue() -> None:
    assert _found(_DEBTS, _code_but_these_rules()) == []


def test_nothing_is_left_half_done() -> None:
    assert _found(_PROMISES, _code_but_these_rules()) == []


def test_no_file_has_a_name_that_says_nothing() -> None:
    assert [name for name in tree.files() if _EMPTY_NAMES.search(name)] == []


def test_no_test_is_without_a_claim() -> None:
    silent = [
        f"{name}:{node.lineno} {node.name}"
        for name in tree.python("tests/")
        for node in tree.nodes(name)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and not re.search(r"Assert\(|raises|expect|verify|assert_|check_", ast.dump(node))
    ]

    assert silent == []


def _code_but_these_rules() -> list[str]:
    return [name for name in tree.code() if not name.startswith("tests/rules/")]
