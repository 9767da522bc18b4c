"""What ./dev can do: one function per command, its docstring is its help. Called by ./dev only."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tools import debian, node, venv
from tools.parts import Report
from tools.paths import PYTHON, ROOT, tests_named

Arguments = Sequence[str]

_INTERRUPTED = 130  # what a shell says of a program that Ctrl-C ended
_TOGETHER = {"sync": ("pure", "service", "kills", "feed")}  # several scripts by one name


def serve(arguments: Arguments) -> int:
    """Start the server; arguments go to `fieldapi serve`."""
    return _fieldapi("serve", arguments)


def demo(arguments: Arguments) -> int:
    """Show the whole way of a report, offline phone to reviewer; `--once` ends by itself."""
    return _fieldapi("demo", arguments)


def test(arguments: Arguments) -> int:
    """Run every check and every test; with arguments: pytest on just these."""
    started = time.monotonic()
    not_run = [f"{need.because}: {need.package} is missing" for need in debian.provide()]
    venv.ensure(with_dev=True)
    if arguments:
        return _python("-m", "pytest", *arguments)
    not_run += node.provide()
    report = Report()
    report.add("set-up", time.monotonic() - started, is_good=True)
    for name, command in _parts():
        report.run(name, *command)
    return report.close(not_run, is_strict=os.environ.get("CI") == "true")


def check(arguments: Arguments) -> int:
    """Put the code into its form, then do all that `test` does: before you push."""
    lint(["--fix"])
    return test(arguments)


def lint(arguments: Arguments) -> int:
    """Check form and style with ruff; `--fix` mends what can be mended."""
    venv.ensure(with_dev=True)
    return _python("-m", "tools.lint", *arguments)


def types(arguments: Arguments) -> int:
    """Check types with mypy."""
    venv.ensure(with_dev=True)
    return _python("-m", "mypy", *arguments)


def boundaries(arguments: Arguments) -> int:
    """Check that imports point down only."""
    venv.ensure(with_dev=True)
    return _python("-m", "tools.boundaries", *arguments)


def migration(arguments: Arguments) -> int:
    """Write the migration that the argument describes; alone: check that none is missing."""
    venv.ensure(with_dev=True)
    if arguments:
        return _python("-m", "tools.migration", *arguments)
    return _python("-m", "pytest", "tests/migrations")


def coverage(arguments: Arguments) -> int:
    """Run the tests of sync/ and fail unless they take every branch of it."""
    venv.ensure(with_dev=True)
    told = ("--cov=sync", "--cov-branch", "--cov-report=term-missing", "--cov-fail-under=100")
    return _python("-m", "pytest", "tests/unit/sync", "tests/unit/sync_client", *told, *arguments)


def soak(arguments: Arguments) -> int:
    """Run the long simulations of tests/sim at full size: all, or the one named."""
    return _scripts("sim", arguments)


def bench(arguments: Arguments) -> int:
    """Measure all and write docs/benchmarks.md, or the one named; `--check`: compare only."""
    if arguments and not arguments[0].startswith("-"):
        return _scripts("bench", arguments)
    venv.ensure(with_dev=True)
    return _python("-m", "tests.bench.book", *arguments)


def lock(arguments: Arguments) -> int:
    """Write the lock files anew from pyproject.toml; `--upgrade` takes newer versions."""
    venv.ensure(with_dev=True)
    return _python("-m", "tools.lock", *arguments)


def sbom(arguments: Arguments) -> int:
    """Print the bill of materials (CycloneDX) of what is installed with the program."""
    venv.ensure(with_dev=False)
    return _python("-m", "tools.sbom", *arguments)


_GROUPS: dict[str, tuple[Callable[[Arguments], int], ...]] = {
    "use it": (serve, demo),
    "work on it": (test, check, lint, types, boundaries, migration, lock, sbom),
    "measure it": (soak, bench, coverage),
}
_COMMANDS = {command.__name__: command for group in _GROUPS.values() for command in group}


def main(arguments: Arguments) -> int:
    """Run the command that the first argument names; print the help if it names none."""
    name = arguments[0] if arguments else "help"
    if name in _COMMANDS:
        os.chdir(ROOT)
        # Tests start servers by the hundred: without kept bytecode each compiles the program anew.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        try:
            return _COMMANDS[name](arguments[1:])
        except KeyboardInterrupt:
            return _INTERRUPTED
    print(_help())
    return 0 if name in {"help", "-h", "--help"} else 2


def _help() -> str:
    lines = ["./dev COMMAND [arguments]"]
    for title, commands in _GROUPS.items():
        lines += ["", f"{title}:"]
        lines += [f"  {each.__name__:<12}{inspect.getdoc(each)}" for each in commands]
    return "\n".join(lines)


def _parts() -> list[tuple[str, list[str]]]:
    """Return the parts of a full run in the order of what fails soonest."""
    python = str(PYTHON)
    pytest = [python, "-m", "pytest", "--quiet"]
    parts = [
        ("lint", [python, "-m", "tools.lint"]),
        ("types", [python, "-m", "mypy"]),
        ("boundaries", [python, "-m", "tools.boundaries"]),
        ("migrations", [*pytest, "tests/migrations"]),
        ("tests", [*pytest, "--numprocesses=2", "--dist=worksteal", "--ignore=tests/migrations"]),
    ]
    scripts = [str(path.relative_to(ROOT)) for path in tests_named("**/*.test.js")]
    return [*parts, ("javascript", [node.node().program, "--test", *scripts])]


def _fieldapi(command: str, arguments: Arguments) -> int:
    python = venv.ensure(with_dev=False)
    launcher = python.with_name("fieldapi")
    os.execv(python, [str(python), str(launcher), command, *arguments])  # noqa: S606


def _python(*arguments: str) -> int:
    return subprocess.run([str(PYTHON), *arguments], cwd=ROOT, check=False).returncode


def _scripts(folder: str, arguments: Arguments) -> int:
    """Run the named script of a test folder, or all of them one after the other."""
    found = {_short(path): path for path in tests_named(f"{folder}/*.py") if _is_script(path)}
    named = _TOGETHER.get(arguments[0], arguments[:1]) if arguments else []
    if not found.keys() >= set(named):
        is_asked = arguments[0] in {"-h", "--help"}
        unknown = [] if is_asked else [f"there is no {arguments[0]}"]
        print(*unknown, _about(folder, found), sep="\n", file=sys.stderr)
        return 0 if is_asked else 2
    venv.ensure(with_dev=True)
    modules = [f"tests.{folder}.{found[name].stem}" for name in named or found]
    return max((_python("-m", module, *arguments[1:]) for module in modules), default=0)


def _about(folder: str, found: Mapping[str, Path]) -> str:
    """Return the scripts of a test folder, each with what it does."""
    does = {name: _does(path) for name, path in found.items()}
    if folder == "sim":
        does |= {name: "Runs " + ", ".join(of) for name, of in _TOGETHER.items()}
    lines = (_line(name, said) for name, said in sorted(does.items()))
    command = {"sim": "./dev soak", "bench": "./dev bench"}[folder]
    head = f"{command} NAME, each says more with --help; all of them, if none is named, take hours:"
    return "\n".join([head, *lines])


def _line(name: str, said: str) -> str:
    return textwrap.fill(f"  {name:<12}{said}", width=100, subsequent_indent=" " * 14)


def _does(script: Path) -> str:
    """Return the first sentence of what a script says of itself."""
    first = script.read_text().removeprefix('"""').partition("\n\n")[0]
    return re.split(r"(?<=\.)\s", " ".join(first.split()))[0]


def _short(path: Path) -> str:
    """Return what a script is called on the command line: sim_pure.py is `pure`."""
    return path.stem.removeprefix("bench_").removeprefix("sim_")


def _is_script(path: Path) -> bool:
    return 'if __name__ == "__main__"' in path.read_text()
