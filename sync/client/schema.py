"""What a server tells every phone: which fields are personal, which are sets, how much one request
may carry. Read from `GET /api/v1/sync/schema` and `/limits`; everything else about a field is the
server's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sync.wire import JSON

_NO_FIELDS: Mapping[str, JSON] = {}


class SchemaInvalid(ValueError):
    """A document that is no schema of records."""


@dataclass(frozen=True)
class KindSchema:
    """One kind of record. `facts`: fields known to be not personal. `sets`: set field → the
    member that names an element, None if the element names itself.
    """

    facts: frozenset[str] = frozenset()
    sets: Mapping[str, str | None] = field(default_factory=dict)

    def is_personal(self, name: str) -> bool:
        """Say whether a field travels in an op of its own; an unknown one does, to be safe."""
        return name not in self.facts

    def key_of(self, name: str, element: JSON) -> JSON:
        """Return what names this element of the set `name`; one without its key names itself.

        >>> KindSchema(sets={"witnesses": "id"}).key_of("witnesses", {"id": "w1", "name": "Ravi"})
        'w1'
        """
        member = self.sets.get(name)
        if member is None or not isinstance(element, dict):
            return element
        return element.get(member, element)


@dataclass(frozen=True)
class Schema:
    """The kinds of one schema version; without any (the phone has not met the server's schema
    yet) every field counts as personal, which is the safe side.
    """

    version: int = 1
    kinds: Mapping[str, KindSchema] = field(default_factory=dict)

    def kind(self, name: str) -> KindSchema:
        """Return the fields of a kind, none if it is unknown."""
        return self.kinds.get(name, KindSchema())


@dataclass(frozen=True)
class Limits:
    """What one request may carry. `wire_bytes`: as sent; a batch keeps to it uncompressed."""

    ops: int = 500
    wire_bytes: int = 1 << 20
    records: int = 500


def read_limits(document: JSON) -> Limits:
    """Return the limits of a sync; a number that is not told stays as published."""
    told = document.get("sync") if isinstance(document, dict) else None
    numbers = told if isinstance(told, dict) else {}

    def number(name: str, usual: int) -> int:
        value = numbers.get(name)
        return value if isinstance(value, int) and value > 0 else usual

    return Limits(
        ops=number("ops", Limits.ops),
        wire_bytes=number("wire_bytes", Limits.wire_bytes),
        records=number("pull_records", Limits.records),
    )


def read_schema(document: JSON) -> Schema:
    """Return the schema in the server's document. Raises SchemaInvalid if it is none."""
    members = _members(document)
    version = members.get("schema")
    if not isinstance(version, int):
        raise SchemaInvalid("the schema names no version")
    kinds = {name: _kind(kind) for name, kind in _members(members.get("kinds")).items()}
    return Schema(version, kinds)


def _kind(document: JSON) -> KindSchema:
    fields = {n: _members(f) for n, f in _members(_members(document).get("fields")).items()}
    facts = frozenset(name for name, row in fields.items() if row.get("personal") is False)
    return KindSchema(facts, {n: _key(f) for n, f in fields.items() if f.get("class") == "set"})


def _key(row: Mapping[str, JSON]) -> str | None:
    key = row.get("key")
    return key if isinstance(key, str) else None


def _members(value: JSON) -> Mapping[str, JSON]:
    if not isinstance(value, dict):
        raise SchemaInvalid("a schema is an object of objects")
    return value
