"""What stands when a command is tried."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.commands import Run, run

__all__ = ["run"]


@pytest.fixture
def rjk(run: Run) -> str:
    """An authority founded by the command line; its id."""
    added = run(
        "authority", "add", "--code", "RJK", "--name", "Rajkot Taluka Panchayat",
        "--statute", "gujarat", "--json",
    )  # fmt: skip
    name: str = added.json["id"]
    return name


@pytest.fixture
def asha(run: Run, rjk: str) -> str:
    """A reporter added by the command line; her id."""
    added = run(
        "person", "add", "--authority", "RJK", "--name", "Asha Parmar", "--role", "reporter",
        "--capacity", "watch_and_ward", "--json",
    )  # fmt: skip
    name: str = added.json["id"]
    return name


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], str]:
    """Write a file and return its path."""

    def written(name: str, content: str | bytes) -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return written
