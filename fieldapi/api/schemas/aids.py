"""Bodies and answers about aids; the fields come from `domain/records.py`."""

from __future__ import annotations

from marshmallow import fields

from fieldapi.api.schemas.records import LooseSchema, answer_members, record_members, schema_of

NewAidSchema = schema_of(
    "NewAidSchema",
    {
        **record_members("aid"),
        "photos": fields.Raw(metadata={"type": "array", "items": {"type": "object"}}),
    },
)
AidSchema: type[LooseSchema] = schema_of(
    "AidSchema",
    {**record_members("aid"), **answer_members(), "photos": fields.List(fields.Dict())},
)
