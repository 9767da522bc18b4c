"""The OpenAPI document says what the app does, and is shown without asking another host."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask

from fieldapi.api.auth import routes
from tests.support.house import Client

Document = dict[str, Any]
PAGES = ("/app", "/console/", "/enrol")  # for people: no document of an API
METHODS = {"get", "post", "put", "patch", "delete", "head", "options"}


@pytest.fixture
def document(client: Client) -> Document:
    found: Document = client.get("/openapi.json").json
    return found


def test_document_is_openapi_3_1(document: Document) -> None:
    assert document["openapi"] == "3.1.0"
    assert document["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"


def test_bare_address_leads_to_something_to_read(client: Client) -> None:
    answer = client.get("/", follow_redirects=True)

    assert (answer.status_code, answer.mimetype) == (200, "text/html")


def test_every_route_of_the_api_is_documented(app: Flask, document: Document) -> None:
    written = {
        (method.upper(), re.sub(r"{(\w+)}", r"<\1>", path))
        for path, item in document["paths"].items()
        for method in item.keys() & METHODS
    }
    ours = {
        (method, re.sub(r"<(?:\w+:)?(\w+)>", r"<\1>", rule))
        for method, rule, access in routes(app)
        if access.door != "session" and rule != "/" and not rule.startswith(PAGES)
    }

    assert ours - written == set()


def test_failures_are_documented_as_problem_documents(document: Document) -> None:
    responses = document["components"]["responses"]

    assert responses["DEFAULT_ERROR"]["content"].keys() == {"application/problem+json"}
    for name in ("UNAUTHORIZED", "FORBIDDEN", "BAD_REQUEST", "UNPROCESSABLE_ENTITY"):
        assert responses[name]["content"]["application/problem+json"]["schema"] == {
            "$ref": "#/components/schemas/Problem"
        }


def test_view_is_documented_with_who_may_use_it(document: Document) -> None:
    desk = document["paths"]["/api/v1/rooms/desk"]["post"]

    assert desk["security"] == [{"bearer": []}]
    assert desk["x-action"] == "seizure.review"
    assert {"201", "400", "401", "403", "413", "415", "422", "default"} <= desk["responses"].keys()


def test_page_asks_no_other_host(client: Client) -> None:
    page = client.get("/docs").text
    links = re.findall(r'(?:src|href)="([^"]+)"', page)

    assert {client.get(link).status_code for link in links} == {200}
    assert "://" not in page


@pytest.mark.parametrize("name", ["index.html", "..%2fspec.py", "LICENSE", "swagger-ui.js.map"])
def test_only_named_files_are_served(client: Client, name: str) -> None:
    assert client.get(f"/docs/{name}").status_code == 404
