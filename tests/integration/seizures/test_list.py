"""The list: narrowed, sorted, paged to an end, with a number of statements that does not grow."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import event

from fieldapi.unit import Database
from tests.support.house import AsPerson
from tests.support.reports import FIELD, animal_body, seizure_body

URL = "/api/v1/seizures"

pytestmark = pytest.mark.database


def _report(as_person: AsPerson, **changes: Any) -> str:
    body = seizure_body(photos=[], **changes)
    answer = as_person("asha").post(URL, json=body)
    assert answer.status_code == 201, answer.json
    return str(body["id"])


def _ids(as_person: AsPerson, query: str) -> list[str]:
    answer = as_person("bina").get(f"{URL}?{query}")
    assert answer.status_code == 200, answer.json
    return [row["id"] for row in answer.json["items"]]


def test_filters_narrow_the_list(as_person: AsPerson) -> None:
    goat = _report(as_person, animals=[animal_body("goat", 1)], seized_at="2026-11-29T05:00:00Z")
    far = _report(as_person, location={**FIELD, "lat": 23.5}, reference="RJK-07-2611-0042-G")

    assert _ids(as_person, "kind=goat") == [goat]
    assert _ids(as_person, "from=2026-11-30T00:00:00Z") == [far]
    assert _ids(as_person, "to=2026-11-29T23:00:00Z") == [goat]
    assert _ids(as_person, "bbox=23,70,24,71") == [far]
    assert _ids(as_person, "q=0042-G") == [far]
    assert _ids(as_person, "q=%25") == []
    assert _ids(as_person, "state=received&sort=seized_at") == [goat, far]
    assert _ids(as_person, "state=accepted") == []


def test_pages_follow_each_other_without_gap_or_overlap(as_person: AsPerson) -> None:
    made = [_report(as_person) for _ in range(5)]
    bina, url, seen = as_person("bina"), f"{URL}?limit=2", []

    following: str | None = ""
    while following is not None:
        answer = bina.get(url + (f"&after={following}" if following else ""))
        seen += [row["id"] for row in answer.json["items"]]
        following = answer.json["next"]

    assert sorted(seen) == sorted(made)


@pytest.mark.parametrize(
    "query",
    [
        "sort=owner",
        "limit=0",
        "limit=501",
        "after=abc",
        "bbox=1,2,3",
        "from=yesterday",
        "x=1",
        "state=lost",
        "kind=dragon",
        "flag=none",
    ],
)
def test_nonsense_in_the_query_is_named(as_person: AsPerson, query: str) -> None:
    answer = as_person("bina").get(f"{URL}?{query}")

    assert (answer.status_code, answer.json["type"]) == (400, "urn:fieldapi:problem:bad-request")


def test_statements_do_not_grow_with_the_rows(as_person: AsPerson, database: Database) -> None:
    def statements() -> int:
        seen: list[str] = []
        event.listen(database.engine, "before_cursor_execute", lambda *args: seen.append(args[2]))
        as_person("bina").get(URL)
        return len(seen)

    _report(as_person)
    few = statements()
    for _ in range(5):
        _report(as_person)

    # The second listener counts on top of the first: twice the same number is no growth.
    assert statements() <= few
