"""The list of reports: what it shows, what narrows it, and what it says when nothing is there."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import event

from fieldapi.console import inbox
from fieldapi.unit import Database
from tests.integration.console.conftest import Desk, Report
from tests.support.desk import CONSOLE
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.reports import animal_body, seizure_body


def add(as_person: AsPerson, who: str = "asha", **changes: Any) -> Report:
    answer = as_person(who).post("/api/v1/seizures", json=seizure_body(**changes))
    assert answer.status_code == 201, answer.json
    made: Report = answer.json
    return made


def test_row_says_what_when_where_and_how_many_photos(desk: Desk, report: Report) -> None:
    text = desk("bina").get(CONSOLE).text

    assert report["reference"] in text
    assert "2 buffaloes, 3 cows" in text
    assert "30 Nov 2026, 10:40 AM" in text
    assert "By the canal" in text
    assert "Photos 0 of 1" in text
    assert "1 report" in text


def test_empty_list_says_that_nothing_has_to_be_done(desk: Desk) -> None:
    assert "No report has come yet" in desk("bina").get(CONSOLE).text


def test_filter_that_matches_nothing_can_be_cleared(desk: Desk, report: Report) -> None:
    page = desk("bina").get("/console/?q=nowhere")

    assert "No report matches" in page.text
    assert report["reference"] not in page.text


@pytest.mark.parametrize(
    "query, found",
    [
        ("kind=goat", ["goats"]),
        ("state=accepted", []),
        ("state=received&kind=buffalo", ["buffaloes"]),
        ("q=Ramesh", ["buffaloes"]),
        ("from=2026-11-30&to=2026-11-30", ["buffaloes"]),
        ("to=2026-11-29", ["goats"]),
        ("flag=gps_mock", ["goats"]),
    ],
)
def test_each_filter_narrows(
    desk: Desk, as_person: AsPerson, report: Report, query: str, found: list[str]
) -> None:
    place = {**report["location"], "mocked": True}
    add(
        as_person,
        seized_at="2026-11-29T05:00:00Z",
        animals=[animal_body("goat", 2)],
        location=place,
    )

    table = desk("bina").get(f"/console/?{query}").text.partition("Apply")[2]

    assert [one for one in ("buffaloes", "goats") if f"2 {one}" in table] == found


def test_filters_stay_in_the_form(desk: Desk, report: Report) -> None:
    page = desk("bina").get("/console/?state=received&from=2026-11-20&q=RJK")

    assert '<option value="received" selected>' in page.html
    assert 'value="2026-11-20"' in page.html
    assert 'value="RJK"' in page.html


@pytest.mark.parametrize("query", ["from=yesterday", "to=0001-01-01", "state=perhaps", "kind=cat"])
def test_filter_that_cannot_be_read_is_named(desk: Desk, report: Report, query: str) -> None:
    page = desk("bina").get(f"/console/?{query}")

    assert page.status == 200
    assert "The filter cannot be used" in page.text
    assert report["reference"] not in page.text


def test_pages_follow_one_another(
    desk: Desk, as_person: AsPerson, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "PAGE", 2)
    references = {add(as_person)["reference"] for _ in range(3)}
    bina = desk("bina")

    first = bina.get("/console/?sort=seized_at")
    link = first.html.partition('rel="next" href="')[2].partition('"')[0].replace("&amp;", "&")
    second = bina.get(link)

    shown = [one for one in references if one in first.text]
    assert "2 of 3 reports" in first.text
    assert (len(shown), {*shown} | {one for one in references if one in second.text}) == (
        2,
        references,
    )
    assert 'rel="next"' not in second.html


def test_longer_list_asks_the_database_no_more_often(
    desk: Desk, as_person: AsPerson, database: Database
) -> None:
    asked: list[str] = []
    event.listen(database.engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    bina = desk("bina")
    counts = []
    for more in (1, 4):
        for _ in range(more):
            add(as_person)
        asked.clear()
        bina.get(CONSOLE)
        counts.append(len(asked))

    assert counts[0] == counts[1] < 30, asked


def test_cursor_of_somebody_else_starts_from_the_first_page(desk: Desk, report: Report) -> None:
    page = desk("bina").get("/console/?after=nonsense")

    assert page.status == 200
    assert report["reference"] in page.text


def test_other_authority_is_not_in_the_list(desk: Desk, as_person: AsPerson) -> None:
    theirs = add(as_person, "chetan", place_kind="street")

    assert theirs["reference"] not in desk("bina").get(CONSOLE).text


def test_keeper_lists_the_cases_of_the_own_pound_only(
    desk: Desk, as_person: AsPerson, village: Village, report: Report
) -> None:
    sent = add(as_person, pound_id=village.pound_id)

    page = desk("mohan").get(CONSOLE)

    assert sent["reference"] in page.text
    assert report["reference"] not in page.text


def test_what_people_wrote_is_text_and_never_markup(desk: Desk, as_person: AsPerson) -> None:
    add(
        as_person,
        place_text="<script>alert(1)</script>",
        location=None,
        location_absent_reason="indoors",
    )

    page = desk("bina").get(CONSOLE)

    assert "<script>alert" not in page.html
    assert "&lt;script&gt;" in page.html
