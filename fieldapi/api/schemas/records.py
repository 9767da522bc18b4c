"""Schemas of captured records, made from `domain/records.py`, so that REST and sync cannot drift
apart. They document; values are judged by `services/reports.py`, by the rules that park in sync.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import marshmallow as ma
from marshmallow import fields

from fieldapi.domain.records import KINDS, RecordField


class LooseSchema(ma.Schema):
    """A body whose members are judged by the table of records, not here."""

    class Meta:
        unknown = ma.INCLUDE


def _documented(row: RecordField) -> fields.Field[Any]:
    """Return a field that takes anything and documents what the table takes."""
    said: dict[str, Any] = dict(row.type.schema())
    if row.klass == "set":
        said = {"type": "array", "items": said}
    return fields.Raw(
        allow_none=True, metadata={**said, "x-merge-class": row.klass, "x-personal": row.personal}
    )


def schema_of(name: str, members: Mapping[str, Any]) -> type[LooseSchema]:
    return type(name, (LooseSchema,), dict(members))


def record_members(kind: str, *, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the fields of a kind as nested members of a body."""
    members: dict[str, Any] = {}
    groups: dict[str, list[str]] = {}
    for row in KINDS[kind].fields.values():
        group, _, member = row.name.partition(".")
        if row.name in without:
            continue
        if member:
            groups.setdefault(group, []).append(member)
        else:
            members[row.name] = _documented(row)
    for group, inner in groups.items():
        members[group] = fields.Raw(metadata={"type": "object", "x-members": sorted(inner)})
    return members


def answer_members() -> dict[str, Any]:
    """Return what every answer about a captured record has beside its fields."""
    return {
        "id": fields.String(metadata={"format": "uuid"}),
        "by": fields.String(allow_none=True, metadata={"description": "Who reported it."}),
        "flags": fields.List(fields.String()),
        "trust": fields.String(metadata={"enum": ["signed", "unsigned"]}),
        "received_at": fields.String(),
        "is_incomplete": fields.Boolean(),
        "withdrawn": fields.Boolean(),
    }
