"""Bodies and answers about intakes; the fields come from `domain/records.py`."""

from __future__ import annotations

from marshmallow import fields

from fieldapi.api.schemas.records import LooseSchema, answer_members, record_members, schema_of

NewIntakeSchema = schema_of(
    "NewIntakeSchema",
    {
        **record_members("intake"),
        "photos": fields.Raw(metadata={"type": "array", "items": {"type": "object"}}),
    },
)
IntakeSchema: type[LooseSchema] = schema_of(
    "IntakeSchema",
    {**record_members("intake"), **answer_members(), "photos": fields.List(fields.Dict())},
)
