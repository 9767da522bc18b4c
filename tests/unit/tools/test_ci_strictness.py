"""On CI nothing may be left out: one skipped test fails the run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.tree import ROOT


@pytest.mark.parametrize("ci, code", [("true", 1), ("false", 0)])
def test_skip_fails_the_run_on_ci_only(tmp_path: Path, ci: str, code: int) -> None:
    test = tmp_path / "test_left_out.py"
    test.write_text("import pytest\n\ndef test_left_out():\n    pytest.skip('no chromium')\n")
    command = [sys.executable, "-m", "pytest", "--confcutdir", str(ROOT), "-p", "tests.conftest"]

    done = subprocess.run(
        [*command, "--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml"), str(test)],
        env={**os.environ, "CI": ci, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == code, done.stdout
    assert "1 skipped" in done.stdout
