"""Where things are in the work tree. Every other tool starts from here."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache"
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
RUNTIME_LOCK = ROOT / "requirements.lock"
DEV_LOCK = ROOT / "requirements-dev.lock"


def base_python() -> str:
    """Return the interpreter to build from, also when called from inside an environment."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    base = Path(sys.base_prefix) / "bin" / name
    return str(base) if base.exists() else sys.executable


def tests_named(*patterns: str) -> list[Path]:
    """Return the files under tests/ that match any of the patterns, sorted."""
    found = {path for pattern in patterns for path in (ROOT / "tests").glob(pattern)}
    return sorted(path for path in found if "node_modules" not in path.parts)
