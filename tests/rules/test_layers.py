"""Every module has its place among the layers of pyproject.toml; none slips in beside them."""

from __future__ import annotations

import re
import tomllib
from pathlib import PurePath

from tests.support import tree


def test_every_module_stands_on_a_layer() -> None:
    contracts = tomllib.loads(tree.text("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    layers = next(each["layers"] for each in contracts if each["type"] == "layers")
    placed = {name for layer in layers for name in re.findall(r"[\w.]+", layer)}
    modules = {_module(name) for name in tree.python("fieldapi/")} - {"fieldapi.__init__"}

    assert modules - placed == set()


def _module(name: str) -> str:
    return "fieldapi." + PurePath(name).parts[1].removesuffix(".py")
