"""Uploads over lines that break, on a real server with real sockets."""

from __future__ import annotations

import socket
import struct
import time
from base64 import b64encode
from collections.abc import Iterator

import pytest

from fieldapi.clock import Clock, system_clock
from fieldapi.ids import new_id
from fieldapi.settings import Settings
from tests.support.personas import Village
from tests.support.photos import MEDIA, TUS, UPLOADS, jpeg, metadata, sha256
from tests.support.server import Server, serving

SENT = 9000


@pytest.fixture
def clock() -> Clock:
    """The system's clock, which the server goes by."""
    return system_clock


@pytest.fixture
def server(settings: Settings, village: Village) -> Iterator[Server]:
    """A server over the test's installation."""
    with serving(settings) as running:
        yield running


def _begin(server: Server, headers: dict[str, str], content: bytes) -> str:
    named = metadata(new_id(), sha256(content))
    told = {**headers, "Upload-Length": str(len(content)), "Upload-Metadata": named}
    status, answered, _ = server.ask("POST", UPLOADS, **told)
    assert status == 201
    return answered["Location"]


def _stands_at(server: Server, place: str, headers: dict[str, str]) -> int:
    status, answered, _ = server.ask("HEAD", place, **headers)
    assert status == 200
    return int(answered["Upload-Offset"])


def _break_off(server: Server, head: list[str], body: bytes, *, is_reset: bool) -> None:
    """Send a request with too little of its body, and hang up."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as wire:
        wire.sendall("\r\n".join([*head, "", ""]).encode() + body)
        time.sleep(0.3)
        if is_reset:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def _head(verb: str, place: str, headers: dict[str, str]) -> list[str]:
    lines = [f"{name}: {value}" for name, value in headers.items()]
    return [f"{verb} {place} HTTP/1.1", "Host: localhost", *lines]


@pytest.mark.parametrize("is_reset", [False, True])
@pytest.mark.parametrize("is_chunked", [False, True])
def test_every_byte_before_a_cut_is_kept(
    server: Server, village: Village, *, is_reset: bool, is_chunked: bool
) -> None:
    content = jpeg()
    headers = {**TUS, **village["asha"].headers}
    place = _begin(server, headers, content)
    told = {**headers, "Upload-Offset": "0", "Content-Type": MEDIA}
    framing = ("Transfer-Encoding", "chunked") if is_chunked else ("Content-Length", "99999")
    told[framing[0]] = framing[1] if is_chunked else str(len(content))
    body = b"%x\r\n" % len(content) if is_chunked else b""

    _break_off(server, _head("PATCH", place, told), body + content[:SENT], is_reset=is_reset)
    time.sleep(0.3)

    assert _stands_at(server, place, headers) == SENT
    _, _, _ = server.ask("GET", "/healthz")
    assert [line for line in server.lines if line.get("level") == "error"] == []


@pytest.mark.parametrize("is_chunked", [False, True])
def test_half_a_photo_at_once_is_none(
    server: Server, village: Village, *, is_chunked: bool
) -> None:
    digest = b64encode(bytes.fromhex(sha256(jpeg()))).decode()
    length = {"Content-Length": str(len(jpeg()))}
    framing = {"Transfer-Encoding": "chunked"} if is_chunked else length
    told = {**village["asha"].headers, "Repr-Digest": f"sha-256=:{digest}:", **framing}
    place = f"/api/v1/photos/{new_id()}/content"
    body = b"%x\r\n" % len(jpeg()) if is_chunked else b""

    _break_off(server, _head("PUT", place, told), body + jpeg()[:SENT], is_reset=False)
    time.sleep(0.3)

    statuses = [line["status"] for line in server.lines if line["event"] == "request"]
    assert statuses[-1] == 400
    assert [line for line in server.lines if line.get("level") == "error"] == []


def test_phone_that_comes_back_goes_on_beside_its_dead_line(
    server: Server, village: Village
) -> None:
    content = jpeg()
    headers = {**TUS, **village["asha"].headers}
    place = _begin(server, headers, content)
    told = {**headers, "Upload-Offset": "0", "Content-Type": MEDIA}
    head = _head("PATCH", place, {**told, "Content-Length": str(len(content))})
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as dead:
        dead.sendall("\r\n".join([*head, "", ""]).encode() + content[:SENT])
        time.sleep(0.3)

        stood = _stands_at(server, place, headers)
        rest = {**told, "Upload-Offset": str(stood)}
        status, answered, _ = server.ask("PATCH", place, body=content[stood:], **rest)

    assert (status, answered["Upload-Offset"]) == (204, str(len(content)))
