"""Runs ruff as formatter and as linter; inside the environment, by `./dev lint`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from tools.paths import ROOT


def main(arguments: Sequence[str]) -> int:
    """Check both form and style, even if the first is bad; with `--fix`, mend both."""
    is_fixing = "--fix" in arguments
    form = ["format"] if is_fixing else ["format", "--diff"]
    style = ["check", "--fix"] if is_fixing else ["check"]
    ruff = [sys.executable, "-m", "ruff"]
    return max(
        subprocess.run([*ruff, *each], cwd=ROOT, check=False).returncode for each in (form, style)
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
