"""Runs the import contracts of pyproject.toml; inside the environment, by `./dev boundaries`."""

from __future__ import annotations

import sys

from importlinter.cli import lint_imports_command

from tools.paths import CACHE, ROOT

if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    lint_imports_command(["--no-logo", "--cache-dir", str(CACHE / "import-linter"), *sys.argv[1:]])
