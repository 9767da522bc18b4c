"""A server beside a photo store that never answers: who needs no photo notices nothing."""

from __future__ import annotations

import json
import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace

import pytest

from fieldapi.clock import Clock, system_clock
from fieldapi.ids import new_id
from fieldapi.settings import Settings
from tests.support.faulty_store import FaultyStore, faulty_store
from tests.support.personas import Village
from tests.support.photos import jpeg, sha256
from tests.support.reports import photo_body, seizure_body
from tests.support.s3 import S3Server
from tests.support.server import Server, serving


@pytest.fixture
def faulty(s3_server: S3Server) -> Iterator[FaultyStore]:
    """A store that can be told to hang."""
    with faulty_store(s3_server.endpoint) as made:
        yield made


@pytest.fixture
def clock() -> Clock:
    """The system's clock, which the server goes by."""
    return system_clock


@pytest.fixture
def server(
    settings: Settings, village: Village, faulty: FaultyStore, s3_server: S3Server
) -> Iterator[Server]:
    served = replace(s3_server, endpoint=faulty.endpoint)
    url = f"{served.url(f'hangs-{new_id()[-12:]}')}&timeout=3"
    with serving(
        settings, workers=1, is_warm=True, FIELDAPI_STORAGE_URL=url, **served.environ
    ) as running:
        running.ask("GET", "/readyz")
        yield running


def test_other_requests_stay_fast_while_the_store_hangs(
    server: Server, village: Village, faulty: FaultyStore
) -> None:
    faulty.fault = "hang"
    headers = {**village["asha"].headers, "Content-Type": "application/json"}
    stop = threading.Event()
    senders = [
        threading.Thread(target=_send_photos, args=(server, village, n, stop), daemon=True)
        for n in range(12)
    ]
    for sender in senders:
        sender.start()
    time.sleep(1)

    took = []
    for _ in range(20):
        began = time.perf_counter()
        body = json.dumps(seizure_body(photos=[]))
        assert server.ask("POST", "/api/v1/seizures", body=body, **headers)[0] == 201
        took.append(time.perf_counter() - began)
    stop.set()
    faulty.fault = None
    for sender in senders:
        sender.join(30)

    # 0.5 s is what people notice; the machine of a test may be busy, so the median is held.
    assert sorted(took)[len(took) // 2] < 0.5


def _send_photos(server: Server, village: Village, number: int, stop: threading.Event) -> None:
    """Hand in one photo after the other, however it is answered."""
    while not stop.is_set():
        content = jpeg(1) + bytes([number]) + new_id().encode()
        photo = photo_body(content)
        digest = f"sha-256=:{_base64(sha256(content))}:"
        headers = {**village["asha"].headers, "Repr-Digest": digest}
        server.ask("PUT", f"/api/v1/photos/{photo['id']}/content", body=content, **headers)


def _base64(digest: str) -> str:
    return b64encode(bytes.fromhex(digest)).decode()
