"""The desk among itself: whose a report is, what is noted, and who changed what meanwhile."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.pending import runner_of
from fieldapi.queries import desk_work
from fieldapi.unit import Database
from tests.support.house import Answer, AsPerson, client_with
from tests.support.personas import Village, add_persona
from tests.support.reports import seizure_body

Report = dict[str, Any]


@pytest.fixture
def lata(app: Flask, database: Database, village: Village) -> tuple[str, Any]:
    """One more reviewer: id and client."""
    one = add_persona(database, village.rjk, "lata", role="reviewer")
    return one.person_id, client_with(app, one.token)


def _review(as_person: AsPerson, report: Report, outcome: str, **headers: str) -> Answer:
    body = {"id": new_id(), "seizure": report["id"], "outcome": outcome, "reason": "look again"}
    return as_person("bina").post("/api/v1/reviews", json=body, headers=headers)


def _given(client: Any, report: Report, to: str | None) -> Answer:
    path = f"/api/v1/seizures/{report['id']}/assignment"
    answer: Answer = client.post(path, json={"id": new_id(), "to": to})
    return answer


def _corrected(as_person: AsPerson, report: Report) -> None:
    read = as_person("asha").get(f"/api/v1/seizures/{report['id']}")
    change = {"op": new_id(), "remarks": "seen again"}
    answer = as_person("asha").patch(
        f"/api/v1/seizures/{report['id']}", json=change, headers={"If-Match": read.headers["ETag"]}
    )
    assert answer.status_code == 200, answer.json


def test_corrected_report_comes_back_to_its_reviewer_on_top(
    as_person: AsPerson, house: House, village: Village, report: Report
) -> None:
    other: Report = as_person("asha").post("/api/v1/seizures", json=seizure_body()).json
    for one, outcome in ((report, "under_review"), (other, "correction_asked")):
        assert _review(as_person, one, outcome).status_code == 201
    _corrected(as_person, other)
    bina = village["bina"].person_id
    with house.database.read() as session:
        waiting = desk_work.waiting_for(session, village.rjk, bina)
    runner = runner_of(house)
    while runner.run_once():
        pass
    asked = {"sort": "due_at", "reviewer": bina}
    listed = as_person("bina").get("/api/v1/seizures", query_string=asked).json["items"]

    told = as_person("bina").get(f"/api/v1/seizures/{other['id']}/assignment").json
    assert (told["to"], waiting) == (bina, [other["id"], report["id"]])
    assert [one["id"] for one in listed] == waiting


def test_report_is_given_to_a_reviewer_who_did_not_write_it(
    as_person: AsPerson, village: Village, report: Report, lata: tuple[str, Any]
) -> None:
    lata_id, _ = lata
    given = _given(as_person("bina"), report, lata_id)
    author = _given(as_person("bina"), report, village["asha"].person_id)
    keeper = _given(as_person("bina"), report, village["mohan"].person_id)
    back = _given(as_person("bina"), report, None)

    assert (given.status_code, given.json["to"]) == (201, lata_id)
    assert (author.status_code, keeper.status_code) == (422, 422)
    assert back.json["to"] is None


def test_comments_are_for_the_desk_alone(as_person: AsPerson, report: Report) -> None:
    path = f"/api/v1/seizures/{report['id']}/comments"
    body = {"id": new_id(), "text": "the place is the school's"}
    told = [as_person("bina").post(path, json=body).status_code for _ in range(2)]
    other = as_person("bina").post(path, json={**body, "text": "other"})
    listed = as_person("bina").get(path).json["items"]

    assert (told, other.status_code) == ([201, 200], 409)
    assert [one["text"] for one in listed] == ["the place is the school's"]
    assert as_person("asha").get(path).status_code == 403


def test_who_saw_an_older_report_is_told_who_changed_what(
    as_person: AsPerson, village: Village, report: Report
) -> None:
    seen = as_person("bina").get(f"/api/v1/seizures/{report['id']}").headers["ETag"]
    _corrected(as_person, report)
    stale = _review(as_person, report, "accepted", **{"If-Match": seen})

    assert stale.status_code == 412
    (change,) = stale.json["changes"]
    assert (change["by"], change["fields"]) == (village["asha"].person_id, ["remarks"])


def test_who_decides_on_what_is_decided_is_told_by_whom_and_why(
    as_person: AsPerson, village: Village, report: Report
) -> None:
    _review(as_person, report, "accepted")
    late = _review(as_person, report, "rejected")

    assert late.status_code == 409
    review = late.json["current"]["review"]
    assert (review["by"], review["outcome"]) == (village["bina"].person_id, "accepted")
    assert review["reason"] == "look again"
