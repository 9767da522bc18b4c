"""Breaks the authorisation modules in every small way, and sees whether a test notices.

    ./dev soak mutants                      all mutants of both modules; fails under 90 % killed
    ./dev soak mutants --only access --list

Each mutant lives in a forked child that runs the tests of its module until the first that fails.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
BAR = 0.9
LONGEST_S = 300
_TESTS = {
    "fieldapi.domain.access": ["--noconftest", "tests/unit/domain/test_access.py"],
    # Without passwords and crowds: what takes seconds says nothing more of this module.
    "fieldapi.services.authorise": [
        "tests/unit/services/test_authorise.py",
        "tests/integration/people/test_principals.py",
        "tests/integration/people/test_token_ages.py",
        "--deselect",
        "tests/integration/people/test_token_ages.py::test_five_hundred_phones_behind_one_address_sync",
    ],
}
_CALM = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
# Loaded once, before the children are forked; nothing of the project is among them.
_HEAVY = (
    "sqlalchemy.orm",
    "flask_smorest",
    "hypothesis",
    "psycopg",
    "argon2",
    "structlog",
    "boto3",
)
_FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
# A limit moved by one instant.
_EDGE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One broken module. `what`: the place and the change."""

    module: str
    what: str
    tree: ast.Module


Change = Callable[[ast.AST], str | None]


def mutants(module: str) -> Iterator[Mutant]:
    """Yield every mutant of a module."""
    path = ROOT / Path(*module.split(".")).with_suffix(".py")
    tree = ast.parse(path.read_text())
    places = [node for node in ast.walk(tree) if isinstance(node, ast.expr | ast.stmt)]
    for at, node in enumerate(places):
        for change in _changes(node):
            broken = copy.deepcopy(tree)
            same = [one for one in ast.walk(broken) if isinstance(one, ast.expr | ast.stmt)][at]
            said = change(same)
            if said is not None:
                ast.fix_missing_locations(broken)
                yield Mutant(module, f"{path.name}:{node.lineno} {said}", broken)


def _changes(node: ast.AST) -> list[Change]:
    """Return how one place can be broken."""
    if isinstance(node, ast.Compare):
        tables = (_FLIPPED, _EDGE) if type(node.ops[0]) in _EDGE else (_FLIPPED,)
        return [partial(_compare, table=table) for table in tables if len(node.ops) == 1]
    if isinstance(node, ast.If):
        return [partial(_always, is_true=is_true) for is_true in (True, False)]
    return [change for kind, fits, change in _KINDS if isinstance(node, kind) and fits(node)]


def _compare(node: ast.AST, *, table: dict[type[ast.cmpop], type[ast.cmpop]]) -> str:
    assert isinstance(node, ast.Compare)
    before, node.ops = ast.unparse(node), [table[type(node.ops[0])]()]
    return f"{before} → {ast.unparse(node)}"


def _bool(node: ast.AST) -> str:
    assert isinstance(node, ast.BoolOp)
    before, node.op = ast.unparse(node), ast.Or() if isinstance(node.op, ast.And) else ast.And()
    return f"{before} → {ast.unparse(node)}"


def _double(node: ast.AST) -> str:
    assert isinstance(node, ast.UnaryOp)
    before, node.operand = ast.unparse(node), ast.UnaryOp(ast.Not(), node.operand)
    return f"{before} → {ast.unparse(node)}"


def _other_truth(node: ast.AST) -> str:
    assert isinstance(node, ast.Constant)
    node.value = not node.value
    return f"{not node.value} → {node.value}"


def _left_alone(node: ast.AST) -> str | None:
    """Take the right side of a union away; of types it says nothing at run time."""
    assert isinstance(node, ast.BinOp)
    before = ast.unparse(node)
    if "None" in before or "Mapping" in before:
        return None
    node.op = ast.BitAnd()
    return f"{before} → {ast.unparse(node)}"


def _silent(node: ast.AST) -> str:
    assert isinstance(node, ast.Raise)
    before = ast.unparse(node)
    node.__class__ = ast.Pass  # type: ignore[assignment]
    return f"{before[:60]} → pass"


def _always(node: ast.AST, *, is_true: bool) -> str:
    assert isinstance(node, ast.If)
    before, node.test = ast.unparse(node.test), ast.Constant(is_true)
    return f"if {before} → if {is_true}"


def _longer(node: ast.AST) -> str:
    assert isinstance(node, ast.Call)
    before = ast.unparse(node)
    for keyword in node.keywords:
        keyword.value = ast.BinOp(keyword.value, ast.Mult(), ast.Constant(2))
    return f"{before} → {ast.unparse(node)}"


def _any(_node: ast.AST) -> bool:
    return True


# What is broken, where, and how; comparisons and conditions have more than one way.
_KINDS: list[tuple[type[ast.AST], Callable[[ast.AST], bool], Change]] = [
    (ast.BoolOp, _any, _bool),
    (ast.UnaryOp, lambda node: isinstance(getattr(node, "op", None), ast.Not), _double),
    (ast.Constant, lambda node: isinstance(getattr(node, "value", None), bool), _other_truth),
    (ast.BinOp, lambda node: isinstance(getattr(node, "op", None), ast.BitOr), _left_alone),
    (ast.Raise, _any, _silent),
    (ast.Call, lambda node: ast.unparse(node).startswith("timedelta("), _longer),
]


class _Broken(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives the broken module to whoever imports it."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(self, fullname: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._mutant.module:
            return None
        return importlib.util.spec_from_loader(fullname, self)

    def exec_module(self, module: ModuleType) -> None:
        path = ROOT / Path(*self._mutant.module.split(".")).with_suffix(".py")
        module.__file__ = str(path)
        exec(compile(self._mutant.tree, str(path), "exec"), module.__dict__)  # noqa: S102


def is_killed(mutant: Mutant | None, module: str) -> bool:
    """Say whether a test notices; whoever hangs is noticed, too. None: the module as it is."""
    child = os.fork()
    if child == 0:
        os._exit(_lived(mutant, module))
    ends = time.monotonic() + LONGEST_S
    while time.monotonic() < ends:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) != 0
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def _lived(mutant: Mutant | None, module: str) -> int:
    """Run the tests in this child; 0 if all of them passed."""
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    if mutant is not None:
        sys.meta_path.insert(0, _Broken(mutant))
    quick = ["-x", "-q", "-p", "no:randomly", "-k", "not postgresql", *_CALM]
    try:
        return int(pytest.main([*quick, *_TESTS[module]]))
    except BaseException:  # noqa: BLE001 - whatever it died of, it did not live
        return 1


def main() -> int:
    """Try every mutant; return 1 if too many lived, or the tests fail without any."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="part of a module's name")
    parser.add_argument("--list", action="store_true", help="say them, try none")
    asked = parser.parse_args()
    os.chdir(ROOT)
    modules = [name for name in _TESTS if asked.only in name]
    for name in _HEAVY:
        importlib.import_module(name)
    found = [one for name in modules for one in mutants(name)]
    if asked.list:
        print("\n".join(one.what for one in found))
        return 0
    if any(is_killed(None, name) for name in modules):
        print("the tests fail without any mutant", file=sys.stderr)
        return 1
    with ThreadPoolExecutor(os.cpu_count() or 1) as crew:
        verdicts = list(crew.map(lambda one: is_killed(one, one.module), found))
    lived = [one.what for one, killed in zip(found, verdicts, strict=True) if not killed]
    print("\n".join(f"lived: {what}" for what in lived))
    share = 1 - len(lived) / len(found)
    print(f"{len(found)} mutants, {len(found) - len(lived)} killed, {share:.1%}")
    return 0 if share >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
