"""Schema parts that every noun shares. A body names only what it may set, all else is a fault."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from fieldapi import limits
from fieldapi.clock import format_instant, parse_instant
from fieldapi.ids import is_actor, is_id, is_sha256


class StrictSchema(ma.Schema):
    """A body or a query that refuses members it does not know."""

    class Meta:
        unknown = ma.RAISE


class IdField(fields.String):
    """A UUID as this API writes it: lower case, with hyphens."""

    default_error_messages = {"id": "Not a UUID in lower case with hyphens."}  # noqa: RUF012

    def _deserialize(self, value: object, attr: object, data: object, **kwargs: object) -> str:
        if not is_id(value):
            raise self.make_error("id")
        return str(value)


class ActorField(fields.String):
    """An actor: 16 lower-case hex digits."""

    default_error_messages = {"actor": "Not 16 lower-case hex digits."}  # noqa: RUF012

    def _deserialize(self, value: object, attr: object, data: object, **kwargs: object) -> str:
        if not is_actor(value):
            raise self.make_error("actor")
        return str(value)


class Sha256Field(fields.String):
    """A SHA-256 in lower-case hex."""

    default_error_messages = {"sha256": "Not a SHA-256 in lower-case hex."}  # noqa: RUF012

    def _deserialize(self, value: object, attr: object, data: object, **kwargs: object) -> str:
        if not is_sha256(value):
            raise self.make_error("sha256")
        return str(value)


class InstantField(fields.Field[datetime]):
    """An instant: RFC 3339 with an offset in; UTC with milliseconds and `Z` out."""

    default_error_messages = {  # noqa: RUF012
        "instant": "Not an RFC 3339 instant with an offset, e.g. 2026-11-30T06:10:00.000Z."
    }

    def _serialize(
        self, value: datetime | None, attr: object, obj: object, **kwargs: object
    ) -> str | None:
        return None if value is None else format_instant(value)

    def _deserialize(self, value: object, attr: object, data: object, **kwargs: object) -> datetime:
        try:
            return parse_instant(str(value))
        except (ValueError, OverflowError) as exc:
            raise self.make_error("instant") from exc


class WholeField(fields.Integer):
    """A whole number: neither 5.0 nor "5" nor true."""

    def __init__(self, *, least: int = 0, most: int = 2**53 - 1, **kwargs: Any) -> None:  # noqa: ANN401
        super().__init__(strict=True, validate=validate.Range(least, most), **kwargs)


class PageSchema(StrictSchema):
    """The part of a query that pages through a list."""

    limit = fields.Integer(
        load_default=limits.PAGE_DEFAULT, validate=validate.Range(1, limits.PAGE_MAX)
    )
    after = fields.String(load_default=None, validate=validate.Length(max=512))


class ProblemSchema(ma.Schema):
    """A problem document (RFC 9457). Clients branch on `type`."""

    class Meta:
        """Every problem may tell more by members of its own (RFC 9457 §3.2)."""

        unknown = ma.INCLUDE

    type = fields.String(required=True, metadata={"examples": ["urn:fieldapi:problem:not-found"]})
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)
    instance = fields.String(required=True, metadata={"description": "The request's id."})
    errors = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.String()),
        metadata={"description": "Messages by field path, e.g. `animals.0.count`."},
    )


def list_of(item: type[ma.Schema]) -> type[ma.Schema]:
    """Return the schema of a list answer: `items`, and `next`, the cursor of the next page."""
    name = item.__name__.removesuffix("Schema")
    return type(
        f"{name}ListSchema",
        (ma.Schema,),
        {
            "items": fields.List(fields.Nested(item), required=True),
            "next": fields.String(
                required=True,
                allow_none=True,
                metadata={"description": "Hand it back as `after`; null at the end."},
            ),
        },
    )
