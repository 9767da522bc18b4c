"""What `/api/v1/limits` answers: groups of named numbers."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields

from fieldapi import limits


def _group(name: str, numbers: dict[str, int]) -> fields.Nested:
    members: dict[str, fields.Field] = {each: fields.Integer(required=True) for each in numbers}
    schema = ma.Schema.from_dict(members, name=f"{name.capitalize()}LimitsSchema")
    return fields.Nested(schema, required=True)


LimitsSchema = ma.Schema.from_dict(
    {name: _group(name, numbers) for name, numbers in limits.as_json().items()},
    name="LimitsSchema",
)
