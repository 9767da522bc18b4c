"""The place of a report: in words and metres, improved later, never waited for."""

from __future__ import annotations

import pytest

from tests.support.house import AsPerson
from tests.web.conftest import OpenPhone
from tests.web.phones import PLACE, Phone

pytestmark = pytest.mark.browser

_CELL = "#strip a"
_DENIED = """navigator.geolocation.watchPosition =
    (_, no) => no({code: 1, PERMISSION_DENIED: 1});"""


def drain(phone: Phone) -> None:
    """Wait until the report may be sent and is."""
    phone.goto("/sending")
    phone.page.wait_for_selector("#send")
    phone.page.wait_for_timeout(10_000)
    phone.tap("#send")
    phone.see("Everything is sent")


def test_four_levels_have_four_words_and_four_pictures(phone: OpenPhone) -> None:
    asha, told = phone("asha"), []
    for accuracy in (8, 35, 240, 1500):
        asha.context.set_geolocation({**PLACE, "accuracy": accuracy})
        asha.goto("/place")
        # The best reading of the last minute holds: a worse one counts after a fresh start.
        asha.page.reload()
        asha.page.wait_for_selector(f"{_CELL} >> text=within")
        picture = asha.page.get_attribute(f"{_CELL} use", "href") or ""
        told.append((asha.read(_CELL), picture.partition("#")[2]))

    assert [text.partition(":")[0] for text, _ in told] == [
        "Good",
        "Fair",
        "Very poor",
        "Very poor",
    ]
    assert len({text for text, _ in told}) == 4
    asha.see("Turn on “Precise location”")


def test_without_permission_the_village_is_named(phone: OpenPhone, as_person: AsPerson) -> None:
    asha = phone("asha")
    asha.context.clear_permissions()
    asha.page.add_init_script(_DENIED)
    asha.page.reload()
    asha.page.wait_for_selector("#seize")
    asha.shoot()
    asha.tap("#next")
    asha.tap("[data-kind=cow] .tile__add")
    asha.page.fill("#village", "Ratanpar")
    asha.tap("#save")
    asha.page.wait_for_selector("#reference")
    drain(asha)

    bina = as_person("bina")
    (listed,) = bina.get("/api/v1/seizures").json["items"]
    found = bina.get(f"/api/v1/seizures/{listed['id']}").json
    assert found.get("location") is None
    assert found["location_absent_reason"] == "permission_off"
    assert found["place_text"] == "Ratanpar"


def test_better_reading_after_the_save_stands_beside_the_first(phone: OpenPhone) -> None:
    asha = phone("asha")
    asha.context.set_geolocation({**PLACE, "accuracy": 90})
    asha.page.reload()
    asha.page.wait_for_selector("#seize")
    asha.seize("buffalo")
    asha.context.set_geolocation({**PLACE, "latitude": 22.304, "accuracy": 6})
    drain(asha)

    row = asha.page.evaluate(
        """async () => {
            const first = document.querySelector('script').src;
            const phone = await import(first.replace('app.js', 'device/phone.js'));
            return (await phone.report((await phone.reports())[0].id)).screen.shown;
        }"""
    )
    assert row["location"]["accuracy_m"] == 90
    assert [one["accuracy_m"] for one in row["fixes"]] == [6]
