"""The shape of a sync answer, for the documentation; `services.sync` makes it."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields


class ResultSchema(ma.Schema):
    """What became of one op, by its position in the request."""

    i = fields.Integer(required=True)
    op = fields.String(required=True)
    status = fields.String(
        required=True,
        metadata={"enum": ["applied", "conflict", "held", "quarantined", "rejected", "retry"]},
    )
    seq = fields.Integer(allow_none=True)
    replayed = fields.Boolean()
    applied = fields.Boolean(metadata={"description": "Quarantined in part: the rest applies."})
    fields_ = fields.Dict(data_key="fields", keys=fields.String(), values=fields.Dict())
    key = fields.String(metadata={"description": "The hash it is kept under, if not by its id."})
    code = fields.String()
    by_op = fields.String(metadata={"description": "The op that corrected it."})
    retry_after_ms = fields.Integer()
    reason = fields.String(allow_none=True)


class SyncAnswerSchema(ma.Schema):
    """The answer to one exchange."""

    protocol = fields.Integer(required=True)
    server_now = fields.String(required=True)
    epoch = fields.String(required=True)
    results = fields.List(fields.Nested(ResultSchema), required=True)
    changes = fields.List(fields.Dict(), required=True)
    cursor = fields.String(required=True)
    more = fields.Boolean(required=True)
    photos = fields.List(fields.Dict(), required=True)
    tree_heads = fields.List(fields.Dict(), required=True)
