"""The place of a report: in words and metres, improved later, never waited for."""

from __future__ import annotations

import pytest

from tests.web.phones import PLACE, Phone

pytestmark = pytest.mark.browser

_CELL = "#strip a"
# What the newest report says.
_SHOWN = """async () => {
    const first = document.querySelector('script').src;
    const phone = await import(first.replace('app.js', 'device/phone.js'));
    return (await phone.report((await phone.reports())[0].id)).screen.shown;
}"""
_DENIED = """navigator.geolocation.watchPosition =
    (_, no) => no({code: 1, PERMISSION_DENIED: 1});"""


def test_four_levels_have_four_words_and_four_pictures(asha: Phone) -> None:
    told = []
    for accuracy in (8, 35, 240, 1500):
        asha.context.set_geolocation({**PLACE, "accuracy": accuracy})
        asha.goto("/place")
        # The best reading of the last minute holds: a worse one counts after a fresh start.
        asha.page.reload()
        asha.page.wait_for_selector(f"{_CELL} >> text=within")
        picture = asha.page.get_attribute(f"{_CELL} use", "href") or ""
        told.append((asha.read(_CELL), picture.partition("#")[2]))

    words = [text.partition(":")[0] for text, _ in told]
    assert words == ["Good", "Fair", "Very poor", "Only roughly"]
    assert len({picture for _, picture in told}) == 4
    asha.see("Turn on “Precise location”")
    asha.page.wait_for_selector("main use[href$='#precise']", state="attached")


def test_without_permission_the_village_is_named(asha: Phone) -> None:
    asha.context.clear_permissions()
    asha.page.add_init_script(_DENIED)
    asha.page.reload()
    asha.page.wait_for_selector("#seize")
    asha.shoot()
    asha.tap("#next")
    asha.tap("[data-kind=cow] .tile__add")
    asha.page.fill("#village", "Ratanpar")
    capacity = asha.page.input_value("#capacity")
    asha.tap("#save")
    asha.page.wait_for_selector("#reference")

    shown = asha.page.evaluate(_SHOWN)
    assert shown.get("location") is None
    assert shown["location_absent_reason"] == "permission_off"
    assert shown["place_text"] == "Ratanpar"
    assert shown["capacity"] == capacity  # also one that this Act does not name


def test_better_reading_after_the_save_stands_beside_the_first(asha: Phone) -> None:
    asha.context.set_geolocation({**PLACE, "accuracy": 90})
    asha.page.reload()
    asha.page.wait_for_selector("#strip >> text=within 90 m")
    asha.seize("buffalo")
    asha.context.set_geolocation({**PLACE, "latitude": 22.304, "accuracy": 6})
    asha.page.wait_for_selector("#strip >> text=within 6 m")
    asha.until(lambda: bool(asha.page.evaluate(_SHOWN).get("fixes")))

    shown = asha.page.evaluate(_SHOWN)
    assert shown["location"]["accuracy_m"] == 90
    assert [one["accuracy_m"] for one in shown["fixes"]] == [6]
