"""The other users of the app: police who help, the keeper of a pound, people who share a phone."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from fieldapi.house import House
from fieldapi.models import Aid, Animal, Intake, OpRow, Seizure
from fieldapi.services import fees
from fieldapi.services.acts.arrivals import taking_in
from fieldapi.services.authorise import operator
from fieldapi.unit import Database
from tests.support.clock import StoppedClock
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.web.conftest import OpenPhone
from tests.web.phones import Phone
from tests.web.test_phone_screens import AXE, TAGS, axe

pytestmark = pytest.mark.browser

# A reader of codes, as phones have one and a browser on a desk has none.
_READER = """text => {
    globalThis.BarcodeDetector = class {
        static getSupportedFormats = async () => ["qr_code"];
        detect = async () => [{ rawValue: text }];
    };
}"""


def seize_for(phone: Phone, pound: str) -> str:
    """Report two buffaloes that go to a pound, and return the text of the receipt's QR."""
    phone.shoot()
    phone.tap("#next")
    for _ in range(2):
        phone.tap("[data-kind=buffalo] .tile__add")
    phone.page.click("summary")
    phone.page.select_option("#pound", pound)
    phone.tap("#save")
    reference = phone.read("#reference")
    report = phone.page.evaluate("location.hash").rpartition("/")[2]
    phone.send()
    return f"{phone.address}/app/#/find/{reference}/{report}"


def test_police_aid_is_saved_offline_and_arrives_linked_and_signed(
    phone: OpenPhone, village: Village, database: Database
) -> None:
    asha, ravi = phone("asha"), phone("ravi")
    code = seize_for(asha, village.pound_id)
    ravi.pull()
    ravi.goto("/office")
    ravi.see("2 buffaloes")  # in short: who owns them is nobody's business here
    ravi.offline()
    ravi.page.evaluate(_READER, code)
    ravi.goto("/")
    ravi.page.wait_for_selector("#aid")
    ravi.taps = 0
    ravi.tap("#aid")
    ravi.tap("#scan")
    ravi.see("RJK-")
    ravi.tap("#called")
    ravi.tap("#arrived")
    ravi.tap("[data-what=rescue_prevented]")
    ravi.page.click("summary")
    ravi.tap("#add-person")
    ravi.page.fill("#name-0", "Ramesh")
    ravi.tap("#save")
    ravi.page.wait_for_selector("#reference")
    ravi.see("Rescue prevented")
    assert ravi.taps <= 7  # five, one for the QR and one for the person
    ravi.offline(is_offline=False)
    ravi.send()

    with database.read() as session:
        (aid,) = session.scalars(select(Aid))
        assert aid.fields["seizure_id"] == code.rpartition("/")[2]
        assert (aid.fields["ground"], aid.fields["rendered"]) == ("likely_rescue", True)
        assert aid.fields["requested_at"] <= aid.fields["arrived_at"]
        assert [one["name"] for one in aid.fields["persons"]] == ["Ramesh"]
        assert aid.is_signed


def test_refused_help_for_an_unknown_report_says_why_and_what_was_read_out(
    phone: OpenPhone, database: Database
) -> None:
    ravi = phone("ravi")
    ravi.offline()
    ravi.tap("#aid")
    ravi.page.fill("#five", "0042g")
    ravi.see("This number is not on this phone.")
    ravi.tap("[data-what=nothing_needed]")
    ravi.page.select_option("#given", "1")
    ravi.tap("#save")
    ravi.see("Say why help was refused.")
    ravi.page.fill("#refusal", "No man could be spared")
    ravi.page.wait_for_timeout(400)  # two taps in one moment count as one
    ravi.tap("#save")
    ravi.page.wait_for_selector("#reference")
    ravi.offline(is_offline=False)
    ravi.send()

    with database.read() as session:
        (aid,) = session.scalars(select(Aid))
        assert (aid.fields["rendered"], aid.fields["refusal_reason"]) == (
            False,
            "No man could be spared",
        )
        assert "0042G" in str(aid.fields["narrative"])
        assert aid.fields.get("seizure_id") is None


def load_scale(database: Database, authority_id: str) -> None:
    boss = operator(authority_id)
    database.transact(lambda unit: fees.load(unit, boss, fees.sample(unit, boss)))


def take_in(house: House) -> None:
    """Let the server take arrivals into the register, as its jobs do every two seconds."""
    job = taking_in(house)
    with house.database.read() as session:
        subjects = job.pending(session)
    for subject in subjects:
        job.run(subject)


def receive(mohan: Phone) -> None:
    """Count three where the seizer counted two; read the ear tag of one of them wrongly, then
    right. Offline.
    """
    mohan.tap("#pound")
    mohan.tap(".report")
    mohan.tap("a:has-text('Receive cattle')")
    mohan.tap("#same")
    mohan.tap("[data-kind=buffalo] .steps button:last-of-type")
    mohan.see("Your count differs from the seizer's. Both are kept")
    mohan.tap("#save")
    mohan.tap("a[href^='#/case/']")
    mohan.tap("a:has-text('Marks and ear tags')")
    mohan.page.locator("[id^=each-]").first.fill("white star")
    for tag in ("340123456780", "340123456789"):
        mohan.page.locator("[id^=each-tag-]").first.fill(tag)
        mohan.page.wait_for_timeout(400)  # two taps in one moment count as one
        mohan.tap("[data-save]")
        mohan.page.wait_for_selector(f"[data-tag='{tag}']", state="attached")
    assert mohan.page.locator("[data-tag]").count() == 1
    assert mohan.page.locator("[id^=each-tag-]").count() == 3  # as many as came


# Somebody pays and taps again, so late that it is a tap of its own: after the answer came, before
# what is left to be paid is drawn.
_TAP_AGAIN = """() => {
    const quick = fetch, pay = document.querySelector('#pay'), began = performance.now();
    let acts = 0;
    window.fetch = async (path, how) => {
        if (String(path).endsWith('/acts') && (acts += 1) === 2) {
            while (performance.now() < began + 500) await new Promise(done => setTimeout(done, 50));
            pay.click();
            window.isTapped = true;
        }
        return quick(path, how);
    };
    pay.click();
}"""


def pay_in_parts(mohan: Phone) -> None:
    """Take a hundred, which a hasty finger does not take twice; the rest at the second attempt."""
    mohan.page.fill("#paid", "100")
    mohan.page.evaluate(_TAP_AGAIN)
    mohan.page.wait_for_selector("[data-paper=money_receipt]")
    assert mohan.page.evaluate("window.isTapped")
    assert mohan.read("#total") == "₹500.00"
    mohan.offline()
    mohan.tap("#pay")
    mohan.see("it is not known whether this was done")
    mohan.offline(is_offline=False)
    mohan.page.wait_for_timeout(400)  # two taps in one moment count as one
    mohan.tap("#pay")


def release(mohan: Phone, case: str) -> None:
    """Take the money of whoever comes, and let the cattle go."""
    mohan.goto(f"/case/{case}")
    mohan.see("In the pound now: 3 buffaloes")
    faults = mohan.page.evaluate(AXE, TAGS)
    assert mohan.read("#total").startswith("₹")
    mohan.tap("a:has-text('Payment and release')")
    mohan.page.fill("#name", "Ramesh")
    mohan.tap("#identify")
    mohan.page.wait_for_selector("#pay")
    assert faults + mohan.page.evaluate(AXE, TAGS) == []
    assert mohan.page.locator("#release").count() == 0  # nothing leaves unpaid
    pay_in_parts(mohan)
    mohan.tap("#release")
    mohan.see("Released")
    with mohan.page.expect_download() as receipt:
        mohan.tap("[data-paper=money_receipt]")
    assert receipt.value.suggested_filename.startswith("REC-")


def test_keeper_receives_offline_and_releases_online_and_the_seizer_sees_both_counts(
    phone: OpenPhone, village: Village, house: House, database: Database, clock: StoppedClock
) -> None:
    load_scale(database, village.rjk)
    asha, mohan = phone("asha"), phone("mohan", bypass_csp=True)
    for one in (asha, mohan):
        one.tell_time(clock.now)  # what is due goes by the days since
    mohan.page.evaluate(axe())
    case = seize_for(asha, village.pound_id).rpartition("/")[2]
    mohan.pull()
    mohan.offline()
    receive(mohan)
    mohan.offline(is_offline=False)
    mohan.send()
    take_in(house)
    release(mohan, case)
    asha.pull()
    asha.goto(f"/report/{case}")
    asha.see("The pound counted otherwise")
    asha.tap("button:has-text('Not sure')")
    asha.page.fill("[id^=note-]", "One came by itself")
    asha.tap(".conflict button:has-text('Save')")
    asha.see("You said: Not sure. One came by itself")
    asha.pull()

    with database.read() as session:
        (lot,) = session.scalars(select(Animal))
        assert (lot.count, lot.fields["ear_tags"]) == (2, ["340123456789"])
        first = {"number": 1, "marks": "white star", "ear_tag": "340123456789"}
        assert lot.fields["individuals"] == [first]
        (seizure,) = session.scalars(select(Seizure))
        (word,) = seizure.fields["statements"]
        assert (word["answer"], word["text"]) == ("unsure", "One came by itself")
        assert seizure.fields.get("remarks") is None
        (intake,) = session.scalars(select(Intake))
        assert intake.fields["counts"] == [{"kind": "buffalo", "count": 3}]
        assert intake.is_signed


def test_person_of_a_shared_phone_stands_inside_what_is_signed(
    phone: OpenPhone, as_person: AsPerson, village: Village, database: Database
) -> None:
    asha = phone("asha")
    device = asha.call("me")["device"]["id"]
    join = f"/api/v1/devices/{device}/people/{village['kanta'].person_id}/join"
    assert as_person("admin").post(join).status_code == 200
    asha.call("refreshMe")
    asha.offline()
    asha.seize("buffalo")
    asha.goto("/who")
    asha.tap("[data-person=Kanta]")
    asha.see("Kanta")
    asha.seize("cow")
    asha.goto("/reports")
    asha.page.wait_for_selector(".report")
    assert asha.page.locator(".report").count() == 1  # her own; those of others are hidden
    asha.goto("/sending")
    asha.see("2 reports are not sent whole")
    asha.offline(is_offline=False)
    asha.send()

    with database.read() as session:
        said = {(row.by, row.is_signed) for row in session.scalars(select(OpRow))}
    assert said == {(village[one].person_id, True) for one in ("asha", "kanta")}
