"""What is said of removal orders and offences."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate

from fieldapi.api.schemas.common import IdField, InstantField, StrictSchema
from fieldapi.models.removal_order import REMOVAL_KINDS
from fieldapi.services.offences import WHAT


class NewOrderSchema(StrictSchema):
    """An order to be drafted. `data`: what of its particulars is known; issuing takes the rest."""

    id = IdField(required=True)
    kind = fields.String(load_default="special", validate=validate.OneOf(REMOVAL_KINDS))
    owner = IdField(load_default=None, allow_none=True)
    data = fields.Dict(keys=fields.String(), load_default=dict)


class OrderSchema(ma.Schema):
    """An order, with what was done under it."""

    id = IdField(required=True)
    kind = fields.String(required=True)
    owner = IdField(required=True, allow_none=True)
    state = fields.String(required=True)
    version = fields.String(required=True)
    data = fields.Dict(required=True)
    created_at = fields.String(required=True)
    history = fields.List(fields.Dict(), required=True)


class NewOffenceSchema(StrictSchema):
    """An offence that was seen."""

    id = IdField(required=True)
    what = fields.String(required=True, validate=validate.OneOf(sorted(WHAT)))
    committed_at = InstantField(required=True)
    section = fields.String(load_default="")
    case = IdField(load_default=None, allow_none=True)
    accused = IdField(load_default=None, allow_none=True)
    text = fields.String(load_default=None, allow_none=True)


class OffenceSchema(ma.Schema):
    """An offence, with what was made of it."""

    id = IdField(required=True)
    what = fields.String(required=True)
    section = fields.String(required=True)
    case = IdField(required=True, allow_none=True)
    accused = IdField(required=True, allow_none=True)
    text = fields.String(required=True, allow_none=True)
    state = fields.String(required=True)
    committed_at = fields.String(required=True)
    created_at = fields.String(required=True)
    history = fields.List(fields.Dict(), required=True)
