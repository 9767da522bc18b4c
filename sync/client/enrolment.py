"""Turns a one-time code into a device: the only request a phone makes without a token.

Called by `device`. The code comes from a printed card or a QR; it works once. This client has no
key (the standard library signs nothing), so it cannot come back by `previous` as the app does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sync import wire
from sync.client.answer import instant_ms
from sync.client.faults import NotOurServer
from sync.client.identity import Device
from sync.client.transport import Transport, json_request
from sync.wire import JSON


@dataclass(frozen=True)
class Enrolment:
    """What a phone asks for. `id`: made by it and the same at every try, so that an answer lost on
    the way can be had again. `about`: make, model, colour, os, app_version.
    """

    id: str
    code: str
    about: Mapping[str, str]


def enrol(transport: Transport, asked: Enrolment) -> tuple[Device, int]:
    """Return the device that the server made of this phone, and the server's clock in ms.

    Raises Refused for a code that is unknown, used or too old; after any other fault the same
    call may be made again.
    """
    about: dict[str, JSON] = dict(asked.about)
    document: dict[str, JSON] = {"id": asked.id, "code": asked.code, "device": about}
    answer = transport.call(json_request("/api/v1/devices", wire.canonical(document)))
    told = _object(answer.json())
    return _device(told, transport.base_url), instant_ms(str(told.get("server_now")))


def _device(told: Mapping[str, JSON], base_url: str) -> Device:
    device, person, authority = (_object(told.get(n)) for n in ("device", "person", "authority"))
    number, token = device.get("number"), told.get("token")
    if not isinstance(number, int) or not isinstance(token, str) or "id" not in person:
        raise NotOurServer("the answer enrols nobody")
    return Device(
        base_url=base_url,
        id=str(device.get("id")),
        number=number,
        actor=str(device.get("actor")),
        token=token,
        person=person,
        authority=authority,
        is_confirmed=device.get("confirmed") is True,
    )


def _object(value: JSON) -> dict[str, JSON]:
    if not isinstance(value, dict):
        raise NotOurServer("the answer enrols nobody")
    return value
