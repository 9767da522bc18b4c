"""What is to be erased, and what was."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate

from fieldapi.api.schemas.common import IdField, InstantField, StrictSchema

_NAME = validate.Length(1, 100)


class NewErasureSchema(StrictSchema):
    """Either `fields`, taken out of every op of the record, or `ops`, taken out whole."""

    id = IdField(required=True)
    record = fields.String(
        required=True,
        validate=_NAME,
        metadata={"description": "`kind/id`, e.g. `seizure/0193a5c0-…`, or the id alone."},
    )
    fields_ = fields.List(
        fields.String(validate=_NAME),
        data_key="fields",
        attribute="fields",
        load_default=list,
        validate=validate.Length(max=50),
    )
    ops = fields.List(
        fields.String(validate=_NAME), load_default=list, validate=validate.Length(max=500)
    )
    reason = fields.String(required=True, validate=validate.Length(max=2000))


class ErasureSchema(ma.Schema):
    """What was taken out of a record, and from which ops (`actor/op`)."""

    id = IdField(required=True)
    record = fields.String(required=True)
    ops = fields.List(fields.String(), required=True)
    fields_ = fields.List(fields.String(), data_key="fields", attribute="fields", required=True)
    reason = fields.String(required=True)
    at = InstantField(required=True)
