"""Hostile text in every parameter of every list and in the headers of uploads."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fieldapi.api.errors import is_page
from tests.integration.console.conftest import Desk, desk  # noqa: F401 - a fixture of these tests
from tests.support.house import AsPerson, Client

HOSTILE = (
    "' OR 1=1 --",
    '"; DROP TABLE op; --',
    "seized_at); SELECT pg_sleep(5)--",
    "\0",
    "\u202eevil",
    "%00%ff",
    "../../etc/passwd",
    "{{7*7}}${7*7}",
    "=HYPERLINK(1)",
    "1e999",
    "-1",
    "9" * 40,
    "\r\nX-Injected: 1",
    "\U0001f404" * 300,
)
HEADER = st.text(st.characters(max_codepoint=255, exclude_characters="\r\n\0"), max_size=60)


def _queries(client: Client) -> list[tuple[str, str]]:
    document: Any = client.get("/openapi.json").json
    return [
        (path, parameter["name"])
        for path, item in document["paths"].items()
        for parameter in item.get("get", {}).get("parameters", [])
        if parameter.get("in") == "query" and "{" not in path and not is_page(path)
    ]


@pytest.mark.database
def test_no_text_in_a_filter_or_sort_is_our_failure(as_person: AsPerson, client: Client) -> None:
    people = [as_person("admin"), as_person("bina")]
    asked = _queries(client)
    answers = {
        (path, name, text): [one.get(path, query_string={name: text}) for one in people]
        for path, name in asked
        for text in HOSTILE
    }
    failed = {at for at, given in answers.items() for one in given if one.status_code >= 500}
    injected = {at for at, given in answers.items() for one in given if "X-Injected" in one.headers}

    assert len(asked) > 20
    assert (failed, injected) == (set(), set())


@pytest.mark.database
def test_no_text_in_a_filter_of_the_console_is_our_failure(desk: Desk) -> None:  # noqa: F811
    bina = desk("bina")
    names = ("state", "kind", "from", "to", "flag", "bbox", "q", "sort", "after", "photo")
    statuses = {
        bina.client.get("/console/", query_string={name: text}).status_code
        for name in names
        for text in HOSTILE
    }

    assert max(statuses) < 500


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(length=HEADER, metadata=HEADER, offset=HEADER, checksum=HEADER)
def test_headers_of_uploads_are_read_or_refused(
    as_person: AsPerson, length: str, metadata: str, offset: str, checksum: str
) -> None:
    asha = as_person("asha")
    version = {"Tus-Resumable": "1.0.0"}
    begun = {**version, "Upload-Length": length, "Upload-Metadata": metadata}
    more = {**version, "Upload-Offset": offset, "Upload-Checksum": checksum}
    media = "application/offset+octet-stream"
    answers = [
        asha.post("/api/v1/uploads", headers=begun),
        asha.patch("/api/v1/uploads/x", headers=more, data=b"x", content_type=media),
        asha.open("/api/v1/uploads/x", method="HEAD", headers=version),
    ]

    assert max(answer.status_code for answer in answers) < 500
