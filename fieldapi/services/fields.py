"""Checks the given fields of server-owned records (authority, pound, person …) before a write.

Called by the services that create them. All faults are named at once, by field. Must never
change a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from fieldapi.domain.geo import read_area
from fieldapi.domain.values import Fault, ValueType
from fieldapi.domain.words import Sentence, sentence
from fieldapi.problems import InvalidBody
from sync.wire import JSON, canonical

_NAMED = 10


@dataclass(frozen=True)
class _NoWords:
    """A vocabulary without kinds: these fields never name an animal."""

    known_kinds: frozenset[str] = frozenset()


def check_fields(types: Mapping[str, ValueType], given: Mapping[str, JSON]) -> None:
    """Raise `InvalidBody` naming every field whose value is not of its type. None is left out."""
    errors: dict[str, list[str]] = {}
    for name, type_ in types.items():
        value = given.get(name)
        if value is None:
            continue
        for fault in type_.faults(value, _NoWords()):
            errors.setdefault(_path(name, fault), []).append(fault.text)
    if errors:
        raise InvalidBody(errors=errors)


def area_text(field: str, area: JSON) -> str:
    """Return a GeoJSON area as the text that is stored. Raises `InvalidBody` naming `field`."""
    try:
        read_area(area)
    except ValueError as exc:
        raise refuse(field, exc.args[0]) from exc
    return canonical(area).decode()


def refuse(field: str, message: str) -> InvalidBody:
    """Return the problem that one field cannot be taken; the caller raises it."""
    said = Sentence("{field}: {message}", {"field": field, "message": message})
    return InvalidBody(said, errors={field: [message]})


def look_at(errors: Iterable[str]) -> Sentence:
    """Return the sentence that names the first fields of a body at fault."""
    return sentence("Look at: {fields}.", fields=", ".join(islice(errors, _NAMED)))


def _path(name: str, fault: Fault) -> str:
    return f"{name}.{fault.path}" if fault.path else name
