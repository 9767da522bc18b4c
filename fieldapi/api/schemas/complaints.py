"""What is said of complaints: how one is taken in, and how it is told, in short and whole."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate

from fieldapi.api.schemas.cases import ActVerdictSchema
from fieldapi.api.schemas.common import IdField, InstantField, PageSchema, StrictSchema
from fieldapi.law.complaints import ALLEGATIONS, DETAINER, SEIZER

_TEXT = validate.Length(max=2000)


class RespondentSchema(StrictSchema):
    """Against whom: a party, who seized the cattle or detained them."""

    party = IdField(required=True)
    part = fields.String(load_default=SEIZER, validate=validate.OneOf((SEIZER, DETAINER)))


class AllegationSchema(StrictSchema):
    """What is alleged, in the words of whoever complains."""

    allegation = fields.String(required=True, validate=validate.OneOf(ALLEGATIONS))
    text = fields.String(load_default="", validate=_TEXT)


class NewComplaintSchema(StrictSchema):
    """A complaint as it is taken in. `heads`: heads of the case; none: all of `by`.

    `made_at`: when it was made, if not now; a late one is taken in, and told to be late.
    """

    id = IdField(required=True)
    case = IdField(required=True)
    by = IdField(required=True)
    agent = IdField(load_default=None, allow_none=True)
    is_acquainted = fields.Boolean(load_default=False, truthy={True}, falsy={False})
    is_verbal = fields.Boolean(load_default=False, truthy={True}, falsy={False})
    taken_down_by = fields.String(
        load_default=None, allow_none=True, validate=validate.Length(max=200)
    )
    made_at = InstantField(load_default=None, allow_none=True)
    text = fields.String(required=True, validate=_TEXT)
    heads = fields.List(IdField(), load_default=list, validate=validate.Length(max=500))
    against = fields.List(
        fields.Nested(RespondentSchema), load_default=list, validate=validate.Length(max=20)
    )
    allegations = fields.List(
        fields.Nested(AllegationSchema), load_default=list, validate=validate.Length(max=20)
    )


class ComplaintQuerySchema(PageSchema):
    """What a list of complaints can be narrowed to."""

    case = IdField(load_default=None)


class ComplaintInShortSchema(ma.Schema):
    """A complaint as a list tells it."""

    id = IdField(required=True)
    case = IdField(required=True)
    by = IdField(required=True)
    agent = IdField(required=True, allow_none=True)
    state = fields.String(required=True)
    outcome = fields.String(required=True, allow_none=True)
    made_at = fields.String(required=True)
    decided_at = fields.String(required=True, allow_none=True)
    created_at = fields.String(required=True)
    taken_by = IdField(required=True)


class AllegationFactSchema(ma.Schema):
    """One thing that the record shows: a code, its value, and the pieces it is read from."""

    fact = fields.String(required=True)
    value = fields.Raw(required=True, allow_none=True)
    evidence = fields.List(fields.String(), required=True)
    rule = fields.String()
    section = fields.String()
    source = fields.String()
    state = fields.String()


class AllegationStateSchema(ma.Schema):
    """What is alleged beside what the record shows, and what was found of it."""

    allegation = fields.String(required=True)
    said = fields.String(required=True)
    record = fields.List(fields.Nested(AllegationFactSchema), required=True)
    evidence = fields.List(fields.String(), required=True)
    finding = fields.Dict(required=True, allow_none=True)


class ComplaintSchema(ComplaintInShortSchema):
    """A complaint whole. `draft`: an order that waits for a second person."""

    reference = fields.String(required=True, allow_none=True)
    statute = fields.Dict(required=True)
    text = fields.String(required=True)
    is_verbal = fields.Boolean(required=True)
    taken_down_by = fields.String(required=True, allow_none=True)
    is_acquainted = fields.Boolean(required=True)
    heads = fields.List(IdField(), required=True)
    in_time = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "`yes`, `doubtful` (on one reading) or `late`."},
    )
    doubts = fields.List(fields.Nested(ActVerdictSchema), required=True)
    clocks = fields.List(fields.Dict(), required=True)
    decides = fields.String(required=True, allow_none=True)
    is_decided_here = fields.Boolean(required=True)
    against = fields.List(fields.Dict(), required=True)
    allegations = fields.List(fields.Nested(AllegationStateSchema), required=True)
    order = fields.Dict(required=True, allow_none=True)
    draft = fields.Dict(required=True, allow_none=True)
    money = fields.Dict(required=True)
    acts = fields.List(fields.Nested(ActVerdictSchema), required=True)
    history = fields.List(fields.Dict(), required=True)


class EvidenceListSchema(ma.Schema):
    """Everything that can be picked: `ref`, `kind`, `at`, `what`, and more by kind of piece."""

    items = fields.List(fields.Dict(), required=True)
    next = fields.String(required=True, allow_none=True)
