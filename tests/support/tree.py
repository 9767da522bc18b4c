"""The files of this repository, as the rules look at them: what git tracks or would track."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

_CODE = frozenset({".css", ".html", ".js", ".mako", ".mjs", ".py", ".sh", ".typ"})
_SCRIPTS = frozenset({"dev", ".ci/run"})


@lru_cache(maxsize=1)
def files() -> tuple[str, ...]:
    """Return every path, tracked or new and not ignored, relative to the root and sorted."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return tuple(sorted(name for name in listed.stdout.split("\0") if (ROOT / name).is_file()))


def code() -> list[str]:
    """Return the files that people write by hand to be run or shown."""
    return [name for name in files() if Path(name).suffix in _CODE or name in _SCRIPTS]


def python(*folders: str) -> list[str]:
    """Return the Python files under the given folders, or all of them."""
    found = [name for name in code() if name.endswith(".py") or name == "dev"]
    return [name for name in found if not folders or name.startswith(folders)]


def text(name: str) -> str:
    """Return a file as text; bytes that are none become question marks."""
    return (ROOT / name).read_text(encoding="utf-8", errors="replace")


@cache
def syntax(name: str) -> ast.Module:
    """Return a Python file as its tree."""
    return ast.parse(text(name), filename=name)


def nodes(name: str) -> Iterator[ast.AST]:
    """Walk every node of a Python file."""
    return ast.walk(syntax(name))


def imports(name: str) -> set[str]:
    """Return the dotted names that a Python file imports, relative ones left out."""
    found: set[str] = set()
    for node in nodes(name):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module)
    return found
