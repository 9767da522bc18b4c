"""The verifier that goes with every bundle: one file of plain Python 3.8, joined from the modules
of this folder, which are the same code and are tried as such.

Called by whoever builds bundles and by `fieldapi bundle verify`.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

_PARTS = ("faults", "signatures", "files", "ledgers", "contents", "told", "keeping")
# A file that somebody put beside the program must not become a part of it.
_ALONE = """\
import sys

if __name__ == "__main__" and not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
    del sys.path[0]  # the folder of this file: nothing in it may stand in for a module of Python
"""
_BODY = "# ---- "


@cache
def program() -> bytes:
    """Return `verify.py` as it stands in a bundle."""
    head, body = _cut("verify")
    parts = [_cut(name) for name in _PARTS]
    opening, _, _ = head.partition("\nimport ")
    imports = sorted({line for text, _ in (*parts, (head, "")) for line in _imports(text)})
    bodies = [text.rstrip() for _, text in parts]
    return "\n\n".join(
        [opening.rstrip(), _ALONE + "\n" + "\n".join(imports), "\n\n\n".join([*bodies, body])]
    ).encode()


def _cut(name: str) -> tuple[str, str]:
    """Return the text of a part before its first ruled line, and from there on."""
    text = (resources.files(__name__) / f"{name}.py").read_text(encoding="utf-8")
    head, rule, body = text.partition(_BODY)
    return head, rule + body


def _imports(head: str) -> list[str]:
    return [line for line in head.splitlines() if line.startswith("import ")]
