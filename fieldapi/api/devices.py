"""Devices over REST: a phone enrols itself; an admin lists, confirms, rejects, revokes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import request

from fieldapi.access import needs, public
from fieldapi.api.auth import principal
from fieldapi.api.blueprint import blueprint
from fieldapi.api.house import house
from fieldapi.api.schemas.common import list_of
from fieldapi.api.schemas.devices import (
    DeviceQuerySchema,
    DeviceSchema,
    EnrolledSchema,
    RedemptionSchema,
    VerdictSchema,
)
from fieldapi.api.strict import json_body
from fieldapi.api.turns import reading, turn_of
from fieldapi.queries import devices as queries
from fieldapi.queries.authorities import authority
from fieldapi.queries.devices import DeviceView
from fieldapi.queries.pages import Page
from fieldapi.queries.people import person
from fieldapi.services import device_people, devices, enrolments
from fieldapi.services.devices import Enrolled, NewDevice
from fieldapi.services.enrolments import Redemption

blp = blueprint("devices", "/api/v1/devices", "Phones and integrations")


@blp.post("")
@public
@blp.arguments(RedemptionSchema)
@blp.response(201, EnrolledSchema)
@blp.alt_response(200, schema=EnrolledSchema, description="An identical resend, a fresh token.")
def create(body: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """Enrol this phone by its one-time code.

    A code that is unknown, used, burnt or too old gets one and the same answer.
    """
    proven = {name: body[name] for name in ("public_key", "proof", "previous")}
    asked = Redemption(
        code=body["code"],
        device=NewDevice(**body["device"], **proven),
        body=json_body().value,
        id=body["id"],
        address=request.remote_addr or "",
        log=house().settings.outside_log,
    )
    enrolled = enrolments.redeem(house().database, asked)
    return _enrolled(enrolled), 200 if enrolled.is_resend else 201


@blp.get("")
@needs("device.read")
@blp.arguments(DeviceQuerySchema, location="query")
@blp.response(200, list_of(DeviceSchema))
def index(query: Mapping[str, Any]) -> Page[DeviceView]:
    """List the devices of your authority."""
    turn, standing = turn_of(query), query["standing"]
    return reading(
        lambda session, who: queries.devices(session, who.authority_id, turn, standing=standing)
    )


@blp.get("/<device_id>")
@needs("device.read")
@blp.response(200, DeviceSchema)
def read(device_id: str) -> DeviceView:
    """Give one device."""
    return reading(lambda session, who: queries.device(session, who.authority_id, device_id))


@blp.post("/<device_id>/confirm")
@needs("device.judge")
@blp.arguments(VerdictSchema)
@blp.response(200, DeviceSchema)
def confirm(body: Mapping[str, Any], device_id: str) -> DeviceView:
    """Confirm a device whose fingerprint you compared; what it handed in so far is let go."""
    return _judge(device_id, "confirm", body)


@blp.post("/<device_id>/reject")
@needs("device.judge")
@blp.arguments(VerdictSchema)
@blp.response(200, DeviceSchema)
def reject(body: Mapping[str, Any], device_id: str) -> DeviceView:
    """Turn a pending device down, and with it what it handed in."""
    return _judge(device_id, "reject", body)


@blp.post("/<device_id>/revoke")
@needs("device.judge")
@blp.arguments(VerdictSchema)
@blp.response(200, DeviceSchema)
def revoke(body: Mapping[str, Any], device_id: str) -> DeviceView:
    """End a device: from its next request on its token is refused."""
    return _judge(device_id, "revoke", body)


@blp.post("/<device_id>/people/<person_id>/join")
@needs("enrolment.issue")
@blp.response(200, DeviceSchema)
def join(device_id: str, person_id: str) -> DeviceView:
    """Let one more person report from this phone. Doing it twice changes nothing."""
    who = principal()
    house().database.transact(lambda unit: device_people.join(unit, who, device_id, person_id))
    return reading(lambda session, who: queries.device(session, who.authority_id, device_id))


@blp.post("/<device_id>/people/<person_id>/leave")
@needs("device.judge")
@blp.response(200, DeviceSchema)
def leave(device_id: str, person_id: str) -> DeviceView:
    """Let a person report from this phone no longer; what they wrote stays."""
    who, log = principal(), house().settings.outside_log
    house().database.transact(
        lambda unit: device_people.leave(unit, who, device_id, person_id, log=log)
    )
    return reading(lambda session, who: queries.device(session, who.authority_id, device_id))


def _judge(device_id: str, verdict: str, body: Mapping[str, Any]) -> DeviceView:
    who, log = principal(), house().settings.outside_log
    row = house().database.transact(
        lambda unit: devices.judge(
            unit, who, device_id, verdict=verdict, reason=body["reason"], log=log
        )
    )
    return queries.view_device(row)


def _enrolled(enrolled: Enrolled) -> dict[str, Any]:
    row, database = enrolled.device, house().database
    with database.read() as session:
        return {
            "device": queries.view_device(row),
            "token": enrolled.token,
            "person": person(session, row.authority_id, row.person_id),
            "authority": authority(session, row.authority_id),
            "server_now": database.clock(),
        }
