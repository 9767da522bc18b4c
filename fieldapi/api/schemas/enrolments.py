"""What is said of enrolment codes."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate

from fieldapi.api.schemas.common import IdField, InstantField, StrictSchema


class NewEnrolmentSchema(StrictSchema):
    """Who is to be enrolled. `confirmed`: the phone need not be confirmed by its fingerprint."""

    id = IdField(required=True)
    person_id = IdField(required=True)
    confirmed = fields.Boolean(load_default=False, truthy={True}, falsy={False})


class EnrolmentSchema(ma.Schema):
    """A code that was issued; the code itself is told only when it is made."""

    id = IdField(required=True)
    person_id = IdField(required=True)
    state = fields.String(
        required=True, validate=validate.OneOf(("open", "used", "burnt", "expired"))
    )
    confirmed = fields.Boolean(required=True)
    device_id = IdField(required=True, allow_none=True)
    created_at = InstantField(required=True)
    expires_at = InstantField(required=True)
    used_at = InstantField(required=True, allow_none=True)


class IssuedSchema(ma.Schema):
    """A fresh code. `url`: what the QR of the card opens."""

    id = IdField(required=True)
    person_id = IdField(required=True)
    code = fields.String(required=True)
    url = fields.String(required=True)
    confirmed = fields.Boolean(required=True)
    expires_at = InstantField(required=True)
