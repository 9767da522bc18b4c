"""What the desk says among itself: whose a report is, and comments."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate

from fieldapi.api.schemas.common import IdField, StrictSchema


class NewAssignmentSchema(StrictSchema):
    """Whose a report is to be; `to` null: nobody's."""

    id = IdField(required=True)
    to = IdField(required=True, allow_none=True)


class AssignmentSchema(ma.Schema):
    """Whose a report is, and who gave it to them."""

    seizure = IdField(required=True)
    to = IdField(required=True, allow_none=True)
    by = IdField(required=True, allow_none=True)
    at = fields.String(required=True, allow_none=True)


class NewCommentSchema(StrictSchema):
    """A note beside a report, for the desk alone."""

    id = IdField(required=True)
    text = fields.String(required=True, validate=validate.Length(max=2000))


class CommentSchema(ma.Schema):
    """A note as it was written."""

    id = IdField(required=True)
    seizure = IdField(required=True)
    by = IdField(required=True)
    at = fields.String(required=True)
    text = fields.String(required=True)


class CommentListSchema(ma.Schema):
    """Every note beside a report, oldest first."""

    items = fields.List(fields.Nested(CommentSchema), required=True)
    next = fields.String(required=True, allow_none=True)
