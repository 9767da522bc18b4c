"""Bodies and answers about reviews: the decision on a report, and that on a field."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate

from fieldapi.api.schemas.common import IdField, InstantField, PageSchema, StrictSchema
from fieldapi.domain.reviews import OUTCOMES
from fieldapi.models import RECORDS
from fieldapi.queries.reviews import FIELD, REPORT


class NewReviewSchema(StrictSchema):
    """A decision on a report. `reason` reaches the phone; only taking it up goes without one."""

    id = IdField(required=True)
    seizure = IdField(required=True)
    outcome = fields.String(required=True, validate=validate.OneOf(OUTCOMES))
    reason = fields.String(load_default="", validate=validate.Length(max=2000))


class DecisionSchema(StrictSchema):
    """A decision on a field: `head`, the op whose value stands, or `value`, another one."""

    op = IdField(required=True)
    head = fields.String(load_default=None, validate=validate.Length(max=80))
    value = fields.Raw(allow_none=True)
    reason = fields.String(load_default="", validate=validate.Length(max=2000))


class ReviewSchema(ma.Schema):
    """A decision on a report (`about`: `report`), or a field with two values (`field`)."""

    id = IdField(required=True)
    about = fields.String(required=True, validate=validate.OneOf((REPORT, FIELD)))
    seizure = IdField(required=True, allow_none=True)
    # of a report
    outcome = fields.String(validate=validate.OneOf(OUTCOMES))
    reason = fields.String()
    by = IdField()
    at = InstantField()
    # of a field
    kind = fields.String(validate=validate.OneOf(tuple(RECORDS)))
    record = IdField()
    field = fields.String(metadata={"description": "Dotted name, e.g. `count`."})
    state = fields.String(validate=validate.OneOf(("open", "decided")))
    heads = fields.List(fields.Dict(), metadata={"description": "Every value that stands."})
    decided = fields.Dict(allow_none=True)


class ReviewQuerySchema(PageSchema):
    """What a list of reviews can be narrowed to."""

    about = fields.String(load_default=None, validate=validate.OneOf((REPORT, FIELD)))
    seizure = IdField(load_default=None)
