"""What the health addresses answer."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate


class AliveSchema(ma.Schema):
    """The process answers."""

    status = fields.String(required=True, validate=validate.Equal("alive"))


class ReadySchema(ma.Schema):
    """Every part answers."""

    status = fields.String(required=True, validate=validate.Equal("ready"))
    parts = fields.Dict(
        keys=fields.String(),
        values=fields.String(validate=validate.OneOf(("ok", "failed", "denied"))),
        required=True,
    )
