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
