"""Makes .venv from the lock files and keeps it true to them; called by every ./dev command.

Only packages whose hash stands in a lock are installed. A changed lock, another Python or a
moved work tree means a new environment, never a patched one.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import json
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tools import debian
from tools.paths import CACHE, DEV_LOCK, PYTHON, ROOT, RUNTIME_LOCK, VENV, base_python

_STAMP = VENV / "made-from.json"
_STEP = 20  # packages between two lines of progress
_LAUNCHER = """#!{python}
import sys

from fieldapi.cli import main

sys.exit(main())
"""


def ensure(*, with_dev: bool) -> Path:
    """Return the environment's Python; makes or completes the environment first if it must."""
    CACHE.mkdir(exist_ok=True)
    # Two commands started together wait for each other, instead of undoing each other's work.
    with (CACHE / "venv.turn").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        _complete(DEV_LOCK if with_dev else RUNTIME_LOCK)
    return PYTHON


def _complete(lock: Path) -> None:
    installed = _stamp()
    if not _is_true(installed):
        _make()
        installed = {}
    if lock.name not in installed:
        _install(lock)
        digests = {each.name: _digest(each) for each in (RUNTIME_LOCK, lock)}
        _STAMP.write_text(json.dumps(_identity() | digests))


def _is_true(installed: dict[str, str]) -> bool:
    """Say whether the environment is for this Python, this tree and the locks as they are now."""
    locks = {
        lock.name: _digest(lock) for lock in (RUNTIME_LOCK, DEV_LOCK) if lock.name in installed
    }
    return bool(installed) and installed == _identity() | locks


def _identity() -> dict[str, str]:
    return {"python": platform.python_version(), "tree": str(ROOT)}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _stamp() -> dict[str, str]:
    if not (_STAMP.exists() and PYTHON.exists()):
        return {}
    stamp: dict[str, str] = json.loads(_STAMP.read_text())
    return stamp


def _make() -> None:
    print(f"making .venv with Python {platform.python_version()}", flush=True)
    shutil.rmtree(VENV, ignore_errors=True)
    if shutil.which("uv"):
        _run(["uv", "venv", "--quiet", "--python", base_python(), str(VENV)])
    else:
        _need_venv()
        _run([base_python(), "-m", "venv", str(VENV)])
    _link()


def _need_venv() -> None:
    """Debian ships venv apart from Python: install it where we may, else say how."""
    if importlib.util.find_spec("ensurepip") is None:
        debian.install(["python3-venv"], because="environments are made with it")


def _link() -> None:
    """Put the work tree on the environment's path and `fieldapi` into its bin."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    (VENV / "lib" / version / "site-packages" / "fieldapi.pth").write_text(f"{ROOT}\n")
    launcher = VENV / "bin" / "fieldapi"
    launcher.write_text(_LAUNCHER.format(python=PYTHON))
    launcher.chmod(0o755)


def _install(lock: Path) -> None:
    started = time.monotonic()
    total = sum("==" in line for line in _lines(lock))
    print(f"installing {total} packages of {lock.name}", flush=True)
    hashed = ["--require-hashes", "--requirement", str(lock)]
    if shutil.which("uv"):
        _run(["uv", "pip", "install", "--python", str(PYTHON), *hashed])
    else:
        _follow([str(PYTHON), "-m", "pip", "install", "--no-input", *hashed], total)
    print(f"installed in {time.monotonic() - started:.0f} s", flush=True)


def _lines(lock: Path) -> list[str]:
    """Return the lines of a lock; the one for tests includes the one for running."""
    lines = lock.read_text().splitlines()
    return lines + (RUNTIME_LOCK.read_text().splitlines() if lock == DEV_LOCK else [])


def _follow(command: Sequence[str], total: int) -> None:
    """Run pip, showing how far it is instead of all it says; on failure show all of it."""
    said: list[str] = []
    fetched = 0
    quiet = ["--disable-pip-version-check", "--progress-bar=off"]
    with subprocess.Popen(
        [*command, *quiet], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as pip:
        for line in pip.stdout or ():
            said.append(line)
            fetched += line.startswith("Collecting ")
            if line.startswith("Collecting ") and fetched % _STEP == 0:
                print(f"  {fetched} of {total}", flush=True)
            if line.startswith("Installing collected"):
                print("  all here, unpacking", flush=True)
    if pip.returncode != 0:
        sys.exit("".join(said) + "\nThe packages could not be installed: see above.")


def _run(command: Sequence[str]) -> None:
    if subprocess.run(command, check=False).returncode != 0:
        sys.exit(f"failed: {' '.join(command)}")
