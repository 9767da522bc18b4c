"""The phone app in a real browser: from the icon to a numbered report, with only the phone."""

from __future__ import annotations

import re

import pytest

from fieldapi.domain.references import is_reference
from tests.web.conftest import OpenPhone
from tests.web.phones import Phone

pytestmark = pytest.mark.browser


def test_six_taps_make_a_report_offline(phone: OpenPhone) -> None:
    asha = phone("asha")
    asha.offline()

    reference = asha.seize("buffalo")

    assert asha.taps <= 6
    assert is_reference(reference)
    assert re.fullmatch(r"RJK-\d{2}-\d{4}-0001-[A-Z]", reference)
    asha.see("Waiting to send")


def test_two_tabs_on_one_draft_keep_what_either_counts(asha: Phone) -> None:
    asha.shoot()
    asha.tap("#next")
    asha.tap("[data-kind=buffalo] .tile__add")
    other = Phone(asha.context.new_page(), asha.address)
    other.page.goto(asha.page.url)
    other.tap("[data-kind=cow] .tile__add")
    asha.page.wait_for_selector("[data-kind=cow] output:text-is('1')")
    for tab in (asha, other):
        tab.tap("[data-kind=buffalo] .tile__add")
        tab.page.evaluate("document.querySelector('details').open = true")
    asha.page.fill("#village", "Ratanpar")
    other.page.fill("#remarks", "By the well")
    other.page.wait_for_selector("[data-kind=buffalo] output:text-is('3')")
    asha.until(lambda: asha.call("drafts")[0]["values"]["remarks"] == "By the well")
    other.page.close()
    asha.tap("#save")
    asha.page.wait_for_selector("#reference")

    receipt = asha.read("main")
    kept = ("3 buffaloes", "1 cow", "Ratanpar", "By the well")
    assert [said for said in kept if said not in receipt] == []


_CUT_BY_THE_FOOT = """() => {
    const foot = document.querySelector('.foot').getBoundingClientRect().top;
    return [...document.querySelectorAll('.thumb .button, .tile:nth-child(-n+4)')]
        .map(one => one.getBoundingClientRect().bottom).filter(bottom => bottom > foot);
}"""


def test_nothing_that_is_pressed_first_is_cut_by_the_foot(asha: Phone) -> None:
    asha.shoot()
    on_photos = asha.page.evaluate(_CUT_BY_THE_FOOT)
    asha.tap("#next")
    asha.tap("[data-kind=buffalo] .tile__add")

    assert on_photos == asha.page.evaluate(_CUT_BY_THE_FOOT) == []
