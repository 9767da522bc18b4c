"""How much may come in, of which type, in which coding."""

from __future__ import annotations

import io

import pytest

from fieldapi import limits
from fieldapi.api.streams import Line
from fieldapi.problems import BadRequest
from tests.support.house import Client

PHOTO = "/api/v1/rooms/photo"
PIECES = "/api/v1/rooms/pieces"
OPEN = "/api/v1/rooms/open"


def test_body_as_large_as_its_limit_comes_in(client: Client) -> None:
    answer = client.put(PHOTO, data=bytes(1000), content_type="image/jpeg")

    assert answer.json == {"echo": {"size": 1000}}


def test_body_one_byte_over_its_limit_is_413(client: Client) -> None:
    answer = client.put(PHOTO, data=bytes(1001), content_type="image/jpeg")

    assert answer.status_code == 413
    assert answer.json["type"] == "urn:fieldapi:problem:too-large"


@pytest.mark.parametrize("path,media", [(PHOTO, "image/jpeg"), (PIECES, "image/jpeg")])
@pytest.mark.parametrize("size,status", [(1000, 200), (1001, 413)])
def test_body_in_chunks_is_counted_as_it_comes(
    client: Client, path: str, media: str | None, size: int, status: int
) -> None:
    chunked = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
    stream = io.BytesIO(bytes(size))
    answer = client.put(path, input_stream=stream, content_type=media, environ_overrides=chunked)

    assert answer.status_code == status


def test_json_over_one_mebibyte_is_413(client: Client) -> None:
    body = b'{"id": "' + b"a" * limits.JSON_BYTES + b'"}'
    answer = client.post(OPEN, data=body, content_type="application/json")

    assert answer.status_code == 413


@pytest.mark.parametrize("media", ["text/plain", "application/x-www-form-urlencoded", None])
def test_json_under_another_name_is_415(client: Client, media: str | None) -> None:
    answer = client.post(OPEN, data=b"{}", content_type=media)

    assert answer.status_code == 415
    assert answer.json["type"] == "urn:fieldapi:problem:unsupported-media-type"


def test_json_with_a_charset_is_json(client: Client) -> None:
    answer = client.post(OPEN, data=b"{}", content_type="application/json; charset=utf-8")

    assert answer.status_code == 422


def test_packed_body_is_415_where_nobody_unpacks_it(client: Client) -> None:
    packed = {"Content-Encoding": "gzip"}
    answer = client.post(OPEN, data=b"{}", content_type="application/json", headers=packed)

    assert answer.status_code == 415


def test_packed_body_comes_in_where_a_view_unpacks_it(client: Client) -> None:
    packed = {"Content-Encoding": "gzip"}
    answer = client.post(
        "/api/v1/rooms/packed", data=b"12345", content_type="application/json", headers=packed
    )

    assert answer.json == {"echo": {"size": 5}}


def test_coding_nobody_knows_is_415_everywhere(client: Client) -> None:
    packed = {"Content-Encoding": "br"}
    answer = client.post(
        "/api/v1/rooms/packed", data=b"12345", content_type="application/json", headers=packed
    )

    assert answer.status_code == 415


def test_limits_tell_the_numbers_that_hold(client: Client) -> None:
    answer = client.get("/api/v1/limits")

    assert answer.json["json"]["bytes"] == limits.JSON_BYTES
    assert answer.json["sync"] == {
        "ops": 500,
        "wire_bytes": 1_048_576,
        "inflated_bytes": 8_388_608,
        "pull_records": 500,
        "pull_bytes": 1_048_576,
    }


def test_line_that_broke_never_ends_as_a_whole_body_does() -> None:
    """A server that has told of a cut in chunks gives nothing afterwards, as at an end."""
    given: list[bytes | Exception] = [OSError("cut"), b"a", b"", b""]

    class Server:
        def read(self, _size: int, /) -> bytes:
            one = given.pop(0)
            if isinstance(one, Exception):
                raise one
            return one

    line = Line(Server())

    assert line.read(9) == b"a"
    with pytest.raises(BadRequest):
        line.read(9)
