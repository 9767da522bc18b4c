"""What is said of devices, and what a phone sends to become one."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate

from fieldapi.api.schemas.authorities import SeatSchema
from fieldapi.api.schemas.common import ActorField, IdField, InstantField, PageSchema, StrictSchema
from fieldapi.api.schemas.people import HolderSchema
from fieldapi.models.device import STANDINGS


class PreviousSchema(StrictSchema):
    """The device that a phone was before its token, or its row in a restored database, was lost.

    `proof`: as the one beside it, by the key that the device had; `number`: kept if still free.
    """

    device = IdField(required=True)
    actor = ActorField(required=True)
    number = fields.Integer(load_default=None, allow_none=True, strict=True)
    proof = fields.String(required=True, validate=validate.Length(max=2000))


class AboutDeviceSchema(StrictSchema):
    """What a phone says of itself; none of it is believed, all of it helps to tell phones apart."""

    make = fields.String(load_default=None, allow_none=True)
    model = fields.String(load_default=None, allow_none=True)
    colour = fields.String(load_default=None, allow_none=True)
    os = fields.String(load_default=None, allow_none=True)
    app_version = fields.String(load_default=None, allow_none=True)


class RedemptionSchema(StrictSchema):
    """An enrolment code and the phone that holds it.

    `id`: made by the phone, becomes the id of the device. With it, an identical request within ten
    minutes is answered again (200, a fresh token) as long as no token of the device was used: for
    the phone whose first answer was lost on the way. Without it a code is good for one answer.
    """

    id = IdField(load_default=None)
    code = fields.String(required=True, validate=validate.Length(1, 64))
    device = fields.Nested(AboutDeviceSchema, load_default=dict)
    public_key = fields.Raw(
        load_default=None,
        allow_none=True,
        metadata={"description": "JWK: P-256 (ES256) or Ed25519 (EdDSA). Kept only with a proof."},
    )
    proof = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.Length(max=2000),
        metadata={"description": 'Compact JWS over `{"code"}`, the code as 11 plain characters.'},
    )
    previous = fields.Nested(PreviousSchema, load_default=None, allow_none=True)


class DeviceSchema(ma.Schema):
    """A device. `fingerprint`: six digits to compare with the phone's screen before confirming."""

    id = IdField(required=True)
    number = fields.Integer(required=True)
    actor = ActorField(required=True)
    person_id = IdField(required=True)
    standing = fields.String(required=True, validate=validate.OneOf(STANDINGS))
    standing_reason = fields.String(required=True, allow_none=True)
    confirmed = fields.Boolean(required=True)
    fingerprint = fields.String(required=True)
    make = fields.String(required=True, allow_none=True)
    model = fields.String(required=True, allow_none=True)
    colour = fields.String(required=True, allow_none=True)
    os = fields.String(required=True, allow_none=True)
    app_version = fields.String(required=True, allow_none=True)
    has_key = fields.Boolean(required=True)
    is_cloned = fields.Boolean(required=True)
    missing = fields.List(
        fields.List(fields.Integer()),
        allow_none=True,
        metadata={
            "description": "Numbers of its counter that never came, as first and last. "
            "Told of one device, null in a list."
        },
    )
    people = fields.List(
        IdField(),
        allow_none=True,
        metadata={"description": "Who may report from it. Told of one device, null in a list."},
    )
    enrolled_at = InstantField(required=True)
    standing_at = InstantField(required=True)
    first_used_at = InstantField(required=True, allow_none=True)


class EnrolledSchema(ma.Schema):
    """An enrolled device and its bearer token, shown this once."""

    device = fields.Nested(DeviceSchema, required=True)
    token = fields.String(required=True)
    person = fields.Nested(HolderSchema, required=True)
    authority = fields.Nested(SeatSchema, required=True)
    server_now = InstantField(required=True)


class DeviceQuerySchema(PageSchema):
    """Which devices are listed."""

    standing = fields.String(load_default=None, validate=validate.OneOf(STANDINGS))


class VerdictSchema(StrictSchema):
    """Why a device is rejected or revoked: its phone will show it."""

    id = IdField()
    reason = fields.String(load_default="", validate=validate.Length(max=500))
