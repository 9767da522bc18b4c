"""Bodies and answers about seizures. The fields come from `domain/records.py`, so that REST and
sync cannot drift apart; values are checked by `services/reports.py`, by the same rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import marshmallow as ma
from marshmallow import fields

from fieldapi.api.schemas.common import IdField, InstantField, PageSchema, list_of
from fieldapi.domain.records import KINDS, RecordField
from fieldapi.queries.seizures import SORTS

_PARENT = "seizure_id"


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


def _schema(name: str, members: Mapping[str, Any]) -> type[LooseSchema]:
    return type(name, (LooseSchema,), dict(members))


def record_members(kind: str, *, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the fields of a kind as nested members of a body."""
    members: dict[str, Any] = {}
    groups: dict[str, dict[str, Any]] = {}
    for row in KINDS[kind].fields.values():
        group, _, member = row.name.partition(".")
        if row.name in without:
            continue
        if member:
            groups.setdefault(group, {})[member] = _documented(row)
        else:
            members[row.name] = _documented(row)
    for group, inner in groups.items():
        members[group] = fields.Raw(metadata={"type": "object", "x-members": sorted(inner)})
    return members


_ID = {"id": fields.String(required=False, metadata={"format": "uuid"})}
AnimalBodySchema = _schema(
    "AnimalBodySchema", {**_ID, **record_members("animal", without=(_PARENT,))}
)
PhotoBodySchema = _schema("PhotoBodySchema", {**_ID, **record_members("photo", without=(_PARENT,))})


class _SeizureAnswer(LooseSchema):
    """What every answer about a seizure has beside its fields."""

    id = IdField(required=True)
    by = fields.String(allow_none=True, metadata={"description": "The person who reported it."})
    rev = fields.String(metadata={"description": "What `If-Match` names, also the ETag."})
    state = fields.String(
        metadata={
            "enum": [
                "received",
                "under_review",
                "accepted",
                "rejected",
                "correction_asked",
                "resubmitted",
                "held",
            ]
        }
    )
    flags = fields.List(fields.String())
    trust = fields.String(metadata={"enum": ["signed", "unsigned"]})
    received_at = fields.String()
    review = fields.Dict(allow_none=True)
    reviews = fields.List(fields.Dict())
    photos_stored = fields.Integer()
    photos_announced = fields.Integer()
    is_incomplete = fields.Boolean()
    withdrawn = fields.Boolean()
    intakes = fields.List(fields.Dict())


NewSeizureSchema = _schema(
    "NewSeizureSchema",
    {
        **_ID,
        **record_members("seizure"),
        "animals": fields.Raw(metadata={"type": "array", "items": {"type": "object"}}),
        "photos": fields.Raw(metadata={"type": "array", "items": {"type": "object"}}),
    },
)
SeizureChangeSchema = _schema(
    "SeizureChangeSchema",
    {
        "op": fields.Raw(metadata={"type": "string", "format": "uuid"}),
        "reason": fields.Raw(metadata={"type": "string", "description": "A reviewer's reason."}),
        **record_members("seizure"),
    },
)
SeizureSchema: type[ma.Schema] = type(
    "SeizureSchema",
    (_SeizureAnswer,),
    {
        **record_members("seizure"),
        "animals": fields.List(fields.Dict()),
        "photos": fields.List(fields.Dict()),
    },
)
SeizureListSchema = list_of(SeizureSchema)


class SeizureQuerySchema(PageSchema):
    """What a list of seizures can be narrowed to."""

    state = fields.String()
    kind = fields.String(metadata={"description": "A kind of animal, e.g. `buffalo`."})
    from_ = InstantField(data_key="from")
    to = InstantField()
    flag = fields.String()
    bbox = fields.String(metadata={"description": "south,west,north,east in degrees"})
    q = fields.String(validate=ma.validate.Length(max=100))
    sort = fields.String(
        load_default="-received_at",
        validate=ma.validate.OneOf([*SORTS, *(f"-{name}" for name in SORTS)]),
    )
