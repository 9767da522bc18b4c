"""Rooms that only tests have: views with every kind of door and body, behind the real hooks."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from flask import Flask, request
from marshmallow import fields

from fieldapi.access import needs, public, signed_in, takes
from fieldapi.api import auth, docs
from fieldapi.api.blueprint import Blueprint, blueprint
from fieldapi.api.schemas.common import IdField, InstantField, PageSchema, StrictSchema, WholeField
from fieldapi.api.strict import json_body


class LotSchema(StrictSchema):
    kind = fields.String(required=True)
    count = WholeField(least=1, most=500, required=True)


class ReportSchema(StrictSchema):
    id = IdField(required=True)
    seized_at = InstantField()
    animals = fields.List(fields.Nested(LotSchema), load_default=list)


class FilterSchema(PageSchema):
    state = fields.String()


class EchoSchema(ma.Schema):
    echo = fields.Dict()


def furnish(app: Flask) -> Flask:
    """Add the rooms to `app` and return it."""
    app.extensions[docs.SPEC].register_blueprint(rooms())
    auth.require_declared(app)
    return app


def rooms() -> Blueprint:
    blp = blueprint("rooms", "/api/v1/rooms", "Rooms of the tests")
    _add_json(blp)
    _add_bytes(blp)
    _add_faults(blp)
    return blp


def _add_json(blp: Blueprint) -> None:
    @blp.post("/open")
    @public
    @blp.arguments(ReportSchema)
    @blp.response(201, EchoSchema)
    def report(body: dict[str, Any]) -> dict[str, Any]:
        return {"echo": {**json_body().value, "members": sorted(body)}}

    @blp.get("/list")
    @signed_in
    @blp.arguments(FilterSchema, location="query")
    @blp.response(200, EchoSchema)
    def listing(query: dict[str, Any]) -> dict[str, Any]:
        return {"echo": query}

    @blp.post("/desk")
    @blp.arguments(ReportSchema)
    @blp.response(201, EchoSchema)
    @needs("seizure.review")
    def review(_body: dict[str, Any]) -> dict[str, Any]:
        return {"echo": {"person": auth.principal().person_id}}


def _add_bytes(blp: Blueprint) -> None:
    @blp.put("/photo")
    @public
    @takes("image/jpeg", max_bytes=1000)
    @blp.response(200, EchoSchema)
    def photo() -> dict[str, Any]:
        return {"echo": {"size": len(request.stream.read())}}

    @blp.put("/pieces")
    @public
    @takes("image/jpeg", max_bytes=1000)
    @blp.response(200, EchoSchema)
    def pieces() -> dict[str, Any]:
        return {"echo": {"size": sum(map(len, iter(lambda: request.stream.read(100), b"")))}}

    @blp.post("/packed")
    @public
    @takes("application/json", is_gzip_taken=True)
    @blp.response(200, EchoSchema)
    def packed() -> dict[str, Any]:
        return {"echo": {"size": len(request.get_data())}}


def _add_faults(blp: Blueprint) -> None:
    @blp.get("/broken")
    @public
    @blp.response(200, EchoSchema)
    def broken() -> dict[str, Any]:
        raise ValueError("Kanta, 9876543210, owns this cow")

    @blp.get("/nan")
    @public
    @blp.response(200, EchoSchema)
    def not_a_number() -> dict[str, Any]:
        return {"echo": {"dues": float("nan")}}
