"""Runs tests over and over against a module that is broken another way each time, from one process
that has imported and collected everything. Used by `sim_mutants`.
"""

from __future__ import annotations

import ast
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

_LONGEST_S = 600


def try_all(module: str, trees: Sequence[ast.Module], arguments: Sequence[str]) -> list[bool]:
    """Return for each tree whether a test noticed it. Raises `RuntimeError` without any test."""
    loop = _Loop(module, trees)
    # `-s`: nothing of a child's output may wait in a buffer that its siblings have, too.
    with _quiet():
        pytest.main(["-q", "-x", "-s", "-p", "no:randomly", *arguments], plugins=[loop])
    if len(loop.noticed) != len(trees):
        raise RuntimeError("no test could be run")
    return loop.noticed


class _Loop:
    """Takes the place of pytest's own loop: every tree gets a fork of this process."""

    def __init__(self, module: str, trees: Sequence[ast.Module]) -> None:
        self._module, self._trees = module, trees
        self.noticed: list[bool] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Warm up with one test, which makes what all of them share, and leave it standing."""
        if not session.items:
            return True
        with_database = next(
            one for one in session.items if "village" in getattr(one, "fixturenames", ())
        )
        _run(with_database, session.items[-1])
        module = sys.modules[self._module]
        self.noticed += [_is_noticed(session, module, tree) for tree in self._trees]
        return True


def _run(item: pytest.Item, following: pytest.Item) -> None:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def _is_noticed(session: pytest.Session, module: ModuleType, tree: ast.Module) -> bool:
    """Say whether a test fails in a child with the broken module; a child that hangs is noticed."""
    child = os.fork()
    if child == 0:
        os._exit(_failures(session, module, tree))
    ends = time.monotonic() + _LONGEST_S
    while time.monotonic() < ends:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) != 0
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def _failures(session: pytest.Session, module: ModuleType, tree: ast.Module) -> int:
    """Run the tests of this child until one fails; 0 if none did."""
    try:
        _put_on(module, tree)
        # Behind the last comes the first: what all share stays until this child is gone.
        for item, following in pairwise([*session.items, session.items[0]]):
            _run(item, following)
            if session.testsfailed:
                return 1
    except BaseException:  # noqa: BLE001 - whatever it died of, it did not live
        return 1
    return 0


def _put_on(module: ModuleType, tree: ast.Module) -> None:
    """Give the functions of a module the code of its broken twin: whoever imported them has it."""
    twin: dict[str, object] = {"__name__": module.__name__, "__file__": module.__file__}
    exec(compile(tree, str(module.__file__), "exec"), twin)  # noqa: S102
    for name, broken in twin.items():
        sound = getattr(module, name, None)
        if isinstance(broken, FunctionType) and isinstance(sound, FunctionType):
            if broken.__module__ == module.__name__:
                sound.__code__ = broken.__code__
        elif not isinstance(broken, type | ModuleType) and not name.startswith("__"):
            setattr(module, name, broken)


@contextmanager
def _quiet() -> Iterator[None]:
    """Say nothing of the tests while this lasts, in any child."""
    kept = [os.dup(1), os.dup(2)]
    with Path(os.devnull).open("w") as nothing:
        sys.stdout.flush()
        os.dup2(nothing.fileno(), 1)
        os.dup2(nothing.fileno(), 2)
    try:
        yield
    finally:
        for to, kept_one in enumerate(kept, 1):
            os.dup2(kept_one, to)
            os.close(kept_one)
