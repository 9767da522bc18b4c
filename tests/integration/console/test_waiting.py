"""What phones sent and nobody merged: told with the reason, let in or turned down by a reviewer."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from fieldapi.ids import new_id
from fieldapi.unit import Database
from tests.integration.console.conftest import Desk, Report
from tests.support.desk import Page
from tests.support.house import AsPerson
from tests.support.personas import Village, add_persona
from tests.support.phones import TestPhone, phone_of
from tests.support.reports import seizure_body

HERE = "/console/waiting"


@pytest.fixture
def op(app: Flask, village: Village, report: Report) -> dict[str, Any]:
    """A change that ravi wrote into asha's report; it is held."""
    ravi: TestPhone = phone_of(app, village["ravi"])
    made = ravi.pen.op("seizure", report["id"], set={"remarks": "Two of them are mine."})
    assert ravi.push(made)[0]["status"] == "held"
    return made


def action(page: Page, verdict: str) -> str:
    found = next(one for one in page.forms if one.startswith(HERE))
    return found.removesuffix("reject") + verdict


def test_held_change_is_told_with_its_values_and_the_reason(
    desk: Desk, report: Report, op: dict[str, Any]
) -> None:
    page = desk("bina").get(HERE)

    assert "Report · Ravi" in page.text
    assert "Two of them are mine." in page.text
    assert "Whoever wrote it is not one who may write this." in page.text
    assert f'/console/cases/{report["id"]}"' in page.html


def test_report_that_is_not_let_in_is_not_linked_to(
    app: Flask, desk: Desk, village: Village, database: Database
) -> None:
    new = add_persona(database, village.rjk, "mira", role="reporter", is_confirmed=False)
    phone, body = phone_of(app, new), seizure_body()
    made = phone.pen.op("seizure", str(body["id"]), set={"remarks": "By the well."}, new=True)
    assert phone.push(made)[0]["status"] == "held"

    page = desk("bina").get(HERE)

    assert "By the well." in page.text
    assert "/console/cases/" not in page.html
    assert "Open the report" not in page.text


def test_reviewer_lets_it_in(
    desk: Desk, as_person: AsPerson, report: Report, op: dict[str, Any]
) -> None:
    bina = desk("bina")
    page = bina.get(HERE)
    form = page.forms[action(page, "reject")]

    sent = bina.client.post(action(page, "release"), data={**form, "reason": "It is so."})

    assert sent.status_code == 303
    assert "It was let in" in bina.get(HERE).text
    shown = as_person("bina").get(f"/api/v1/seizures/{report['id']}").json
    assert shown["remarks"] == "Two of them are mine."


def test_reviewer_turns_it_down_with_a_reason_only(desk: Desk, op: dict[str, Any]) -> None:
    bina = desk("bina")
    page = bina.get(HERE)
    where = action(page, "reject")

    empty = bina.send(page, where, reason=" ")
    done = bina.send(page, where, reason="Not yours to say.")

    assert (empty.status, done.status) == (422, 303)
    assert "Write the reason: it reaches the phone." in empty.text
    listed = bina.get(f"{HERE}?status=rejected").text
    assert "Turned down: “Not yours to say.”" in listed


def test_judging_what_somebody_else_judged_changes_nothing(desk: Desk, op: dict[str, Any]) -> None:
    bina = desk("bina")
    page = bina.get(HERE)
    bina.send(page, action(page, "reject"), reason="Not yours to say.")

    late = bina.client.post(
        action(page, "release"), data={**page.forms[action(page, "reject")], "reason": "It is."}
    )

    assert late.status_code == 409
    assert "Somebody else judged it meanwhile." in late.get_data(as_text=True)


def test_list_without_anything_says_what_would_be_in_it(desk: Desk) -> None:
    for standing in ("held", "quarantined", "nonsense"):
        assert "Nothing here" in desk("bina").get(f"{HERE}?status={standing}").text


def test_auditor_reads_and_does_not_judge(desk: Desk, op: dict[str, Any]) -> None:
    page = desk("admin").get(HERE)

    assert "Two of them are mine." in page.text
    assert not [one for one in page.forms if one.startswith(HERE)]


def test_what_was_sent_of_one_report_is_one_decision(
    app: Flask, desk: Desk, village: Village, database: Database
) -> None:
    new = add_persona(database, village.rjk, "mira", role="reporter", is_confirmed=False)
    phone, body = phone_of(app, new), seizure_body()
    case = str(body["id"])
    report = phone.pen.op("seizure", case, set={"remarks": "By the well."}, new=True)
    lot = phone.pen.animal(new_id(), case, "buffalo", 2)
    other = phone.pen.op("seizure", new_id(), set={"remarks": "In the lane."}, new=True)
    assert {one["status"] for one in phone.push(lot, report, other)} == {"held"}
    bina = desk("bina")
    page = bina.get(HERE)

    one = next(form for form in page.forms if report["op"] in form)
    done = bina.send(page, one, reason="A trial.")

    assert page.html.count("<textarea") == 2
    assert page.text.index("By the well.") < page.text.index("buffalo")
    assert done.status == 303
    left = bina.get(HERE).text
    words = ("In the lane.", "By the well.", "buffalo")
    assert [one in left for one in words] == [True, False, False]
