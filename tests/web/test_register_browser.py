"""The pound's pages in a real browser: a release at a phone's width without scripts."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from playwright.sync_api import Page

from fieldapi.unit import Database
from tests.support.clock import StoppedClock
from tests.support.desk import give_password
from tests.support.pound_house import PoundHouse, found_pound, load_sample
from tests.web.conftest import Visit, Visitor

pytestmark = pytest.mark.browser

_SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
HERD = {"buffalo": 2}


@pytest.fixture
def pound(app: Flask, database: Database, clock: StoppedClock) -> PoundHouse:
    """A pound in Kerala where two buffaloes stand since the day before yesterday."""
    clock.now = clock.now.replace(month=12, day=1, hour=5)
    made = found_pound(app, database, clock, "kerala")
    load_sample(made, database)
    for name in ("keeper", "admin"):
        give_password(database, made.people[name])
    case = made.seize(HERD)
    made.take_in(case, HERD)
    clock.now += timedelta(days=2)
    return made


def fits(page: Page) -> None:
    """Fail if the page runs out of the screen."""
    assert page.evaluate(_SIDEWAYS) == 0, page.url


def enter(visitor: Visitor, name: str) -> None:
    """Sign in, and wait until it is done."""
    visitor.sign_in(name)
    visitor.page.wait_for_selector(".top__name")


def go(page: Page, selector: str) -> None:
    """Press what leads to another page, and wait for it."""
    with page.expect_navigation():
        page.click(selector)


def release(keeper: Visitor, pound: PoundHouse) -> None:
    page = keeper.page
    page.goto(f"/console/pound/{pound.pound_id}")
    fits(page)
    go(page, ".stay__go a")
    whole = page.locator("form.form").first.bounding_box()
    person = page.locator("fieldset.person").bounding_box()
    assert whole is not None
    assert person is not None
    assert person["width"] > whole["width"] - 40
    page.select_option("#party", "new")
    page.click(".person__more summary")
    page.fill("#new-name", "Sasi Kurup")
    go(page, "form.form .actions button")
    go(page, "form.form button.button")
    go(page, ".actions a.button >> nth=0")
    fits(page)
    assert "2 × 3 days × ₹55.50" in page.inner_text(".sums")
    assert page.input_value("#paid_paise") == "633"
    page.check("#register_signature")
    go(page, "form.form .actions button")
    fits(page)
    go(page, "form.form button.button")


def test_release_at_a_phones_width_without_scripts(visit: Visit, pound: PoundHouse) -> None:
    keeper = visit(width=360, has_scripts=False)
    enter(keeper, "keeper")

    release(keeper, pound)

    assert "REC/2026-27/A/0001" in keeper.page.inner_text("main")
    fits(keeper.page)
    go(keeper.page, ".papers a >> nth=0")
    assert "₹633.00" in keeper.page.inner_text("body")
    keeper.page.goto(f"/board/{pound.pound_id}")
    fits(keeper.page)
    named = keeper.page.locator(".scale thead th >> nth=0").bounding_box()
    assert named is not None
    assert named["width"] > 240  # the name of a scale is no narrow column
    assert keeper.complaints == []
