"""Bodies, answers and queries about seizures; the fields come from `domain/records.py`."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields

from fieldapi.api.schemas.common import IdField, InstantField, PageSchema, StrictSchema, list_of
from fieldapi.api.schemas.records import answer_members, record_members, schema_of
from fieldapi.domain.flags import FLAGS
from fieldapi.models.seizure import STATES
from fieldapi.queries.seizures import SORTS

_PARENT = "seizure_id"


_ID = {"id": fields.String(required=False, metadata={"format": "uuid"})}
AnimalBodySchema = schema_of(
    "AnimalBodySchema", {**_ID, **record_members("animal", without=(_PARENT,))}
)
PhotoBodySchema = schema_of(
    "PhotoBodySchema", {**_ID, **record_members("photo", without=(_PARENT,))}
)


_STATES = [*STATES, "held"]


NewSeizureSchema = schema_of(
    "NewSeizureSchema",
    {
        **_ID,
        **record_members("seizure"),
        "animals": fields.List(fields.Nested(AnimalBodySchema)),
        "photos": fields.List(fields.Nested(PhotoBodySchema)),
    },
)
SeizureChangeSchema = schema_of(
    "SeizureChangeSchema",
    {
        "op": fields.Raw(metadata={"type": "string", "format": "uuid"}),
        "reason": fields.Raw(metadata={"type": "string", "description": "A reviewer's reason."}),
        **record_members("seizure"),
    },
)
SeizureSchema = schema_of(
    "SeizureSchema",
    {
        **record_members("seizure"),
        **answer_members(),
        "rev": fields.String(metadata={"description": "What `If-Match` names, also the ETag."}),
        "state": fields.String(metadata={"enum": _STATES}),
        "review": fields.Dict(allow_none=True),
        "reviews": fields.List(fields.Dict()),
        "photos_stored": fields.Integer(),
        "photos_announced": fields.Integer(),
        "intakes": fields.List(fields.Dict()),
        "animals": fields.List(fields.Dict()),
        "photos": fields.List(fields.Dict()),
    },
)
SeizureListSchema = list_of(SeizureSchema)


class NarrowingSchema(StrictSchema):
    """What reports can be narrowed to, and in which order they come."""

    state = fields.String(validate=ma.validate.OneOf(STATES))
    kind = fields.String(metadata={"description": "A kind of animal, e.g. `buffalo`."})
    from_ = InstantField(data_key="from")
    to = InstantField()
    flag = fields.String(validate=ma.validate.OneOf([*FLAGS]))
    bbox = fields.String(metadata={"description": "south,west,north,east in degrees"})
    q = fields.String(validate=ma.validate.Length(max=100))
    reviewer = IdField(metadata={"description": "A person: the reports that are theirs to review."})
    sort = fields.String(
        load_default="-received_at",
        validate=ma.validate.OneOf([*SORTS, *(f"-{name}" for name in SORTS)]),
    )


class SeizureQuerySchema(NarrowingSchema, PageSchema):
    """What a list of seizures can be narrowed to."""


class ExportQuerySchema(NarrowingSchema):
    """What an export is narrowed to, as the list is."""

    personal = fields.Boolean(
        load_default=False,
        metadata={"description": "With names, numbers and free text of people."},
    )
