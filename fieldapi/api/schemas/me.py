"""What a device learns of itself."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate

from fieldapi.api.schemas.authorities import AuthoritySchema, PlaceSchema, PoundSchema
from fieldapi.api.schemas.common import IdField, InstantField, StrictSchema
from fieldapi.api.schemas.devices import DeviceSchema
from fieldapi.api.schemas.people import HolderSchema, RoleSchema
from fieldapi.locale import LANGUAGES


class MeQuerySchema(StrictSchema):
    """In which language labels are wanted; the person's own if absent."""

    language = fields.String(load_default=None, validate=validate.OneOf(LANGUAGES))


class NamedSchema(ma.Schema):
    """A person who may be named as `by` on the device."""

    id = IdField(required=True)
    name = fields.String(required=True)


class MeSchema(ma.Schema):
    """Everything a phone keeps of itself, its person, its authority and the statute in force."""

    person = fields.Nested(HolderSchema, required=True)
    roles = fields.List(fields.String(), required=True)
    memberships = fields.List(fields.Nested(RoleSchema), required=True)
    authority = fields.Nested(AuthoritySchema, required=True)
    device = fields.Nested(DeviceSchema, required=True, allow_none=True)
    people = fields.List(fields.Nested(NamedSchema), required=True)
    pounds = fields.List(fields.Nested(PoundSchema), required=True)
    keeps = fields.List(IdField(), required=True)
    places = fields.List(fields.Nested(PlaceSchema), required=True)
    language = fields.String(required=True)
    statute = fields.Dict(required=True)
    schema = fields.Integer(required=True, metadata={"description": "Version of the records."})
    protocol = fields.Integer(required=True)
    server_now = InstantField(required=True)


class TokenSchema(ma.Schema):
    """A second token: the first works until this one is used."""

    token = fields.String(required=True)
    server_now = InstantField(required=True)
