"""Finds the places in the code at which a crash can be tried."""

from __future__ import annotations

import ast

from tests.support import tree


def placed() -> list[str]:
    """Return the name of every `failpoint` in the code, as often as it stands there."""
    return [
        str(node.args[0].value)
        for name in tree.python("fieldapi/")
        for node in tree.nodes(name)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "failpoint"
        and isinstance(node.args[0], ast.Constant)
    ]
