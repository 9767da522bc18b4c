"""What becomes of a report: undone, disputed, decided; and whose it is when another signs in."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.models import OpRow
from fieldapi.unit import Database
from tests.support.clock import StoppedClock
from tests.support.deliveries import deliver, pen_of
from tests.support.house import AsPerson
from tests.support.personas import Village, issue
from tests.web.conftest import OpenPhone
from tests.web.phones import Phone

pytestmark = pytest.mark.browser


# Ten seconds in which something can be undone last ten times as long, or as `pace` says.
_TIME_CREEPS = """() => {
    const wait = setTimeout, now = Date.now();
    window.pace = 10;
    Date.now = () => now;
    window.setTimeout = (f, ms) => wait(f, ms < 1000 ? ms : ms * pace);
}"""


def open_report(phone: Phone) -> str:
    phone.goto("/reports")
    phone.tap(".report")
    phone.page.wait_for_selector(".facts")
    return str(phone.page.evaluate("location.hash")).rpartition("/")[2]


def test_undo_gives_the_draft_back_and_sends_nothing(phone: OpenPhone, database: Database) -> None:
    asha = phone("asha")
    asha.page.evaluate(_TIME_CREEPS)
    asha.seize("buffalo", 3)
    asha.tap("#undo")

    assert asha.read("[data-kind=buffalo] output") == "3"
    asha.tap("#discard")
    asha.page.wait_for_selector("#undo-discard")
    asha.page.wait_for_selector(".draft", state="detached")
    asha.tap("#undo-discard")
    asha.tap(".draft")
    asha.page.evaluate("window.pace = 0.1")
    asha.tap("#discard")
    asha.page.wait_for_selector("#undo-discard")
    asha.page.wait_for_selector("#undo-discard", state="detached")
    asha.until(lambda: asha.call("drafts") == [])
    with database.read() as session:
        assert session.scalar(select(func.count()).select_from(OpRow)) == 0


def test_other_count_and_decision_with_its_reason_come_to_the_phone(
    phone: OpenPhone, house: House, as_person: AsPerson, village: Village, clock: StoppedClock
) -> None:
    asha, mohan = phone("asha"), pen_of(village["mohan"])
    asha.tell_time(clock.now)  # a decision is shown for thirty days
    asha.shoot()
    asha.tap("#next")
    asha.tap("[data-kind=buffalo] .tile__add")
    asha.page.click("summary")
    asha.page.select_option("#pound", village.pound_id)
    asha.tap("#save")
    asha.page.wait_for_selector("#reference")
    asha.send()
    report = open_report(asha)
    (animal,) = as_person("bina").get(f"/api/v1/seizures/{report}").json["animals"]
    deliver(
        house,
        village["mohan"],
        mohan.op("animal", animal["id"], set={"count": 3}, base={"count": []}),
    )
    decision = {"id": new_id(), "seizure": report, "outcome": "correction_asked"}
    answer = as_person("bina").post("/api/v1/reviews", json={**decision, "reason": "Which field?"})
    assert answer.status_code == 201
    asha.pull()

    open_report(asha)
    asha.see("A correction is asked for")
    asha.see("Which field?")
    asha.see("Both are kept. The office will decide.")
    asha.see("Correct now")
    asha.tap("button:has-text('The other is right: 3')")
    asha.see("3 buffaloes")
    asha.pull()
    again = mohan.op("animal", animal["id"], set={"count": 4}, base={"count": []})
    deliver(house, village["mohan"], again)
    (review,) = as_person("bina").get(f"/api/v1/seizures/{report}").json["reviews"]
    decided = {"op": new_id(), "value": 4, "reason": "Counted together"}
    answer = as_person("bina").post(f"/api/v1/reviews/{review['id']}/decision", json=decided)
    assert answer.status_code == 200
    asha.pull()
    asha.see("The office decided: 4")
    asha.see("Counted together")


def test_correction_is_a_new_statement(asha: Phone) -> None:
    asha.seize("buffalo", 2)
    open_report(asha)
    asha.tap("a:has-text('Complete or correct')")
    asha.page.fill("input[id^=count-]", "4")
    asha.tap("#save")
    asha.see("Say why it is corrected.")
    asha.tap("#reasons button:has-text('I counted wrong.')")
    asha.page.wait_for_timeout(400)  # two taps in one moment count as one
    asha.tap("#save")

    asha.page.wait_for_selector(".facts")
    assert "4 buffaloes" in asha.read("main")
    assert "I counted wrong." in asha.read("main")  # part of what is signed


def test_queue_outlives_sign_out_and_another_officer(
    phone: OpenPhone, village: Village, database: Database
) -> None:
    asha, ravi = phone("asha"), village["ravi"]
    asha.offline()
    asha.seize("buffalo")
    asha.goto("/ready")
    asha.tap("#sign-out")
    asha.page.wait_for_selector("#code")
    asha.page.wait_for_selector("#strip:not(:has([href='#/place']))")  # it is nobody's now
    asha.offline(is_offline=False)
    asha.page.fill("#code", issue(database, ravi.authority_id, ravi.person_id))
    asha.tap("#enrol")
    asha.page.wait_for_selector("#checks")
    asha.goto("/sending")
    asha.see("1 report of Asha waits on this phone")
    asha.end_undo()
    asha.tap("#send")
    asha.page.wait_for_selector("text=1 report of Asha", state="detached")

    with database.read() as session:
        assert set(session.scalars(select(OpRow.by))) == {village["asha"].person_id}
