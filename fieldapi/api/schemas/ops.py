"""Ops that wait for a reviewer: how they are listed, and the verdict on one."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate

from fieldapi.api.schemas.common import ActorField, IdField, InstantField, PageSchema, StrictSchema
from fieldapi.queries.waiting import STATUSES


class WaitingOpSchema(ma.Schema):
    """An op that waits, or what became of it.

    `op` is its id, or the SHA-256 of its bytes where it has none. `fields` names what was parked
    where the rest of it applies. `content` is the op as sent, `raw` its bytes if they are no JSON.
    """

    actor = ActorField(required=True)
    op = fields.String(required=True)
    kind = fields.String(required=True)
    record = fields.String(required=True)
    by = fields.String(required=True)
    via = fields.String(required=True, metadata={"description": "Who delivered it."})
    status = fields.String(
        required=True, validate=validate.OneOf(("held", "quarantined", "deferred"))
    )
    code = fields.String(required=True)
    fields_ = fields.Dict(
        data_key="fields", attribute="fields", keys=fields.String(), values=fields.String()
    )
    received_at = InstantField(required=True)
    resolved = fields.String(
        required=True,
        allow_none=True,
        metadata={"enum": ["released", "rejected", "corrected", "merged", None]},
    )
    resolved_at = InstantField(required=True, allow_none=True)
    reason = fields.String(required=True, allow_none=True)
    content = fields.Raw(required=True, allow_none=True)
    raw = fields.String(required=True, allow_none=True)
    erased = fields.Boolean(required=True)


class WaitingQuerySchema(PageSchema):
    """Which ops are listed: those that wait, or those that were judged."""

    status = fields.String(load_default="held", validate=validate.OneOf(tuple(STATUSES)))


class OpVerdictSchema(StrictSchema):
    """Why an op is let in or turned down: its author's phone will show it."""

    id = IdField()
    reason = fields.String(load_default="", validate=validate.Length(max=2000))
