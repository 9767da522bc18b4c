"""The app's device layer: from enrolment to a stored report, with lines that break."""

from __future__ import annotations

from tests.support.app_phones import AppPhone
from tests.support.house import AsPerson


def test_report_made_offline_is_stored_signed_under_its_number(
    phone: AppPhone, as_person: AsPerson
) -> None:
    phone.call("status", line="off")
    saved = phone.report(photos=1)
    sent = phone.call("sendNow", line="open")

    told = as_person("bina").get(f"/api/v1/seizures/{saved['id']}").json
    assert sent["fault"] is None
    assert told["reference"] == saved["reference"]
    assert told["trust"] == "signed"
    assert (told["photos_stored"], told["photos_announced"]) == (1, 1)
