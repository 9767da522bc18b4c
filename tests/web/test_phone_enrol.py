"""How a phone becomes somebody's, and what it says where that fails."""

from __future__ import annotations

import pytest

from tests.support.house import AsPerson
from tests.web.conftest import OpenPhone
from tests.web.phones import Phone

pytestmark = pytest.mark.browser


def type_code(phone: Phone, code: str) -> None:
    phone.goto("/enrol")
    phone.page.wait_for_selector("#code")
    phone.page.fill("#code", code)
    phone.page.wait_for_timeout(400)  # two taps in one moment count as one
    phone.tap("#enrol")


def test_six_digits_on_the_phone_are_those_of_the_office(
    phone: OpenPhone, as_person: AsPerson
) -> None:
    asha = phone("asha", is_confirmed=False)
    asha.tap("text=Show the six digits")
    digits = asha.read("#fingerprint").replace(" ", "")

    listed = as_person("admin").get("/api/v1/devices?standing=pending").json["items"]
    assert [one["fingerprint"] for one in listed] == [digits]


def test_code_that_is_refused_says_what_to_do(asha: Phone) -> None:
    type_code(asha, "0000-0000-000")
    asha.see("This code was used, is too old, or is mistyped.")
    asha.forgive("/api/v1/devices")  # the browser reports the refusal itself, too

    asha.offline()
    type_code(asha, "0000-0000-000")
    asha.see("Setting up needs the network once.")

    assert "This code was used" not in asha.read("main")


def test_language_changes_offline_and_stays(asha: Phone) -> None:
    asha.offline()
    asha.tap("#language")
    asha.tap("button[lang=gu]")
    asha.see("ઢોર પકડો")
    asha.shoot()
    asha.tap("#next")
    asha.see("ભેંસો")
    asha.open()

    assert asha.page.get_attribute("html", "lang") == "gu"
