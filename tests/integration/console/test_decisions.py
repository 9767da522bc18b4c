"""Decisions on the page of a report: recorded with their reason, or refused with nothing lost."""

from __future__ import annotations

import pytest
from flask import Flask

from fieldapi.ids import new_id
from fieldapi.services import people
from fieldapi.services.authorise import operator
from fieldapi.services.people import Grant
from fieldapi.unit import Database
from sync.wire import JSON
from tests.integration.console.conftest import Desk, Report
from tests.support.clock import StoppedClock
from tests.support.desk import Browser, Page
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.phones import phone_of

WORDS = "Photo 1 shows the damage."


def path_of(report: Report) -> str:
    return f"/console/cases/{report['id']}"


def decide(browser: Browser, page: Page, report: Report, outcome: str, reason: str) -> Page:
    """Send the form, look at the decision once more, and confirm it if it may be made."""
    action = f"{path_of(report)}/decision"
    preview = browser.send(page, action, outcome=outcome, reason=reason)
    return browser.send(preview, action, sure="1") if preview.status == 200 else preview


@pytest.mark.parametrize(
    "outcome, says",
    [
        ("accepted", "Bina accepted the report."),
        ("rejected", "Bina rejected the report."),
        ("correction_asked", "Bina asked for a correction."),
    ],
)
def test_decision_is_recorded_with_its_reason(
    desk: Desk, as_person: AsPerson, report: Report, outcome: str, says: str
) -> None:
    bina = desk("bina")

    sent = decide(bina, bina.get(path_of(report)), report, outcome, WORDS)

    after = bina.get(path_of(report))
    assert sent.status == 303
    assert says in after.text
    assert WORDS in after.text
    assert as_person("asha").get(f"/api/v1/seizures/{report['id']}").json["state"] == outcome


def test_note_of_what_was_done_is_told_once(desk: Desk, report: Report) -> None:
    bina = desk("bina")
    decide(bina, bina.get(path_of(report)), report, "accepted", WORDS)

    first, second = bina.get(path_of(report)), bina.get(path_of(report))

    assert "The report was accepted." in first.text
    assert "The report was accepted." not in second.text


def test_decision_is_shown_once_more_and_can_be_changed(
    desk: Desk, as_person: AsPerson, report: Report
) -> None:
    bina, action = desk("bina"), f"{path_of(report)}/decision"

    preview = bina.send(bina.get(path_of(report)), action, outcome="rejected", reason=WORDS)
    back = bina.send(preview, action, back="1")

    assert preview.status == back.status == 200
    assert "State from now on Rejected" in preview.text
    assert 'value="rejected" required checked' in back.html
    assert f">{WORDS}</textarea>" in back.html
    assert as_person("asha").get(f"/api/v1/seizures/{report['id']}").json["state"] == "received"


def test_missing_reason_brings_the_form_back_as_it_was(
    desk: Desk, as_person: AsPerson, report: Report
) -> None:
    bina = desk("bina")

    page = decide(bina, bina.get(path_of(report)), report, "rejected", " ")

    assert page.status == 422
    assert "<title>Error:" in page.html
    assert "Write the reason" in page.text
    assert 'value="rejected" required checked' in page.html
    assert as_person("asha").get(f"/api/v1/seizures/{report['id']}").json["state"] == "received"


def test_missing_outcome_keeps_the_text(desk: Desk, report: Report) -> None:
    bina = desk("bina")

    page = decide(bina, bina.get(path_of(report)), report, "", WORDS)

    assert page.status == 422
    assert f">{WORDS}</textarea>" in page.html


def test_form_sent_twice_decides_once(desk: Desk, as_person: AsPerson, report: Report) -> None:
    bina = desk("bina")
    page, action = bina.get(path_of(report)), f"{path_of(report)}/decision"
    preview = bina.send(page, action, outcome="accepted", reason=WORDS)

    first, second = (bina.send(preview, action, sure="1") for _ in range(2))

    assert (first.status, second.status) == (303, 303)
    assert len(as_person("bina").get("/api/v1/reviews?about=report").json["items"]) == 1


def test_report_that_changed_meanwhile_keeps_the_text_and_shows_the_change(
    desk: Desk, as_person: AsPerson, report: Report, clock: StoppedClock
) -> None:
    bina = desk("bina")
    page = bina.get(path_of(report))
    clock.move(seconds=90)
    as_person("asha").patch(
        f"/api/v1/seizures/{report['id']}",
        json={"op": new_id(), "survey_no": "41/2"},
        headers={"If-Match": f'"{report["rev"]}"'},
    )

    stale = decide(bina, page, report, "accepted", WORDS)
    again = decide(bina, stale, report, "accepted", WORDS)

    assert stale.status == 409
    assert "The report has changed since you opened it" in stale.text
    assert "Asha changed: Report: Survey number" in stale.text
    assert f">{WORDS}</textarea>" in stale.html
    assert again.status == 303


def test_second_reviewer_is_told_that_the_first_was_faster(desk: Desk, report: Report) -> None:
    bina = desk("bina")
    seen = bina.get(path_of(report))
    decide(bina, bina.get(path_of(report)), report, "rejected", "The field is another one.")

    late = decide(bina, seen, report, "accepted", WORDS)

    assert late.status == 409
    assert "Bina rejected the report." in late.text
    assert "The field is another one." in late.text


def test_author_with_the_role_sees_no_form_and_is_refused(
    desk: Desk, report: Report, village: Village, database: Database
) -> None:
    boss, asha = operator(village.rjk), village["asha"].person_id
    database.transact(lambda unit: people.grant(unit, boss, Grant("reviewer"), person_id=asha))
    browser = desk("asha")
    page = browser.get(path_of(report))
    secret = page.forms["/console/language"]["csrf_token"]

    forced = browser.client.post(
        f"{path_of(report)}/decision",
        data={
            "csrf_token": secret,
            "id": new_id(),
            "outcome": "accepted",
            "reason": WORDS,
            "seen": "A.1",
        },
    )

    assert "You wrote in this report." in page.text
    assert f"{path_of(report)}/decision" not in page.forms
    assert forced.status_code in {403, 409}


def test_keeper_may_not_decide(desk: Desk, report: Report) -> None:
    mohan = desk("mohan")
    secret = mohan.get("/console/").forms["/console/language"]["csrf_token"]

    answer = mohan.client.post(f"{path_of(report)}/decision", data={"csrf_token": secret})

    assert (answer.status_code, answer.mimetype) == (403, "text/html")


def test_two_counts_are_shown_and_one_is_chosen(
    app: Flask, desk: Desk, village: Village, as_person: AsPerson
) -> None:
    asha, mohan = phone_of(app, village["asha"]), phone_of(app, village["mohan"])
    seizure, animal = new_id(), new_id()
    five = asha.pen.animal(animal, seizure, "buffalo", 5)
    asha.push(asha.pen.seizure(seizure, pound_id=village.pound_id), five)
    nine = mohan.pen.op("animal", animal, set={"count": 9}, base={"count": [five["op"]]})
    mohan.push(nine)
    bina = desk("bina")
    page = bina.get(f"/console/cases/{seizure}")
    action = next(one for one in page.forms if "/fields/" in one)

    silent = bina.send(page, action, head=str(nine["op"]), reason="")
    sent = bina.send(page, action, head=str(nine["op"]), reason="Counted in daylight.")

    assert "Which value stands?" in page.text
    assert (silent.status, sent.status) == (422, 303)
    assert "Counted in daylight." in bina.get(f"/console/cases/{seizure}").text
    lots = as_person("bina").get(f"/api/v1/seizures/{seizure}").json["animals"]
    assert [lot["count"] for lot in lots] == [9]


def test_another_number_than_both_can_be_given(
    app: Flask, desk: Desk, village: Village, as_person: AsPerson
) -> None:
    asha, mohan = phone_of(app, village["asha"]), phone_of(app, village["mohan"])
    seizure, animal = new_id(), new_id()
    five = asha.pen.animal(animal, seizure, "buffalo", 5)
    asha.push(asha.pen.seizure(seizure, pound_id=village.pound_id), five)
    mohan.push(mohan.pen.op("animal", animal, set={"count": 9}, base={"count": [five["op"]]}))
    bina = desk("bina")
    page = bina.get(f"/console/cases/{seizure}")
    action = next(one for one in page.forms if "/fields/" in one)

    wrong = bina.send(page, action, head="other", number="9000", reason="Recounted.")
    sent = bina.send(page, action, head="other", number="7", reason="Recounted.")

    assert (wrong.status, sent.status) == (422, 303)
    assert "Choose the value that stands." in wrong.text
    lots = as_person("bina").get(f"/api/v1/seizures/{seizure}").json["animals"]
    assert [lot["count"] for lot in lots] == [7]


def test_lot_withdrawn_blindly_can_be_kept(
    app: Flask, desk: Desk, village: Village, as_person: AsPerson
) -> None:
    asha, mohan = phone_of(app, village["asha"]), phone_of(app, village["mohan"])
    seizure, animal = new_id(), new_id()
    lot = asha.pen.animal(animal, seizure, "cow", 3)
    asha.push(asha.pen.seizure(seizure, pound_id=village.pound_id), lot)
    mohan.push(mohan.pen.op("animal", animal, set={"marks": "white star"}))
    blind: JSON = {"withdrawn": [], "*": [lot["op"]]}
    asha.push(asha.pen.op("animal", animal, retract={"reason": "counted twice"}, base=blind))
    bina = desk("bina")
    page = bina.get(f"/console/cases/{seizure}")
    action = next(one for one in page.forms if "/fields/" in one)

    sent = bina.send(page, action, head="stays", reason="The keeper holds it.")

    assert sent.status == 303
    lots = as_person("bina").get(f"/api/v1/seizures/{seizure}").json["animals"]
    assert [lot["withdrawn"] for lot in lots] == [False]


def test_values_that_changed_meanwhile_are_not_decided_blindly(
    app: Flask, desk: Desk, village: Village
) -> None:
    asha, mohan = phone_of(app, village["asha"]), phone_of(app, village["mohan"])
    seizure, animal = new_id(), new_id()
    five = asha.pen.animal(animal, seizure, "buffalo", 5)
    asha.push(asha.pen.seizure(seizure, pound_id=village.pound_id), five)
    nine = mohan.pen.op("animal", animal, set={"count": 9}, base={"count": [five["op"]]})
    mohan.push(nine)
    bina = desk("bina")
    page = bina.get(f"/console/cases/{seizure}")
    action = next(one for one in page.forms if "/fields/" in one)
    asha.push(asha.pen.op("animal", animal, set={"count": 6}, base={"count": [five["op"]]}))

    late = bina.send(page, action, head=str(nine["op"]), reason=WORDS)

    assert late.status == 409
    assert f">{WORDS}</textarea>" in late.html
