"""Finds every sentence that needs a translation: code, templates, problem titles, statute labels.

Used by `tools/catalogues.py` and by the test that holds the catalogues against the code. Which
finder reads which file is said in `babel.cfg`.
"""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir, extract_python
from babel.messages.frontend import parse_mapping_cfg

# line, name of the marking function (None: already chosen), message, comments
Found = tuple[int, str | None, Any, list[str]]
KEYWORDS = {**DEFAULT_KEYWORDS, "sentence": None}
LABELS = ("label", "reason", "then")


def extract(root: Path) -> Catalog:
    """Return all messages under `root`, found by the rules of its `babel.cfg`."""
    with (root / "babel.cfg").open(encoding="utf-8") as config:
        methods, options = parse_mapping_cfg(config, filename="babel.cfg")
    messages = extract_from_dir(
        root, methods, options, keywords=KEYWORDS, comment_tags=("Translators:",)
    )
    found = Catalog(project="fieldapi", charset="utf-8")
    for file, line, message, comments, context in messages:
        found.add(message, None, [(file, line)], auto_comments=comments, context=context)
    return found


def titles(
    file: BinaryIO,
    keywords: Any,  # noqa: ANN401 - Babel's own type, passed on
    comment_tags: Any,  # noqa: ANN401 - as above
    *,
    options: Any,  # noqa: ANN401 - as above
) -> Iterator[Found]:
    """Yield the `title` of every class of the problem catalogue, beside its marked sentences."""
    for node in ast.walk(ast.parse(file.read())):
        if isinstance(node, ast.ClassDef):
            yield from _titles_of(node)
    file.seek(0)
    marked: Iterator[Any] = extract_python(file, keywords, comment_tags, options)
    yield from marked


def labels(file: BinaryIO, *_settings: object, options: object) -> Iterator[Found]:  # noqa: ARG001
    """Yield the English labels and sentences of a statute file."""
    for rows in tomllib.load(file).values():
        for row in rows if isinstance(rows, list) else []:
            yield from ((1, None, row[key], []) for key in LABELS if isinstance(row.get(key), str))


def _titles_of(node: ast.ClassDef) -> Iterator[Found]:
    for line in node.body:
        for name, value in _assigned(line):
            if name == "title" and isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield line.lineno, None, value.value, []


def _assigned(line: ast.stmt) -> list[tuple[str, ast.expr]]:
    if isinstance(line, ast.AnnAssign) and line.value is not None:
        return [(ast.unparse(line.target), line.value)]
    if not isinstance(line, ast.Assign):
        return []
    target, value = line.targets[0], line.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return [(ast.unparse(one), to) for one, to in zip(target.elts, value.elts, strict=True)]
    return [(ast.unparse(target), value)]
