"""Decisions on reports over REST: who may, what follows what, and what the author hears of it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask

from fieldapi.ids import new_id
from fieldapi.services import people
from fieldapi.services.authorise import operator
from fieldapi.services.people import Grant
from fieldapi.unit import Database
from tests.support.house import AsPerson, client_with
from tests.support.personas import Village
from tests.support.phones import phone_of
from tests.support.reports import seizure_body

URL = "/api/v1/reviews"
Report = dict[str, Any]


def decision(report: Report, outcome: str, reason: str = "The photos show it.") -> Report:
    return {"id": new_id(), "seizure": report["id"], "outcome": outcome, "reason": reason}


def state_of(as_person: AsPerson, report: Report) -> str:
    return str(as_person("asha").get(f"/api/v1/seizures/{report['id']}").json["state"])


@pytest.mark.database
def test_accepted_report_says_so_to_its_author_with_the_reason(
    as_person: AsPerson, report: Report
) -> None:
    answer = as_person("bina").post(URL, json=decision(report, "accepted"))

    read = as_person("asha").get(f"/api/v1/seizures/{report['id']}").json
    assert answer.status_code == 201
    assert (read["state"], read["review"]["reason"]) == ("accepted", "The photos show it.")


@pytest.mark.database
def test_decision_and_reason_reach_the_phone_with_the_next_pull(
    app: Flask, as_person: AsPerson, report: Report, village: Village
) -> None:
    as_person("bina").post(URL, json=decision(report, "correction_asked", "Which field?"))

    phone = phone_of(app, village["asha"])
    phone.pull()

    shown = phone.shown("seizure", report["id"])
    assert (shown["state"], shown["review"]["reason"]) == ("correction_asked", "Which field?")


@pytest.mark.database
def test_ten_identical_decisions_in_parallel_are_one(
    app: Flask, report: Report, village: Village
) -> None:
    body, token = decision(report, "accepted"), village["bina"].token

    with ThreadPoolExecutor(10) as pool:
        answers = [*pool.map(lambda _: client_with(app, token).post(URL, json=body), range(10))]

    assert sorted(answer.status_code for answer in answers) == [200] * 9 + [201]
    assert all(answer.json == answers[0].json for answer in answers)


@pytest.mark.parametrize("outcome", ["accepted", "rejected", "correction_asked"])
def test_verdict_without_a_reason_is_refused(
    as_person: AsPerson, report: Report, outcome: str
) -> None:
    answer = as_person("bina").post(URL, json=decision(report, outcome, "  "))

    assert (answer.status_code, answer.json["type"]) == (422, "urn:fieldapi:problem:reason-needed")
    assert state_of(as_person, report) == "received"


def test_report_is_taken_up_without_a_reason(as_person: AsPerson, report: Report) -> None:
    answer = as_person("bina").post(URL, json=decision(report, "under_review", ""))

    assert answer.status_code == 201
    assert state_of(as_person, report) == "under_review"


def test_author_who_is_also_a_reviewer_does_not_judge_the_own_report(
    as_person: AsPerson, report: Report, village: Village, database: Database
) -> None:
    boss = operator(village.rjk)
    asha = village["asha"].person_id
    database.transact(lambda unit: people.grant(unit, boss, Grant("reviewer"), person_id=asha))

    answer = as_person("asha").post(URL, json=decision(report, "accepted"))

    assert (answer.status_code, answer.json["reason"]) == (403, "author")
    assert state_of(as_person, report) == "received"


def test_identical_resend_decides_once(as_person: AsPerson, report: Report) -> None:
    body, bina = decision(report, "accepted"), as_person("bina")
    first = bina.post(URL, json=body)

    again = bina.post(URL, json=body)

    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json == first.json
    assert len(bina.get(f"{URL}?about=report").json["items"]) == 1


def test_other_decision_under_a_used_id_is_refused(as_person: AsPerson, report: Report) -> None:
    body, bina = decision(report, "accepted"), as_person("bina")
    bina.post(URL, json=body)

    answer = bina.post(URL, json={**body, "outcome": "rejected"})

    assert (answer.status_code, answer.json["type"]) == (409, "urn:fieldapi:problem:id-reuse")
    assert answer.json["current"]["state"] == "accepted"


def test_decision_on_an_older_revision_is_refused(as_person: AsPerson, report: Report) -> None:
    change = {"op": new_id(), "ground": "straying"}
    seen = {"If-Match": f'"{report["rev"]}"'}
    as_person("asha").patch(f"/api/v1/seizures/{report['id']}", json=change, headers=seen)

    answer = as_person("bina").post(URL, json=decision(report, "accepted"), headers=seen)

    assert answer.status_code == 412
    assert answer.json["current"]["rev"] != report["rev"]


def test_what_was_decided_is_reopened_before_it_is_decided_anew(
    as_person: AsPerson, report: Report
) -> None:
    bina = as_person("bina")
    bina.post(URL, json=decision(report, "accepted"))

    overwritten = bina.post(URL, json=decision(report, "rejected"))
    silent = bina.post(URL, json=decision(report, "under_review", ""))
    reopened = bina.post(URL, json=decision(report, "under_review", "The owner was heard."))

    assert [one.status_code for one in (overwritten, silent, reopened)] == [409, 422, 201]
    assert overwritten.json["current"]["state"] == "accepted"
    assert state_of(as_person, report) == "under_review"


def test_correction_by_the_author_hands_the_report_in_again(
    as_person: AsPerson, report: Report
) -> None:
    as_person("bina").post(URL, json=decision(report, "correction_asked", "Which field?"))
    asha, path = as_person("asha"), f"/api/v1/seizures/{report['id']}"
    rev = asha.get(path).json["rev"]

    changed = asha.patch(
        path, json={"op": new_id(), "survey_no": "41/2"}, headers={"If-Match": f'"{rev}"'}
    )

    assert changed.json["state"] == "resubmitted"


def test_decision_of_a_reviewer_is_no_answer_of_the_author(
    as_person: AsPerson, report: Report
) -> None:
    bina, path = as_person("bina"), f"/api/v1/seizures/{report['id']}"
    bina.post(URL, json=decision(report, "correction_asked", "Which field?"))
    rev = bina.get(path).json["rev"]
    change = {"op": new_id(), "survey_no": "41/2", "reason": "from the map"}

    changed = bina.patch(path, json=change, headers={"If-Match": f'"{rev}"'})

    assert (changed.status_code, changed.json["state"]) == (200, "correction_asked")


def test_ledger_says_that_it_was_decided_but_not_in_which_words(
    as_person: AsPerson, report: Report
) -> None:
    body, bina = decision(report, "rejected", "The owner Ramesh was heard."), as_person("bina")
    bina.post(URL, json=body)

    entry = bina.get(f"/api/v1/seizures/{report['id']}/history").json["items"][-1]

    assert (entry["kind"], entry["outcome"], entry["review"]) == (
        "seizure.reviewed",
        "rejected",
        body["id"],
    )
    assert "Ramesh" not in str(entry)


def test_report_of_another_authority_is_not_there(as_person: AsPerson) -> None:
    theirs = as_person("chetan").post("/api/v1/seizures", json=seizure_body()).json

    answer = as_person("bina").post(URL, json=decision(theirs, "accepted"))

    assert answer.status_code == 404


def test_long_or_hidden_text_is_no_reason(as_person: AsPerson, report: Report) -> None:
    long = as_person("bina").post(URL, json=decision(report, "accepted", "x" * 2001))
    hidden = as_person("bina").post(URL, json=decision(report, "accepted", "seen\u202e"))

    assert (long.status_code, hidden.status_code) == (422, 422)
    assert state_of(as_person, report) == "received"


def test_unknown_outcome_is_named(as_person: AsPerson, report: Report) -> None:
    answer = as_person("bina").post(URL, json=decision(report, "perhaps"))

    assert (answer.status_code, list(answer.json["errors"])) == (422, ["outcome"])
