"""What is said of authorities, pounds and places."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields

from fieldapi.api.schemas.common import IdField, InstantField, StrictSchema


class SeatSchema(ma.Schema):
    """An authority in short. `statute`: a series, or one pinned version of it."""

    id = IdField(required=True)
    code = fields.String(required=True)
    name = fields.String(required=True)
    statute = fields.String(required=True)
    languages = fields.List(fields.String(), required=True)


class AuthoritySchema(SeatSchema):
    """An authority with its limits on the map."""

    area = fields.Raw(required=True, allow_none=True, metadata={"description": "GeoJSON or null."})
    confirm_devices = fields.Boolean(required=True)
    created_at = InstantField(required=True)


class NewPoundSchema(StrictSchema):
    """A pound to be. `lat`, `lon`: WGS84 degrees, both or neither. `area`: GeoJSON polygon."""

    id = IdField(required=True)
    name = fields.String(required=True)
    lat = fields.Float(load_default=None, allow_none=True)
    lon = fields.Float(load_default=None, allow_none=True)
    area = fields.Raw(load_default=None, allow_none=True)


class PoundSchema(ma.Schema):
    """A pound. `closed_at`: null while it takes cattle."""

    id = IdField(required=True)
    name = fields.String(required=True)
    lat = fields.Float(required=True, allow_none=True)
    lon = fields.Float(required=True, allow_none=True)
    area = fields.Raw(required=True, allow_none=True)
    closed_at = InstantField(required=True, allow_none=True)
    created_at = InstantField(required=True)


class PlaceSchema(ma.Schema):
    """A named place that the phone offers."""

    id = IdField(required=True)
    name = fields.String(required=True)
    local_name = fields.String(required=True, allow_none=True)
    lat = fields.Float(required=True, allow_none=True)
    lon = fields.Float(required=True, allow_none=True)
