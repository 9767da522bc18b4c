"""The documents as the tests read them: their fenced blocks, their commands, paths and links.

A block that shall be run stands below a comment `<!-- run: NAME -->`; the blocks of one name are
one script. Imports nothing of the project but `tree`.
"""

from __future__ import annotations

import re

from tests.support import tree

_RUN = re.compile(r"<!-- run: (\w+) -->\n```(?:sh|js)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FENCE = re.compile(r"^[ ]*```\w*\n(.*?)^[ ]*```$", re.DOTALL | re.MULTILINE)
_SPAN = re.compile(r"`([^`\n]+)`")


def names() -> list[str]:
    """Return every document of the repository."""
    return [name for name in tree.files() if name.endswith(".md")]


def script(name: str, run: str) -> str:
    """Return what the blocks marked `run` of a document do, one after the other."""
    blocks = [block for mark, block in _RUN.findall(tree.text(name)) if mark == run]
    assert blocks, f"{name} has no block to run as {run}"
    return "\n".join(blocks)


def blocks(name: str) -> list[str]:
    """Return the fenced blocks of a document."""
    return _FENCE.findall(tree.text(name))


def spans(name: str) -> list[str]:
    """Return what stands between single backticks outside of the blocks."""
    return _SPAN.findall(prose(name))


def prose(name: str) -> str:
    """Return a document without its fenced blocks."""
    return _FENCE.sub("", tree.text(name))
