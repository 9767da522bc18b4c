"""The shapes of the RxDB door, for its query and for the documentation."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate

from fieldapi import limits
from fieldapi.api.schemas.common import StrictSchema


class PullQuerySchema(StrictSchema):
    """Where to go on, and how many documents to give."""

    cp = fields.String(
        load_default="", metadata={"description": "`checkpoint.c` of the last page; empty first."}
    )
    limit = fields.Integer(
        load_default=limits.PAGE_DEFAULT, validate=validate.Range(1, limits.PAGE_MAX)
    )


class CheckpointSchema(ma.Schema):
    """A place in the ledger, opaque."""

    c = fields.String(required=True)


class PullSchema(ma.Schema):
    """One page of documents."""

    documents = fields.List(fields.Dict(), required=True)
    checkpoint = fields.Nested(CheckpointSchema, required=True)


class RowSchema(ma.Schema):
    """One document that an app changed."""

    newDocumentState = fields.Dict(required=True)  # noqa: N815 - RxDB's own name
    assumedMasterState = fields.Dict()  # noqa: N815 - as above
