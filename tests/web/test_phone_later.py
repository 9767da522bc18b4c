"""What can still be done with a saved report: completed, mended, withdrawn, carried by another."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from fieldapi.models import OpRow, Seizure
from fieldapi.unit import Database
from tests.support.house import AsPerson
from tests.support.personas import Village, issue
from tests.web.conftest import OpenPhone
from tests.web.phones import Phone

pytestmark = pytest.mark.browser

PRESS_MS = 400  # two taps in one moment count as one


def saved(phone: Phone) -> str:
    """Report two buffaloes and return the id."""
    phone.seize("buffalo", 2)
    return str(phone.page.evaluate("location.hash")).rpartition("/")[2]


def add_photo(phone: Phone) -> None:
    phone.tap("a:has-text('Add photos')")
    phone.page.wait_for_selector("#shutter:enabled")
    phone.tap("#shutter")
    phone.page.wait_for_selector(".thumb img")
    phone.tap("#next")
    phone.page.wait_for_selector(".facts")


def complete(phone: Phone) -> None:
    """Say whose they are, who saw it and how they are marked: nothing that was said is changed."""
    phone.tap("a:has-text('Complete or correct')")
    phone.page.wait_for_selector("#save")
    phone.page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    phone.page.fill("#owner-name", "Ramesh")
    phone.page.fill("[id^=colour-]", "black")
    phone.page.fill("#estimate", "1250.50")
    phone.tap("#save")
    phone.page.wait_for_selector(".facts")
    phone.see("₹1,250.50")


def test_saved_report_is_completed_without_a_word_and_withdrawn_with_one(
    phone: OpenPhone, as_person: AsPerson
) -> None:
    asha = phone("asha")
    report = saved(asha)
    asha.send()
    asha.offline()
    asha.goto(f"/report/{report}")
    asha.page.click("details summary")
    assert "Pound" in asha.read("#missing")
    add_photo(asha)
    complete(asha)
    asha.tap("a:has-text('Withdraw this report')")
    asha.tap("button:has-text('It was reported twice.')")
    asha.see("Take the withdrawal back")
    asha.offline(is_offline=False)
    asha.send()

    told = as_person("bina").get(f"/api/v1/seizures/{report}").json
    assert (told["owner"]["name"], told["damage"]["estimate_paise"]) == ("Ramesh", 125_050)
    assert (told["photos_announced"], told["animals"][0]["colour"]) == (2, "black")
    assert (told["withdrawn"], told["reviews"], told.get("remarks")) == (True, [], None)
    asha.goto(f"/report/{report}")
    asha.tap("#unwithdraw")
    asha.see("Withdraw this report")


def test_value_that_the_server_cannot_read_is_written_again(
    phone: OpenPhone, as_person: AsPerson
) -> None:
    asha = phone("asha")
    said = {
        "seized_at": "2026-11-30T04:00:00.000Z",
        "capacity": "watch_and_ward",
        "ground": "a whim",
        "place_kind": "street",
        "location_absent_reason": "no_signal",
    }
    report = asha.call("saveReport", {"kind": "seizure", "fields": said, "undoMs": 0})["id"]
    asha.pull()
    asha.see("Needs you")
    asha.goto(f"/report/{report}")
    asha.see("The server cannot read this value. Write it again.")
    asha.page.select_option("#mend-ground", "straying")
    asha.tap("[data-mend]")
    asha.see("Saved on this phone")
    asha.pull()

    asha.page.wait_for_selector("[data-mend]", state="detached")
    assert as_person("bina").get(f"/api/v1/seizures/{report}").json["ground"] == "straying"


def test_report_of_an_unconfirmed_phone_says_why_it_waits_and_an_ended_one_needs_you(
    phone: OpenPhone, as_person: AsPerson
) -> None:
    asha = phone("asha", is_confirmed=False)
    report = saved(asha)
    asha.end_undo()
    asha.call("sendNow")
    asha.forgive("status of 403")  # that it may not ask for its photo yet, the browser reports
    asha.goto(f"/report/{report}")

    asha.see("Waits at the office")
    asha.see("The office has not confirmed this phone yet. It counts from then on")
    assert "2 buffaloes" in asha.read("main")
    revoke = f"/api/v1/devices/{asha.call('me')['device']['id']}/revoke"
    assert as_person("admin").post(revoke, json={"reason": "lost"}).status_code == 200
    asha.call("sendNow")
    asha.tap("#strip >> text=Needs you")
    asha.see("Enrol again")
    asha.forgive("status of 401")  # that it is turned away, the browser reports itself


def test_copy_of_a_phone_that_cannot_send_is_brought_in_by_another(
    phone: OpenPhone, database: Database, village: Village, tmp_path: Path
) -> None:
    asha, ravi = phone("asha"), phone("ravi")
    asha.offline()
    saved(asha)
    asha.goto("/sending")
    with asha.page.expect_download() as copy:
        asha.tap("#export")
    copy.value.save_as(tmp_path / "copy.zip")
    ravi.goto("/bring")
    ravi.page.set_input_files("#copy", tmp_path / "copy.zip")
    ravi.see("3 parts were taken.")
    ravi.see("1 photo is stored.")
    (tmp_path / "half.zip").write_bytes((tmp_path / "copy.zip").read_bytes()[:900])
    ravi.page.set_input_files("#copy", tmp_path / "half.zip")
    ravi.see("This is no whole copy of a phone's reports.")
    ravi.forgive("/api/v1/imports")  # the browser reports the refusal itself, too

    with database.read() as session:
        assert {(row.by, row.is_signed) for row in session.scalars(select(OpRow))} == {
            (village["asha"].person_id, True)
        }


# How many reports have a row in the outbox that waits: what the badge has to say.
_OUTBOX = """async () => {
    const first = document.querySelector('script').src;
    const database = await import(first.replace('app.js', 'device/database.js'));
    const { device } = (await (await import(first.replace('app.js', 'device/phone.js'))).me());
    const rows = await database.read(database.nameOf(device.id), ['op'],
        stores => stores.all('op', 'status', 'waiting'));
    return new Set(rows.map(row => row.report)).size;
}"""
# Notes what the browser says to the app's wish to be woken.
_WISHES = """() => {
    const register = SyncManager.prototype.register;
    window.wishes = [];
    SyncManager.prototype.register = function (tag) {
        const done = register.call(this, tag);
        done.then(() => wishes.push(`${tag} granted`), () => wishes.push(`${tag} denied`));
        return done;
    };
}"""


def wake(phone: Phone) -> None:
    """Let the browser wake the app's worker, as it does where a line comes up."""
    session = phone.context.new_cdp_session(phone.page)
    told: list[dict[str, str]] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated", lambda one: told.extend(one["registrations"])
    )
    session.send("ServiceWorker.enable")
    phone.until(lambda: bool(told))
    woken = {"origin": phone.address, "registrationId": told[-1]["registrationId"]}
    session.send("ServiceWorker.dispatchSyncEvent", {**woken, "tag": "outbox", "lastChance": False})


def test_badge_counts_what_waits_and_a_glance_or_the_worker_sends_it(
    phone: OpenPhone, database: Database
) -> None:
    asha = phone("asha")
    asha.page.evaluate(_WISHES)
    asha.offline()
    saved(asha)
    asha.goto("/")
    saved(asha)
    asha.see("2 waiting")
    assert asha.page.evaluate(_OUTBOX) == 2
    asha.end_undo()
    asha.context.set_offline(False)
    asha.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    asha.page.wait_for_selector("#strip >> text=All sent")

    assert {row["state"] for row in asha.call("reports")} == {"complete"}
    assert asha.page.evaluate(_OUTBOX) == 0
    with database.read() as session:
        assert len(session.scalars(select(Seizure.id)).all()) == 2
    asha.context.grant_permissions(["geolocation", "camera", "background-sync"])
    asha.goto("/")
    saved(asha)
    asha.end_undo()
    wake(asha)
    asha.until(lambda: {row["state"] for row in asha.call("reports")} == {"complete"})
    asha.page.wait_for_function("wishes.length === 3")
    assert asha.page.evaluate("wishes") == ["outbox denied", "outbox denied", "outbox granted"]


def test_name_behind_the_phones_lock_is_taken_by_who_opens_it(
    phone: OpenPhone, database: Database, village: Village
) -> None:
    asha, ravi = phone("asha", host="localhost"), village["ravi"]
    session = asha.context.new_cdp_session(asha.page)
    session.send("WebAuthn.enable")
    finger = session.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasUserVerification": True,
                "hasResidentKey": True,
                "isUserVerified": True,
            }
        },
    )["authenticatorId"]
    asha.goto("/who")
    asha.tap("#lock")
    asha.see("Ask for the phone's lock no longer")
    asha.call("enrol", {"code": issue(database, ravi.authority_id, ravi.person_id)})
    session.send("WebAuthn.setUserVerified", {"authenticatorId": finger, "isUserVerified": False})
    asha.goto("/")
    asha.goto("/who")
    asha.tap("[data-person=Asha]")
    asha.see("The lock of this phone was not opened.")
    assert asha.call("me")["person"]["name"] == "Ravi"
    session.send("WebAuthn.setUserVerified", {"authenticatorId": finger, "isUserVerified": True})
    asha.page.wait_for_timeout(PRESS_MS)
    asha.tap("[data-person=Asha]")
    asha.page.wait_for_selector("#seize")

    assert asha.call("me")["person"]["name"] == "Asha"
