"""What is said of pairs of reports that may be one seizure."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate

from fieldapi.api.schemas.common import IdField, PageSchema, StrictSchema
from fieldapi.models.duplicate import STATES
from fieldapi.services.duplicates import OUTCOMES


class DuplicateQuerySchema(PageSchema):
    """What a list of pairs can be narrowed to. `seizure`: the pairs of one report."""

    state = fields.String(load_default=None, validate=validate.OneOf(STATES))
    seizure = IdField(load_default=None)


class DuplicateDecisionSchema(StrictSchema):
    """The word on a pair: one seizure (`linked`), or not (`dismissed`), and why."""

    id = IdField(required=True)
    outcome = fields.String(required=True, validate=validate.OneOf(OUTCOMES))
    reason = fields.String(load_default="", validate=validate.Length(max=2000))


class DuplicateInShortSchema(ma.Schema):
    """A pair. `grounds`: metres and minutes apart, and the kinds, tags and photos in common."""

    id = IdField(required=True)
    seizures = fields.List(IdField(), required=True)
    grounds = fields.Dict(required=True)
    state = fields.String(required=True, validate=validate.OneOf(STATES))
    reason = fields.String(required=True, allow_none=True)
    decided_by = IdField(required=True, allow_none=True)
    decided_at = fields.String(required=True, allow_none=True)
    found_at = fields.String(required=True)


class DuplicateSchema(DuplicateInShortSchema):
    """A pair with both reports whole, in the order of `seizures`."""

    reports = fields.List(fields.Dict(), required=True)
