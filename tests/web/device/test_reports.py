"""The app's device layer: capture without a line, numbers, drafts, undo."""

from __future__ import annotations

import re

import pytest

from fieldapi.domain.references import is_reference
from tests.support.app_phones import (
    ABOUT_PHOTO,
    PLACE,
    AppPhone,
    PhoneFault,
    Shop,
    instant,
    seizure,
)
from tests.support.house import AsPerson


def test_report_made_offline_is_stored_signed_under_its_number(
    phone: AppPhone, as_person: AsPerson
) -> None:
    phone.call("status", line="off")
    saved = phone.report(photos=1)
    assert phone.call("sendNow")["fault"] == "link-down"

    sent = phone.call("sendNow", line="open")

    told = as_person("bina").get(f"/api/v1/seizures/{saved['id']}").json
    assert sent["fault"] is None
    assert (told["reference"], told["trust"]) == (saved["reference"], "signed")
    assert (told["photos_stored"], told["photos_announced"]) == (1, 1)
    assert phone.call("reports")[0]["state"] == "complete"


def test_fifty_reports_on_two_phones_have_fifty_numbers(shop: Shop, address: str) -> None:
    phones = [shop.phone(address), shop.phone(address)]

    said = {"kind": "seizure", "fields": seizure(), "undoMs": 60_000}
    numbers = [phone.call("saveReport", said)["reference"] for phone in phones for _ in range(25)]

    assert len(set(numbers)) == 50
    assert all(map(is_reference, numbers))


def test_draft_and_photo_outlive_a_kill(phone: AppPhone) -> None:
    draft = phone.call("saveDraft", {"step": "photo", "values": {"count": {"cow": 2}}})
    photo = phone.call("random", draft["id"], 200_000, ABOUT_PHOTO)
    phone.call("markCapture", {"draft": draft["id"], "slot": 1})

    phone.restart()

    (kept,) = phone.call("drafts")
    assert (kept["step"], kept["values"], kept["photos"]) == (
        "photo",
        {"count": {"cow": 2}},
        [photo["id"]],
    )
    assert phone.call("hash", photo["id"]) == photo["sha256"]
    assert phone.call("takeCaptureMark") == {"draft": draft["id"], "slot": 1}
    assert phone.call("takeCaptureMark") is None


def test_undo_before_the_first_sending_leaves_nothing_but_the_draft(phone: AppPhone) -> None:
    saved = phone.report(photos=1, undo_ms=60_000)
    phone.call("sendNow")

    undone = phone.call("undoReport", saved["id"])

    assert undone == {"how": "draft", "draft": saved["draft"]}
    assert len(phone.call("draft", saved["draft"])["photos"]) == 1
    assert (phone.call("reports"), phone.call("status")["opsWaiting"]) == ([], 0)


def test_undo_after_it_was_sent_withdraws_the_report(phone: AppPhone, as_person: AsPerson) -> None:
    saved = phone.report()
    phone.call("sendNow")

    assert phone.call("undoReport", saved["id"])["how"] == "retracted"

    phone.call("sendNow")
    assert phone.call("reports")[0]["isWithdrawn"]
    assert as_person("bina").get(f"/api/v1/seizures/{saved['id']}").json["withdrawn"] is True


def test_report_of_an_unconfirmed_phone_waits_and_is_released(
    shop: Shop, address: str, as_person: AsPerson
) -> None:
    phone = shop.phone(address, is_confirmed=False)
    me = phone.call("me")
    saved = phone.report(photos=1)
    phone.call("sendNow")
    (row,) = phone.call("reports")
    assert (row["record"], row["animals"][0]["count"]) == ("held", 2)

    device = as_person("admin").get(f"/api/v1/devices/{me['device']['id']}").json
    assert device["fingerprint"] == me["fingerprint"]
    confirm = f"/api/v1/devices/{me['device']['id']}/confirm"
    assert as_person("admin").post(confirm, json={}).status_code == 200

    phone.call("sendNow")
    assert phone.call("reports")[0]["record"] == "stored"
    assert as_person("bina").get(f"/api/v1/seizures/{saved['id']}").json["trust"] == "signed"


def test_later_fix_goes_beside_the_first_place(phone: AppPhone, as_person: AsPerson) -> None:
    saved = phone.report()
    better = {**PLACE, "accuracy_m": 3, "fixed_at": instant()}

    phone.call("addTo", "seizure", saved["id"], "fixes", better)

    phone.call("sendNow")
    told = as_person("bina").get(f"/api/v1/seizures/{saved['id']}").json
    assert told["location"]["accuracy_m"] == 8
    assert [fix["accuracy_m"] for fix in told["fixes"]] == [3]


def test_photo_is_refused_where_room_is_short_and_the_report_is_not(phone: AppPhone) -> None:
    draft = phone.call("saveDraft", {"step": "photo"})
    phone.call("room", 5_000_000)

    with pytest.raises(PhoneFault, match="storage-full"):
        phone.call("random", draft["id"], 100_000, ABOUT_PHOTO)

    assert re.match(r"RJK-\d\d-", phone.report()["reference"])


def test_edit_over_an_unsent_value_is_no_conflict_with_oneself(
    phone: AppPhone, as_person: AsPerson
) -> None:
    saved = phone.report()
    phone.call("edit", "seizure", saved["id"], {"ground": "straying"})
    phone.call("edit", "seizure", saved["id"], {"ground": "trespass"})

    phone.call("sendNow")

    told = as_person("bina").get(f"/api/v1/seizures/{saved['id']}").json
    assert (told["ground"], told["reviews"]) == ("trespass", [])
    assert phone.call("screen", "seizure", saved["id"])["shown"]["ground"] == "trespass"
