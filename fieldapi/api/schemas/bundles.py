"""Court bundles: what is asked for, and how they stand."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate

from fieldapi.api.schemas.common import IdField, InstantField, PageSchema, StrictSchema, list_of
from fieldapi.domain.redactions import REDACTIONS
from fieldapi.models.bundle import STATES


class NewBundleSchema(StrictSchema):
    """A bundle of one case. `redact`: what stays outside. `missing`: `refuse` makes none while a
    photo is not there, `name` names it in the bundle.
    """

    id = IdField(required=True)
    seizure = IdField(required=True)
    complaint = IdField(load_default=None)
    redact = fields.List(
        fields.String(validate=validate.OneOf([*REDACTIONS])),
        load_default=list,
        validate=validate.Length(max=len(REDACTIONS)),
    )
    missing = fields.String(load_default="refuse", validate=validate.OneOf(["refuse", "name"]))


class BundleQuerySchema(PageSchema):
    """Which bundles are listed."""

    seizure = IdField(load_default=None)


class MissingSchema(ma.Schema):
    """Something that is not there."""

    what = fields.String(required=True, metadata={"examples": ["photo/0193a5c0-…"]})
    why = fields.String(required=True)


class BundleSchema(ma.Schema):
    """A bundle as it stands; `download` and `sha256` once it is `ready`."""

    id = IdField(required=True)
    seizure = IdField(required=True)
    complaint = IdField(required=True, allow_none=True)
    number = fields.Integer(required=True, metadata={"description": "Which submission it is."})
    state = fields.String(required=True, validate=validate.OneOf(STATES))
    progress = fields.Integer(required=True, validate=validate.Range(0, 100))
    missing = fields.List(fields.Nested(MissingSchema), required=True)
    redact = fields.List(fields.String(), required=True)
    asked_at = InstantField(required=True)
    asked_by = fields.String(required=True)
    done_at = InstantField(required=True, allow_none=True)
    sha256 = fields.String(required=True, allow_none=True)
    size = fields.Integer(required=True, allow_none=True)
    words = fields.String(required=True, allow_none=True)
    cut = fields.Integer(required=True, allow_none=True)
    head = fields.String(required=True, allow_none=True)
    contents = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    download = fields.String(required=True, allow_none=True)


BundleListSchema = list_of(BundleSchema)
