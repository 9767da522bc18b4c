"""What is said of cases, acts and deadlines. An act's own particulars are judged by its service."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate

from fieldapi.api.schemas.common import IdField, InstantField, StrictSchema

_STATES = ("running", "due_soon", "overdue")


class AtSchema(StrictSchema):
    """As of which instant; now if absent."""

    at = InstantField(load_default=None)


class QuoteQuerySchema(AtSchema):
    """In which pound, as of when."""

    pound = IdField(load_default=None)


class DeadlineQuerySchema(StrictSchema):
    """Which deadlines."""

    state = fields.String(load_default=None, validate=validate.OneOf(_STATES))


class NewOfficialActSchema(ma.Schema):
    """An act. Beside these members each act takes its own particulars.

    `mode`: `perform` obeys the rules, `check` changes nothing, `record` states what was done.
    """

    class Meta:
        unknown = ma.INCLUDE

    id = IdField(required=True)
    act = fields.String(required=True)
    mode = fields.String(
        load_default="perform", validate=validate.OneOf(("perform", "check", "record"))
    )
    happened_at = InstantField(allow_none=True)
    reason = fields.String(allow_none=True)
    party = IdField(allow_none=True)
    custody = fields.List(IdField(), allow_none=True)


class DueLineSchema(ma.Schema):
    """A line of what is due: whole paise and the arithmetic."""

    line = fields.String(required=True)
    paise = fields.Integer(required=True)
    how = fields.String(required=True)
    section = fields.String(allow_none=True)
    rule = fields.String(allow_none=True)
    source = fields.String(allow_none=True)
    verified = fields.Boolean()
    note = fields.String(allow_none=True)


class ActVerdictSchema(ma.Schema):
    """Whether an act is allowed: `yes`, `warn` or `no`, under which rule, from when."""

    act = fields.String()
    allowed = fields.String(required=True)
    rule = fields.String(allow_none=True)
    code = fields.String(allow_none=True)
    reason = fields.String(allow_none=True)
    section = fields.String(allow_none=True)
    source = fields.String(allow_none=True)
    not_before = fields.String(allow_none=True)


class OfficialActSchema(ActVerdictSchema):
    """An act that was performed or recorded, with its serials and papers."""

    id = IdField(required=True)
    mode = fields.String(required=True)
    case = IdField()
    n = fields.Integer(required=True)
    happened_at = fields.String(required=True)
    performed_at = fields.String(required=True)
    by = fields.String(required=True)
    pound = fields.String(allow_none=True)
    party = IdField(allow_none=True)
    custody = fields.List(IdField())
    data = fields.Dict()
    written_reason = fields.String(allow_none=True)
    lines = fields.List(fields.Nested(DueLineSchema))
    total = fields.Integer(allow_none=True)
    flags = fields.List(fields.String())
    serials = fields.List(fields.String())
    documents = fields.List(fields.Dict())


class CaseSchema(ma.Schema):
    """A case: clocks, dues of each person, heads, acts allowed and acts done."""

    id = IdField(required=True)
    reference = fields.String(allow_none=True)
    at = fields.String(required=True)
    state = fields.String(required=True)
    is_stayed = fields.Boolean(required=True)
    pound = fields.String(allow_none=True)
    statute = fields.Dict(required=True)
    clocks = fields.List(fields.Dict(), required=True)
    dues = fields.List(fields.Dict(), required=True)
    animals = fields.List(fields.Dict(), required=True)
    custody = fields.List(fields.Dict(), required=True)
    flags = fields.List(fields.String(), required=True)
    money = fields.Dict(required=True)
    acts = fields.List(fields.Nested(ActVerdictSchema), required=True)
    history = fields.List(fields.Dict(), required=True)


class QuoteSchema(ma.Schema):
    """What a person owes in the open cases of a pound."""

    party = IdField(required=True)
    pound = fields.String(allow_none=True)
    at = fields.String(required=True)
    cases = fields.List(fields.Dict(), required=True)
    lines = fields.List(fields.Dict(), required=True)
    total = fields.Integer(allow_none=True)
    missing = fields.List(fields.String(), required=True)


class DeadlineSchema(ma.Schema):
    """What has to be done in a case, and until when."""

    case = IdField(required=True)
    reference = fields.String(allow_none=True)
    pound = fields.String(allow_none=True)
    rule = fields.String(required=True)
    starts_at = fields.String(required=True)
    last_moment = fields.String(required=True)
    opens_at = fields.String(allow_none=True)
    then = fields.String(required=True)
    favours = fields.String(required=True)
    source = fields.String(required=True)
    verified = fields.Boolean(required=True)
    state = fields.String(required=True)


class DeadlineListSchema(ma.Schema):
    """Deadlines, the nearest first."""

    items = fields.List(fields.Nested(DeadlineSchema), required=True)
    next = fields.String(required=True, allow_none=True)
