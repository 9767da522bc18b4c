"""What is said of official papers."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate

from fieldapi.api.schemas.common import IdField, StrictSchema
from fieldapi.documents.drawing import SIZES


class PrintQuerySchema(StrictSchema):
    """On which paper: a sheet of A4, or the 80 mm roll of a receipt printer."""

    size = fields.String(load_default="a4", validate=validate.OneOf(SIZES))


class PrintedSchema(StrictSchema):
    """One print, under an id of its own."""

    id = IdField(required=True)


class VoidSchema(StrictSchema):
    """Why a paper is void; its number is never used again."""

    id = IdField(required=True)
    reason = fields.String(required=True, validate=validate.Length(1, 500))


class DocumentSchema(ma.Schema):
    """A paper: what it says, and how often it was printed."""

    id = IdField(required=True)
    kind = fields.String(required=True)
    serial = fields.String(required=True, allow_none=True)
    act = IdField(required=True)
    case = IdField(required=True, allow_none=True)
    pound = IdField(required=True, allow_none=True)
    issued_at = fields.String(required=True)
    prints = fields.Integer(required=True)
    printed_at = fields.String(required=True, allow_none=True)
    is_void = fields.Boolean(required=True)
    data = fields.Dict(required=True)
