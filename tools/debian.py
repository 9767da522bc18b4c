"""Programs that come from the system, not from a lock: which tests want which, and getting them.

Root on Debian gets them installed; anyone else is told what could not run and how to change that.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tools.paths import ROOT, tests_named


@dataclass(frozen=True, slots=True)
class Need:
    """A Debian package, what it is for, whether anything here wants it and whether it is there."""

    package: str
    because: str
    is_wanted: Callable[[], bool]
    is_there: Callable[[], bool]


def _on_path(*programs: str) -> Callable[[], bool]:
    return lambda: any(shutil.which(program) for program in programs)


def _is_installed(package: str) -> Callable[[], bool]:
    command = ["dpkg-query", "--show", "--showformat=${db:Status-Status}", package]

    def check() -> bool:
        if not shutil.which("dpkg-query"):
            return False
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.stdout == "installed"

    return check


def _drives_browser() -> bool:
    marked = (path.read_text() for path in tests_named("**/test_*.py"))
    return any("pytest.mark.browser" in text for text in marked)


def _has_examples() -> bool:
    return bool(tests_named("integration/test_examples.py"))


NEEDS = (
    Need("git", "the house rules read what is tracked", lambda: True, _on_path("git")),
    Need("curl", "the examples of the documents", _has_examples, _on_path("curl")),
    Need("openssl", "the examples of the documents", _has_examples, _on_path("openssl")),
    Need("chromium", "the browser tests", _drives_browser, _on_path("chromium")),
    Need(
        "fonts-noto-core",
        "documents in five scripts",
        lambda: any((ROOT / "fieldapi" / "documents").glob("**/*.typ")),
        _is_installed("fonts-noto-core"),
    ),
)


def missing() -> list[Need]:
    """Return what the tests of this tree want and this machine has not."""
    return [need for need in NEEDS if need.is_wanted() and not need.is_there()]


def provide() -> list[Need]:
    """Install what is missing where we may; return what is missing still."""
    wanted = missing()
    if wanted and _may_install():
        _apt_install([need.package for need in wanted])
    return missing()


def install(packages: Sequence[str], *, because: str) -> None:
    """Install packages or stop with the reason and the command that would help."""
    if not _may_install():
        sys.exit(f"Missing: {' '.join(packages)} ({because}). On Debian: {_hint(packages)}")
    _apt_install(packages)


def _hint(packages: Sequence[str]) -> str:
    return f"sudo apt-get install {' '.join(packages)}"


def _may_install() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def _apt_install(packages: Sequence[str]) -> None:
    print(f"installing {' '.join(packages)} with apt-get", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
        command = ["apt-get", "-qq", *step]
        done = subprocess.run(
            command, env=environment, check=False, capture_output=True, stdin=subprocess.DEVNULL
        )
        if done.returncode != 0:
            print(f"apt-get {step[0]} failed:\n{done.stderr.decode()}", flush=True)
