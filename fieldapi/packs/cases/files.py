"""Opens files of stories: our own TOML, or other people's YAML, alone or inside a Markdown page.

Called by `fieldapi statutes check` and the suite. YAML needs the package `pyyaml`, which the
product itself does not.
"""

import importlib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable

from fieldapi.packs.cases.reader import read_stories
from fieldapi.packs.cases.stories import translate
from fieldapi.packs.cases.story import Plain, Row, Story, StoryError
from fieldapi.packs.cases.values import rows

_BLOCK = re.compile(r"^```ya?ml\n(.*?)^```", re.MULTILINE | re.DOTALL)


def shipped() -> tuple[Story, ...]:
    """Return the stories that stand beside the statutes. Raises StoryError."""
    found: list[Story] = []
    for file in _shipped():
        found.extend(read_stories(_toml(file.name, file.read_text(encoding="utf-8"))))
    return tuple(found)


def stories_in(name: str, text: str) -> tuple[tuple[Story, ...], tuple[str, ...]]:
    """Return the stories of a file by its name, and what could not be read of it.

    Raises StoryError.
    """
    if name.endswith(".toml"):
        return read_stories(_toml(name, text)), ()
    if name.endswith(".json"):
        return _translated([one for one in _list(json.loads(text)) if isinstance(one, Mapping)])
    blocks = _BLOCK.findall(text) if name.endswith((".md", ".markdown")) else [text]
    return _translated([one for block in blocks for one in _yaml(name, block)])


def _translated(blocks: list[Row]) -> tuple[tuple[Story, ...], tuple[str, ...]]:
    shared: dict[str, Plain] = {}
    for file in _shipped():
        data = _toml(file.name, file.read_text(encoding="utf-8"))
        shared[file.name.partition(".")[0]] = [*rows(data.get("register"))]
        calendar = data.get("calendar")
        shared["office"] = calendar.get("office") if isinstance(calendar, Mapping) else []
    data, left = translate(blocks, shared)
    return read_stories(data), left


def _yaml(name: str, text: str) -> Iterator[Row]:
    try:
        yaml = importlib.import_module("yaml")
    except ModuleNotFoundError as exc:
        raise StoryError(f"{name}: YAML needs the package pyyaml; TOML and JSON do not") from exc
    try:
        found: Plain = yaml.safe_load(text)
    except yaml.YAMLError as exc:
        raise StoryError(f"{name}: {exc}") from exc
    yield from (one for one in _list(_worded(found)) if isinstance(one, Mapping))


def _worded(value: Plain) -> Plain:
    """Return a value with words for keys: YAML reads the key `on` as a truth."""
    if isinstance(value, Mapping):
        keys: dict[object, str] = {True: "on", False: "off"}
        return {keys.get(key, str(key)): _worded(one) for key, one in value.items()}
    return [_worded(one) for one in value] if isinstance(value, list) else value


def _list(value: Plain) -> list[Plain]:
    return value if isinstance(value, list) else [value]


def _toml(name: str, text: str) -> Row:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as exc:
        raise StoryError(f"{name}: {exc}") from exc


def _shipped() -> list[Traversable]:
    folder = files("fieldapi") / "statutes"
    found = [one for one in folder.iterdir() if one.name.endswith(".cases.toml")]
    return sorted(found, key=lambda one: one.name)
