"""The tus client of npm (tus-js-client), as it is, against a real server and over bad lines."""

from __future__ import annotations

import json
import threading
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support import tus_js
from tests.support.flaky_proxy import FlakyProxy, Plan, flaky_proxy
from tests.support.images import field_photo
from tests.support.personas import Village
from tests.support.photos import MEDIA, TUS, UPLOADS, metadata
from tests.support.reports import photo_body, seizure_body
from tests.support.server import Server
from tests.support.tus_js import PhotoFile

STEP = 4096
RETRIES = [0] * 20  # in a row without progress


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The scripts beside the client."""
    return tus_js.bench_folder(tmp_path / "tus")


@pytest.fixture
def photos(server: Server, village: Village, folder: Path) -> list[PhotoFile]:
    """Six photos of some 80 kB, as asha announced them."""
    contents = [field_photo(seed, size=(800, 600)) for seed in range(6)]
    announced = [photo_body(content) for content in contents]
    headers = {**village["asha"].headers, "Content-Type": "application/json"}
    body = json.dumps(seizure_body(photos=announced))
    assert server.ask("POST", "/api/v1/seizures", body=body, **headers)[0] == 201
    return [
        tus_js.photo_file(folder, content, str(one["id"]))
        for content, one in zip(contents, announced, strict=True)
    ]


def _assert_stored(server: Server, village: Village, photos: list[PhotoFile]) -> None:
    for photo in photos:
        _, _, body = server.ask("GET", f"/api/v1/photos/{photo.id}", **village["asha"].headers)
        told = json.loads(body)
        assert (told["state"], told["sha256"]) == ("stored", photo.sha256)
    assert [line for line in server.lines if line.get("level") == "error"] == []


def test_photos_arrive_four_at_once(
    server: Server, village: Village, folder: Path, photos: list[PhotoFile]
) -> None:
    endpoint = f"http://127.0.0.1:{server.port}{UPLOADS}"

    *said, _ = tus_js.upload(
        folder,
        endpoint,
        photos,
        headers=village["asha"].headers,
        at_once=4,
        chunkSize=30_000,
        uploadDataDuringCreation=True,
    )

    assert {one["photo"] for one in said if one["retries"] == 0} == {one.id for one in photos}
    _assert_stored(server, village, photos)


def test_line_that_is_reset_every_4_kb_loses_no_byte(
    server: Server, village: Village, folder: Path, photos: list[PhotoFile]
) -> None:
    photo = photos[0]
    size = Path(photo.path).stat().st_size
    with flaky_proxy(("127.0.0.1", server.port), then=Plan(reset_up_at=STEP)) as proxy:
        *said, _ = tus_js.upload(
            folder,
            f"{proxy.address}{UPLOADS}",
            [photo],
            headers=village["asha"].headers,
            retryDelays=RETRIES,
        )

    assert said[0].get("sent") == size, said
    assert size // STEP <= proxy.connections
    # What a cut left with the server is not sent again: heads and the bytes on the wire are.
    assert proxy.up < 2 * size
    _assert_stored(server, village, [photo])


def test_line_that_is_reset_at_any_4_kb_of_the_answers_loses_no_byte(
    server: Server, village: Village, folder: Path, photos: list[PhotoFile]
) -> None:
    """Answers are short, so this cuts some within and some before them, in turn."""
    cuts = [Plan(reset_down_at=at) for at in (1, 40, 200)] + [Plan(drop_answer=True)]
    plans = [plan for _ in range(5) for plan in (*cuts, Plan(reset_up_at=3 * STEP))]
    with flaky_proxy(("127.0.0.1", server.port), *plans) as proxy:
        *said, _ = tus_js.upload(
            folder,
            f"{proxy.address}{UPLOADS}",
            photos[:3],
            headers=village["asha"].headers,
            retryDelays=RETRIES,
            chunkSize=30_000,
        )

    assert [one for one in said if "failed" in one] == []
    _assert_stored(server, village, photos[:3])


def test_reading_goes_on_where_every_4_kb_cut_it(
    server: Server, village: Village, folder: Path, photos: list[PhotoFile]
) -> None:
    endpoint = f"http://127.0.0.1:{server.port}{UPLOADS}"
    tus_js.upload(folder, endpoint, photos[:1], headers=village["asha"].headers)
    place = f"/api/v1/photos/{photos[0].id}/content"

    with flaky_proxy(("127.0.0.1", server.port), then=Plan(reset_down_at=STEP)) as proxy:
        content = _read_on(proxy, place, village["asha"].headers, photos[0].sha256)

    assert content == Path(photos[0].path).read_bytes()
    assert proxy.connections >= len(content) // STEP


def _read_on(proxy: FlakyProxy, place: str, headers: dict[str, str], tag: str) -> bytes:
    """Get a photo by ranges, however often the line breaks."""
    content = b""
    for _ in range(200):
        connection = HTTPConnection(str(urlsplit(proxy.address).netloc), timeout=10)
        wanted = {"Range": f"bytes={len(content)}-", "If-Range": f'"{tag}"'}
        try:
            connection.request("GET", place, headers={**headers, **wanted})
            answer = connection.getresponse()
            if answer.status == 416:
                return content
            assert answer.status == 206
            while piece := answer.read1(1024):
                content += piece
        except (OSError, HTTPException):
            continue
        finally:
            connection.close()
    raise AssertionError("the photo did not come whole")


def test_eight_that_add_the_same_bytes_at_once_write_them_once(
    server: Server, village: Village, photos: list[PhotoFile]
) -> None:
    photo, headers = photos[0], {**TUS, **village["asha"].headers}
    content = Path(photo.path).read_bytes()
    named = metadata(photo.id, photo.sha256)
    begun = {**headers, "Upload-Length": str(len(content)), "Upload-Metadata": named}
    place = server.ask("POST", UPLOADS, **begun)[1]["Location"]
    told = {**headers, "Upload-Offset": "0", "Content-Type": MEDIA}
    statuses: list[int] = []

    def add() -> None:
        statuses.append(server.ask("PATCH", place, body=content, **told)[0])

    threads = [threading.Thread(target=add) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert statuses.count(204) == 1
    assert set(statuses) <= {204, 409}
    _assert_stored(server, village, [photo])
