"""What is said of people and their roles."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields, validate

from fieldapi.api.schemas.common import IdField, InstantField, StrictSchema
from fieldapi.models.person import ROLES

_MOST_ROLES = 20


class NewRoleSchema(StrictSchema):
    """A role to be held. `pound_id`: narrows a keeper to one pound. `starts_at`: now if absent."""

    role = fields.String(required=True, validate=validate.OneOf(ROLES))
    pound_id = IdField(load_default=None, allow_none=True)
    starts_at = InstantField(load_default=None, allow_none=True)
    ends_at = InstantField(load_default=None, allow_none=True)


class NewMembershipSchema(NewRoleSchema):
    """A role to be given to a person who is there already."""

    id = IdField(required=True)


class EndSchema(StrictSchema):
    """When a role ends: now if absent."""

    id = IdField()
    at = InstantField(load_default=None, allow_none=True)


class NewPersonSchema(StrictSchema):
    """A person to be. `capacity`: the right by which this person seizes, as in `/me`."""

    id = IdField(required=True)
    name = fields.String(required=True)
    capacity = fields.String(load_default=None, allow_none=True)
    mobile = fields.String(load_default=None, allow_none=True)
    language = fields.String(load_default="en")
    roles = fields.List(
        fields.Nested(NewRoleSchema), load_default=list, validate=validate.Length(max=_MOST_ROLES)
    )


class RoleSchema(ma.Schema):
    """A role held from `starts_at` until `ends_at` (null: open)."""

    id = IdField(required=True)
    role = fields.String(required=True)
    pound_id = IdField(required=True, allow_none=True)
    starts_at = InstantField(required=True)
    ends_at = InstantField(required=True, allow_none=True)


class HolderSchema(ma.Schema):
    """The person who holds a device, as the device is told."""

    id = IdField(required=True)
    name = fields.String(required=True)
    capacity = fields.String(required=True, allow_none=True)
    language = fields.String(required=True)


class PersonSchema(HolderSchema):
    """A person with every role, past and to come. `mobile` is masked but to an admin."""

    mobile = fields.String(required=True, allow_none=True)
    roles = fields.List(fields.Nested(RoleSchema), required=True)
    created_at = InstantField(required=True)
