"""Writes requirements.lock and requirements-dev.lock from pyproject.toml: pins and hashes only.

Run by `./dev lock` inside the environment that holds pip-tools. The locks name no index and no
path: where packages come from is the business of the machine that installs them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

from tools.paths import DEV_LOCK, ROOT, RUNTIME_LOCK

_HEADER = "# Written by `./dev lock` from pyproject.toml: versions and hashes, no addresses.\n"
_OPTIONS = (
    "--no-config",
    "--quiet",
    "--generate-hashes",
    "--strip-extras",
    "--allow-unsafe",
    "--no-header",
    "--no-annotate",
    "--no-emit-options",
    "--no-emit-index-url",
    "--no-emit-find-links",
    "--no-emit-trusted-host",
)
# Folders and extra indexes of one machine would put hashes into the lock that nobody else has.
_LOCAL = ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_CONSTRAINT", "PIP_NO_INDEX")


def main(arguments: Sequence[str]) -> int:
    """Write both locks. With `--upgrade`, take the newest versions allowed."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)
    runtime = _compile(project["project"]["dependencies"], RUNTIME_LOCK, options=arguments)
    RUNTIME_LOCK.write_text(_HEADER + "".join(runtime))
    dev = _compile(project["dependency-groups"]["dev"], DEV_LOCK, limits=runtime, options=arguments)
    # What the runtime lock already pins is not said twice.
    own = [block for block in dev if block not in runtime]
    DEV_LOCK.write_text(_HEADER + f"--requirement {RUNTIME_LOCK.name}\n" + "".join(own))
    print(f"{RUNTIME_LOCK.name}: {len(runtime)} packages\n{DEV_LOCK.name}: {len(own)} more")
    return 0


def _compile(
    wanted: Sequence[str], old: Path, *, limits: Sequence[str] = (), options: Sequence[str]
) -> list[str]:
    """Return one block per package, `name==version` and its hashes; keeps the pins of `old`."""
    with tempfile.TemporaryDirectory() as folder:
        source, target, constraint = (Path(folder, name) for name in ("in", "lock", "limits"))
        source.write_text("\n".join(wanted))
        constraint.write_text("".join(limits))
        if old.exists():
            target.write_text(_without_options(old.read_text()))
        files = ["--constraint", str(constraint), "--output-file", str(target), str(source)]
        command = [sys.executable, "-m", "piptools", "compile", *_OPTIONS, *options, *files]
        subprocess.run(command, env=_neutral_environment(), check=True)
        return _blocks(target.read_text())


def _without_options(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("--"))


def _neutral_environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _LOCAL}
    return {**kept, "PIP_CONFIG_FILE": os.devnull}


def _blocks(text: str) -> list[str]:
    blocks: list[str] = []
    for line in text.splitlines(keepends=True):
        if line.startswith((" ", "\t")):
            blocks[-1] += line
        elif line.strip() and not line.startswith("#"):
            blocks.append(line)
    return sorted(blocks)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
