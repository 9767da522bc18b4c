"""The pound's pages in a real browser: a release at a phone's width without scripts, and what a
program can find of barriers on every page of the register and of the admin.
"""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from flask import Flask
from playwright.sync_api import Page

from fieldapi.unit import Database
from tests.support.clock import StoppedClock
from tests.support.desk import give_password
from tests.support.pound_house import PoundHouse, found_pound, load_sample
from tests.web.conftest import Visit, Visitor
from tests.web.test_phone_screens import axe

pytestmark = pytest.mark.browser

_SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
_BARRIERS = """async () => {
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
    const found = await axe.run(document, {runOnly: {type: 'tag', values: tags}});
    return found.violations.map(one => [one.id, one.nodes.map(node => node.html.slice(0, 90))]);
}"""
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
    assert keeper.complaints == []


def test_no_page_has_a_barrier(visit: Visit, pound: PoundHouse) -> None:
    case = pound.seize({"cow": 1})
    paths = {
        "keeper": [
            f"/console/pound/{pound.pound_id}",
            f"/console/pound/{pound.pound_id}/receive/{case}",
            f"/console/cases/{case}/acts",
            f"/console/cases/{case}/acts/dispatch_to_pound",
            f"/console/pound/{pound.pound_id}/books",
            f"/board/{pound.pound_id}",
        ],
        "admin": [
            *(f"/console/admin{one}" for one in ("", "/people", "/register", "/pounds")),
            *(f"/console/admin{one}" for one in ("/calendars", "/statute", "/health")),
            f"/console/admin/people/{pound.people['keeper'].person_id}",
        ],
    }
    found = {}
    for name, listed in paths.items():
        visitor = visit(width=360)
        enter(visitor, name)
        for path in listed:
            visitor.page.goto(path)
            fits(visitor.page)
            # The policy of the board lets no script in, ours included: it is looked at as it is.
            if not path.startswith("/board"):
                visitor.page.evaluate(axe())
                found[path] = visitor.page.evaluate(_BARRIERS)

    assert {path: one for path, one in found.items() if one} == {}, json.dumps(found)[:3000]
