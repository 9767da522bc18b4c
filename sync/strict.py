"""Strict JSON: what two programs could read differently is refused, with one kind of error.

`wire` hands these names on; `envelope` and `canonical` build on them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import NoReturn, TypeAlias

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"

MAX_DEPTH = 20
MAX_INTEGER = 2**53 - 1  # beyond it a JavaScript reader would see another number
_LONGEST_INTEGER = len(str(-MAX_INTEGER))

# Escapes that may make a NUL or half of a surrogate pair; most texts have none and skip the walk.
_SUSPECT_ESCAPE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_SURROGATE = re.compile("[\ud800-\udfff]")


class WireError(ValueError):
    """JSON that this protocol does not take. `code`: stable slug; `detail`: for people.

    Codes: `not-json bad-utf8 bom nul lone-surrogate duplicate-key not-finite number-range too-deep`
    and, for an envelope, `envelope too-many-ops`.
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


def loads(data: bytes | str, *, max_depth: int = MAX_DEPTH) -> JSON:
    """Return the one JSON value in `data`.

    Raises WireError for anything else, and for NaN, numbers out of range, duplicate keys, NUL,
    lone surrogates and more than `max_depth` nested containers; never another exception.

    >>> loads('{"count": 9}')
    {'count': 9}
    """
    text = data if isinstance(data, str) else _decode(data)
    is_whole = isinstance(data, bytes) or data.isascii() or not _SURROGATE.search(data)
    if text.startswith("\ufeff"):
        raise WireError("bom", "a byte order mark stands before the value")
    value, end = decode_at(text, skip_space(text, 0))
    if skip_space(text, end) != len(text):
        raise WireError("not-json", f"something follows the value at {end}")
    if has_suspect_escape(text) or not is_whole:
        check_texts(value)
    if text.count("[") + text.count("{") > max_depth:
        check_depth(value, max_depth)
    return value


def decode_at(text: str, start: int) -> tuple[JSON, int]:
    """Return the value that begins at `start` and where it ends; depth and texts unchecked.

    Raises WireError.
    """
    try:
        value, end = _DECODER.raw_decode(text, start)
    except RecursionError:
        raise WireError("too-deep", "the value is nested too deep to be read") from None
    except json.JSONDecodeError as exc:
        raise WireError("not-json", f"{exc.msg} at {exc.pos}") from None
    return value, end


def skip_space(text: str, start: int) -> int:
    """Return where the next character that is no JSON white space stands."""
    found = _NOT_SPACE.search(text, start)
    return found.start() if found else len(text)


def has_suspect_escape(text: str) -> bool:
    """Say whether some escape might make a NUL or a lone surrogate."""
    return _SUSPECT_ESCAPE.search(text) is not None


def check_depth(value: JSON, max_depth: int) -> None:
    """Raise WireError if containers are nested deeper than `max_depth`."""
    layer = _containers([value])
    for _ in range(max_depth):
        layer = _containers(inner for outer in layer for inner in _inside(outer))
    if layer:
        raise WireError("too-deep", f"more than {max_depth} levels of nesting")


def check_texts(value: JSON) -> None:
    """Raise WireError if a text or a key holds a NUL or a lone surrogate."""
    layer: list[JSON] = [value]
    while layer:
        for text in layer:
            if isinstance(text, str):
                _check_text(text)
        names = [name for outer in layer if isinstance(outer, dict) for name in outer]
        layer = [*names, *(inner for outer in layer for inner in _inside(outer))]


def _check_text(text: str) -> None:
    if "\x00" in text:
        raise WireError("nul", "a text holds U+0000")
    if _SURROGATE.search(text):
        raise WireError("lone-surrogate", "a text holds half of a surrogate pair")


def _containers(values: Iterable[JSON]) -> list[JSON]:
    return [value for value in values if isinstance(value, list | dict)]


def _inside(value: JSON) -> Iterable[JSON]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _decode(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as exc:
        raise WireError("bad-utf8", f"byte {exc.start} is not UTF-8") from None


def _object(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise WireError("duplicate-key", "an object names a member twice")
    return members


def _integer(digits: str) -> int:
    # The length comes first: Python refuses to read 4,301 digits with an exception of its own.
    if len(digits) <= _LONGEST_INTEGER and -MAX_INTEGER <= int(digits) <= MAX_INTEGER:
        return int(digits)
    raise WireError("number-range", "an integer is beyond 2^53 - 1")


def _float(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise WireError("number-range", "a number is beyond what a double holds")
    return number


def _constant(name: str) -> NoReturn:
    raise WireError("not-finite", f"{name} is no JSON value")


_NOT_SPACE = re.compile(r"[^ \t\n\r]")
_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_float, parse_constant=_constant
)
