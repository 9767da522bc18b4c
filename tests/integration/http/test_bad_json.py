"""Whatever stands in a body, the answer is a problem document and never a 500."""

from __future__ import annotations

import pytest

from tests.support.house import Answer, AsPerson, Client

ID = "0193a5c0-f7e2-7000-8000-9f86d081884c"
DEEP = b'{"id":' + b"[" * 100_000 + b"]" * 100_000 + b"}"

BROKEN = {
    "nothing": b"",
    "half an object": b'{"id": "',
    "not utf-8": b'{"id": "\xff"}',
    "byte order mark": b'\xef\xbb\xbf{"id": "x"}',
    "something after it": b"{} {}",
    "NaN": b'{"animals": [{"kind": "cow", "count": NaN}]}',
    "Infinity": b'{"animals": [{"kind": "cow", "count": -Infinity}]}',
    "1e999": b'{"animals": [{"kind": "cow", "count": 1e999}]}',
    "2^63": b'{"animals": [{"kind": "cow", "count": 9223372036854775808}]}',
    "4,000 digits": b'{"animals": [{"kind": "cow", "count": ' + b"9" * 4000 + b"}]}",
    "duplicate key": b'{"id": "a", "id": "b"}',
    "100,000 deep": DEEP,
    "lone surrogate": rb'{"id": "\ud800"}',
    "NUL": rb'{"id": "\u0000"}',
    "list": b"[]",
    "text": b'"seizure"',
    "null": b"null",
}


def _post(client: Client, body: bytes) -> Answer:
    return client.post("/api/v1/rooms/open", data=body, content_type="application/json")


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN)
def test_body_that_two_programs_could_read_differently_is_refused(
    client: Client, body: bytes
) -> None:
    answer = _post(client, body)

    assert answer.status_code == 400
    assert answer.content_type == "application/problem+json"
    assert answer.json["type"] == "urn:fieldapi:problem:invalid-json"


def test_problem_says_which_rule_of_json_was_broken(client: Client) -> None:
    answer = _post(client, BROKEN["duplicate key"])

    assert answer.json["code"] == "duplicate-key"
    assert answer.json["instance"] == answer.headers["X-Request-Id"]


def test_faults_are_named_by_path_with_indexes(client: Client) -> None:
    lots = '[{"kind": "cow", "count": 2}, {"kind": "cow", "count": -5, "colour": "red"}]'
    answer = _post(client, f'{{"animals": {lots}, "seized_at": "yesterday"}}'.encode())

    assert answer.status_code == 422
    assert answer.json["type"] == "urn:fieldapi:problem:invalid-body"
    assert answer.json["errors"] == {
        "animals.1.colour": ["Unknown field."],
        "animals.1.count": ["Must be greater than or equal to 1 and less than or equal to 500."],
        "id": ["Missing data for required field."],
        "seized_at": ["Not an RFC 3339 instant with an offset, e.g. 2026-11-30T06:10:00.000Z."],
    }


@pytest.mark.parametrize("count", ["5.0", '"5"', "true", "2.5", "null", "[5]"])
def test_whole_number_is_nothing_else(client: Client, count: str) -> None:
    body = f'{{"id": "{ID}", "animals": [{{"kind": "cow", "count": {count}}}]}}'
    answer = _post(client, body.encode())

    assert answer.status_code == 422
    assert list(answer.json["errors"]) == ["animals.0.count"]


@pytest.mark.parametrize("seized_at", ["9999-12-31T23:59:59-12:00", "2026-11-30T06:10:00", 5, {}])
def test_instant_that_is_none_is_a_fault_of_its_field(client: Client, seized_at: object) -> None:
    answer = client.post("/api/v1/rooms/open", json={"id": ID, "seized_at": seized_at})

    assert answer.status_code == 422
    assert list(answer.json["errors"]) == ["seized_at"]


def test_view_sees_the_body_as_it_was_sent(client: Client) -> None:
    body = {"id": ID, "seized_at": "2026-11-30T11:40:00+05:30"}
    answer = client.post("/api/v1/rooms/open", json=body)

    assert answer.status_code == 201
    assert answer.json["echo"] == {**body, "members": ["animals", "id", "seized_at"]}


def test_nothing_sent_at_all_is_an_object_without_members(client: Client) -> None:
    answer = client.post("/api/v1/rooms/open")

    assert answer.status_code == 422
    assert list(answer.json["errors"]) == ["id"]


def test_query_with_an_unknown_name_is_refused(as_person: AsPerson) -> None:
    answer = as_person("bina").get("/api/v1/rooms/list?stat=accepted&limit=501")

    assert answer.status_code == 400
    assert answer.json["type"] == "urn:fieldapi:problem:bad-request"
    assert set(answer.json["errors"]) == {"stat", "limit"}


def test_answer_never_holds_nan(client: Client) -> None:
    answer = client.get("/api/v1/rooms/nan")

    assert answer.status_code == 500
    assert answer.json["type"] == "urn:fieldapi:problem:internal"
