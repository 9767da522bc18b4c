"""Entries of the ledger with their proofs, and heads."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate

from fieldapi.api.schemas.common import IdField, InstantField, StrictSchema


class HeadSchema(ma.Schema):
    """A signed tree head (docs/protocol/sync.md section 3)."""

    authority = IdField(required=True)
    epoch = fields.String(required=True)
    size = fields.Integer(required=True)
    root = fields.String(required=True)
    at = InstantField(required=True)
    signature = fields.String(required=True)


class EntrySchema(ma.Schema):
    """An entry as it was hashed (`text`), with the path that proves it to be under `head`.

    Leaf: SHA-256(0x00 ‖ text); `proof` as RFC 6962 §2.1.1 has it, hex, nearest first.
    """

    seq = fields.Integer(required=True)
    text = fields.String(required=True)
    entry = fields.Dict(required=True)
    leaf = fields.String(required=True)
    proof = fields.List(fields.String(), required=True)
    head = fields.Nested(HeadSchema, required=True)
    public_key = fields.String(required=True)


class ConsistencyQuerySchema(StrictSchema):
    """Two sizes of the ledger; `to` left out is the present one."""

    from_ = fields.Integer(required=True, data_key="from", validate=validate.Range(0, 2**53))
    to = fields.Integer(load_default=None, validate=validate.Range(0, 2**53))


class ConsistencySchema(ma.Schema):
    """The proof that the ledger of size `to` continues that of size `from` (RFC 6962 §2.1.2)."""

    from_ = fields.Integer(required=True, data_key="from", attribute="from")
    to = fields.Integer(required=True)
    consistency = fields.List(fields.String(), required=True)
    head = fields.Nested(HeadSchema, required=True)
