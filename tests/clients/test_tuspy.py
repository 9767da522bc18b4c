"""The tus client of PyPI (tuspy), as it is, against a real server."""

from __future__ import annotations

import hashlib
import io
import json
import time
from typing import Any

import pytest
from tusclient.client import TusClient
from tusclient.exceptions import TusCommunicationError, TusUploadFailed
from tusclient.uploader.uploader import Uploader

from tests.support.flaky_proxy import Plan, flaky_proxy
from tests.support.images import field_photo
from tests.support.personas import Village
from tests.support.photos import sha256
from tests.support.reports import photo_body, seizure_body
from tests.support.server import Server

CHUNK = 16 * 1024
SIZE = (1280, 960)


@pytest.fixture
def content() -> bytes:
    """A photo of some hundred kilobytes."""
    return field_photo(3, size=SIZE)


@pytest.fixture
def photo_id(server: Server, village: Village, content: bytes) -> str:
    """The photo as asha announced it."""
    photo = photo_body(content)
    headers = {**village["asha"].headers, "Content-Type": "application/json"}
    body = json.dumps(seizure_body(photos=[photo]))
    status, _, _ = server.ask("POST", "/api/v1/seizures", body=body, **headers)
    assert status == 201
    return str(photo["id"])


def _uploader(
    address: str, village: Village, photo_id: str, content: bytes, **how: Any
) -> Uploader:
    client = TusClient(f"{address}/api/v1/uploads", headers=village["asha"].headers)
    named = {"photo": photo_id, "sha256": sha256(content), "filename": "IMG 1.jpg"}
    return client.uploader(file_stream=io.BytesIO(content), metadata=named, chunk_size=CHUNK, **how)


def _told(server: Server, village: Village, photo_id: str) -> dict[str, Any]:
    status, _, body = server.ask("GET", f"/api/v1/photos/{photo_id}", **village["asha"].headers)
    assert status == 200
    told: dict[str, Any] = json.loads(body)
    return told


def _analysed(server: Server, village: Village, photo_id: str) -> dict[str, Any]:
    ends = time.monotonic() + 20
    while time.monotonic() < ends:
        told = _told(server, village, photo_id)
        if told["analysed_at"]:
            return told
        time.sleep(0.1)
    raise AssertionError("nobody looked into the photo")


def test_photo_arrives_in_chunks_and_is_looked_into(
    server: Server, village: Village, photo_id: str, content: bytes
) -> None:
    uploader = _uploader(f"http://127.0.0.1:{server.port}", village, photo_id, content)

    uploader.upload()

    assert uploader.offset == len(content) > 4 * CHUNK
    told = _analysed(server, village, photo_id)
    assert (told["state"], told["sha256"]) == ("stored", sha256(content))
    assert (told["width"], told["height"]) == SIZE


def test_photo_arrives_with_checksums(
    server: Server, village: Village, photo_id: str, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Uploader, "CHECKSUM_ALGORITHM_PAIR", ("sha256", hashlib.sha256))
    address = f"http://127.0.0.1:{server.port}"

    _uploader(address, village, photo_id, content, upload_checksum=True).upload()

    assert _told(server, village, photo_id)["state"] == "stored"


def test_upload_goes_on_after_every_cut(
    server: Server, village: Village, photo_id: str, content: bytes
) -> None:
    cuts = [Plan(reset_up_at=9000), Plan(drop_answer=True), Plan(reset_down_at=40)] * 6
    with flaky_proxy(("127.0.0.1", server.port), *cuts) as proxy:
        uploads = 0
        while uploads < 60 and _told(server, village, photo_id)["state"] != "stored":
            uploads += 1
            try:
                place = _uploader(proxy.address, village, photo_id, content).create_url()
                _uploader(proxy.address, village, photo_id, content, url=place).upload()
            except (TusCommunicationError, TusUploadFailed):
                continue

    assert _told(server, village, photo_id)["state"] == "stored"
    assert uploads > 1


def test_upload_resumes_where_it_stood(
    server: Server, village: Village, photo_id: str, content: bytes
) -> None:
    address = f"http://127.0.0.1:{server.port}"
    first = _uploader(address, village, photo_id, content)
    first.upload(stop_at=2 * CHUNK)

    second = _uploader(address, village, photo_id, content, url=first.url)

    assert second.offset == 2 * CHUNK
    second.upload()
    assert _told(server, village, photo_id)["state"] == "stored"
