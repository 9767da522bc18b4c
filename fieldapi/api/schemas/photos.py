"""What the API answers about photos."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate

from fieldapi.api.schemas.common import IdField, Sha256Field

STATES = ("announced", "receiving", "stored", "quarantined", "unlinked")


class ExifSchema(ma.Schema):
    """What the camera wrote, checked for sense; null where it wrote nothing usable."""

    lat = fields.Float(allow_none=True)
    lon = fields.Float(allow_none=True)
    taken_at = fields.String(
        allow_none=True, metadata={"description": "Wall clock where the photo was taken."}
    )
    offset = fields.String(allow_none=True, metadata={"examples": ["+05:30"]})
    orientation = fields.Integer(allow_none=True)
    make = fields.String(allow_none=True)
    model = fields.String(allow_none=True)


class SetAsideSchema(ma.Schema):
    """Bytes that came for a photo and are not the ones that it announced."""

    sha256 = Sha256Field(required=True)
    size = fields.Integer(required=True)
    at = fields.String(required=True, metadata={"format": "date-time"})


class PhotoSchema(ma.Schema):
    """A photo: what became of its bytes, and what was found in them once `analysed_at` is set."""

    id = IdField(required=True)
    state = fields.String(required=True, validate=validate.OneOf(STATES))
    stored_at = fields.String(allow_none=True, metadata={"format": "date-time"})
    analysed_at = fields.String(allow_none=True, metadata={"format": "date-time"})
    verdict = fields.String(
        allow_none=True, metadata={"enum": ["accept", "accept_flagged", "reject", None]}
    )
    reason = fields.String(allow_none=True)
    flags = fields.List(fields.String(), required=True)
    format = fields.String(allow_none=True)
    width = fields.Integer(allow_none=True, metadata={"description": "Pixels, upright."})
    height = fields.Integer(allow_none=True)
    exif = fields.Nested(ExifSchema, allow_none=True)
    sha256 = Sha256Field(allow_none=True)
    size = fields.Integer(allow_none=True)
    findings = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(),
        metadata={"description": "What was compared for a flag: numbers, tolerance, a sentence."},
    )
    set_aside = fields.List(
        fields.Nested(SetAsideSchema),
        metadata={"description": "Other bytes that came for this photo, and replaced nothing."},
    )


class UnlinkedSchema(ma.Schema):
    """Bytes whose record has yet to arrive: kept, and adopted when it does."""

    id = IdField(required=True)
    state = fields.String(required=True, validate=validate.Equal("unlinked"))
    sha256 = Sha256Field(required=True)
    size = fields.Integer(required=True)
