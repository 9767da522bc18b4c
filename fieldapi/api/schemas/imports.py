"""What is answered to a phone's outbox that came as a file."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate

from fieldapi.api.schemas.common import IdField, InstantField, Sha256Field
from fieldapi.api.schemas.sync import ResultSchema


class ImportedPhotoSchema(ma.Schema):
    """What became of one photo of the file. `ids`: the photos that announce these bytes."""

    sha256 = Sha256Field(required=True)
    size = fields.Integer(required=True)
    ids = fields.List(IdField(), required=True)
    state = fields.String(required=True, validate=validate.OneOf(("stored", "refused")))
    code = fields.String(required=True, allow_none=True)


class ImportedSchema(ma.Schema):
    """What became of a file: `results` op by op as of a sync, `photos` by their hash."""

    sha256 = Sha256Field(required=True, metadata={"description": "Of the whole file."})
    device = IdField(
        required=True,
        allow_none=True,
        metadata={"description": "The phone whose signature on the manifest holds."},
    )
    results = fields.List(fields.Nested(ResultSchema), required=True)
    photos = fields.List(fields.Nested(ImportedPhotoSchema), required=True)
    server_now = InstantField(required=True)
