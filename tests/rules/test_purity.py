"""`sync`, `domain` and `law` are pure: no clock, no chance, no disk, no wire."""

from __future__ import annotations

import ast
import sys

from tests.support import tree

_PURE = ("sync/", "fieldapi/domain/", "fieldapi/law/")
# The client is a program on top of the pure core; the simulator is given its seed.
_PROGRAMS = ("sync/client/",)
_IMPURE = frozenset(
    {
        "asyncio",
        "http",
        "io",
        "logging",
        "multiprocessing",
        "os",
        "pathlib",
        "random",
        "secrets",
        "shutil",
        "socket",
        "sqlite3",
        "subprocess",
        "tempfile",
        "threading",
        "time",
        "urllib",
    }
)
_CLOCKS = frozenset({"now", "today", "utcnow"})


def _pure() -> list[str]:
    return [name for name in tree.python(*_PURE) if not name.startswith(_PROGRAMS)]


def test_sync_needs_the_standard_library_only() -> None:
    known = sys.stdlib_module_names | {"sync"}
    foreign = {
        (name, module)
        for name in tree.python("sync/")
        for module in tree.imports(name)
        if module.split(".")[0] not in known
    }

    assert foreign == set()


def test_pure_code_reaches_for_nothing_outside() -> None:
    seeded = {("sync/simulate.py", "random")}
    reached = {(name, module.split(".")[0]) for name in _pure() for module in tree.imports(name)}

    assert {each for each in reached if each[1] in _IMPURE} - seeded == set()


def test_pure_code_is_told_the_time() -> None:
    asked = [
        f"{name}:{node.lineno}"
        for name in _pure()
        for node in tree.nodes(name)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _CLOCKS
    ]

    assert asked == []


def test_domain_and_law_know_no_library() -> None:
    known = sys.stdlib_module_names | {"sync", "fieldapi"}
    foreign = {
        (name, module)
        for name in tree.python("fieldapi/domain/", "fieldapi/law/")
        for module in tree.imports(name)
        if module.split(".")[0] not in known
    }

    assert foreign == set()
