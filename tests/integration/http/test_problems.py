"""Failures are problem documents for programs and pages for people; neither tells what it held."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError

from fieldapi.api import errors
from fieldapi.house import House
from fieldapi.problems import Problem, catalogue
from fieldapi.storage import SpoolFull, StorageUnavailable
from tests.support.house import Client


def _lines(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def test_unknown_address_is_a_problem_with_the_request_id(client: Client) -> None:
    answer = client.get("/api/v1/cows")

    assert answer.status_code == 404
    assert answer.content_type == "application/problem+json"
    assert answer.json["instance"] == answer.headers["X-Request-Id"]


def test_request_id_is_ours_whatever_is_sent(client: Client) -> None:
    sent = {"X-Request-Id": "0193a5c0-f7e2-7000-8000-9f86d081884c"}
    first = client.get("/healthz", headers=sent).headers["X-Request-Id"]
    second = client.get("/healthz", headers=sent).headers["X-Request-Id"]

    assert len({first, second, sent["X-Request-Id"]}) == 3


@pytest.mark.parametrize("path", ["/console/cows", "/board/1", "/enrol/1/2", "/verify/x", "/app/x"])
def test_people_get_a_page(client: Client, path: str) -> None:
    answer = client.get(path, headers={"Accept-Language": "gu"})

    assert answer.status_code == 404
    assert answer.content_type == "text/html; charset=utf-8"
    assert ('lang="gu"' in answer.text, "અહીં તમારા માટે કંઈ નથી" in answer.text) == (True, True)
    assert answer.headers["X-Request-Id"] in answer.text
    sheet = re.search(r'<link rel="stylesheet" href="([^"]+)"', answer.text)
    assert sheet is not None
    assert client.get(sheet[1]).status_code == 200
    assert "style-src 'self'" in answer.headers["Content-Security-Policy"]


def test_problem_is_told_in_the_language_that_was_asked_for(client: Client) -> None:
    asked = client.get("/api/v1/nowhere", headers={"Accept-Language": "gu-IN, en;q=0.5"})
    plain = client.get("/api/v1/nowhere")

    assert (asked.headers["Content-Language"], plain.headers["Content-Language"]) == ("gu", "en")
    assert "Accept-Language" in asked.headers["Vary"]
    assert asked.json["title"] == asked.json["detail"] == "અહીં તમારા માટે કંઈ નથી"
    assert plain.json["title"] == "There is nothing here for you"
    assert asked.json["type"] == plain.json["type"]


def test_wrong_method_says_which_are_right(client: Client) -> None:
    answer = client.delete("/healthz")

    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")
    assert answer.json["type"] == "urn:fieldapi:problem:method-not-allowed"


def test_foreign_host_is_refused(client: Client) -> None:
    answer = client.get("/healthz", headers={"Host": "evil.example"})

    assert (answer.status_code, answer.json["type"]) == (400, "urn:fieldapi:problem:bad-request")
    for path in ("/console/", "/console/sign-in", "/console/nothing", "/app/", "/enrol/x"):
        assert client.get(path, headers={"Host": "evil.example"}).status_code == 400, path


def test_unexpected_failure_is_told_by_its_id_alone(client: Client) -> None:
    answer = client.get("/api/v1/rooms/broken")

    assert answer.status_code == 500
    assert answer.json["type"] == "urn:fieldapi:problem:internal"
    assert "9876543210" not in answer.text


def test_unexpected_failure_is_logged_once_without_what_it_said(
    client: Client, capfd: pytest.CaptureFixture[str]
) -> None:
    answer = client.get("/api/v1/rooms/broken")
    logged = capfd.readouterr()
    (line,) = [each for each in _lines(logged.err) if each["event"] == "request_failed"]

    assert line["request_id"] == answer.json["instance"]
    assert line["error"] == "builtins.ValueError"
    assert line["trace"][-1].endswith(" broken")
    assert "Kanta" not in logged.out + logged.err


@pytest.mark.parametrize("kind", catalogue(), ids=lambda kind: kind.slug)
def test_every_problem_of_the_catalogue_becomes_its_document(
    app: Flask, kind: type[Problem]
) -> None:
    with app.test_request_context("/"):
        app.preprocess_request()
        answer = errors.as_response(kind())

    assert answer.status_code == kind.status
    assert answer.get_json()["type"] == f"urn:fieldapi:problem:{kind.slug}"


def test_members_that_belong_in_headers_are_there_too(app: Flask) -> None:
    with app.test_request_context("/"):
        app.preprocess_request()
        answer = errors.as_response(Problem(retry_after=7, upload_offset=12))

    assert (answer.headers["Retry-After"], answer.headers["Upload-Offset"]) == ("7", "12")


class _LostConnection(Exception):
    sqlstate = None


class _Busy(Exception):
    sqlite_errorname = "SQLITE_BUSY_SNAPSHOT"


class _NoSuchTable(Exception):
    sqlite_errorname = "SQLITE_ERROR"


@pytest.mark.parametrize(
    "error,slug",
    [
        (OperationalError("", {}, _LostConnection()), "unavailable"),
        (OperationalError("", {}, _Busy()), "unavailable"),
        (OperationalError("", {}, _NoSuchTable()), "internal"),
        (StorageUnavailable("x"), "unavailable"),
        (SpoolFull("x"), "insufficient-storage"),
        (RecursionError(), "internal"),
    ],
)
def test_part_that_is_down_is_no_fault_of_the_program(error: Exception, slug: str) -> None:
    assert errors.as_problem(error).slug == slug


def test_part_that_is_down_says_when_to_come_back(
    client: Client, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(_self: object) -> None:
        raise StorageUnavailable

    monkeypatch.setattr(type(house.storage), "probe", down)
    answer = client.get("/readyz")

    assert 5 <= int(answer.headers["Retry-After"]) <= 65
    assert answer.json["retry_after"] == int(answer.headers["Retry-After"])


def test_phones_do_not_come_back_in_one_moment() -> None:
    waits = [errors.retry_after() for _ in range(3000)]
    each_ten = Counter((wait - 5) // 10 for wait in waits if wait < 65)

    assert max(waits) - min(waits) == 60
    assert len(each_ten) == 6
    assert max(each_ten.values()) < 2 * min(each_ten.values())
