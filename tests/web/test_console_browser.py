"""The console in a real browser: policies hold, the keyboard suffices, scripts are not needed."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Page

from fieldapi.ids import new_id
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.phones import phone_of
from tests.support.reports import seizure_body
from tests.web.conftest import Visit, Visitor

pytestmark = pytest.mark.browser

REASON = "Photo 1 shows the damage."
COUNTED = "Counted in daylight."
# The focus has an outline, and the header that stays on the screen does not cover it.
_IS_SEEN = """() => {
    const at = document.activeElement, box = at.getBoundingClientRect();
    const down = Math.min(8, box.height / 2);
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + down);
    return at.matches(':focus-visible') && !!top && !!top.closest('main');
}"""


@pytest.fixture
def case(as_person: AsPerson) -> str:
    """The address of a report with much to say."""
    body: dict[str, Any] = seizure_body(
        owner={"known": True, "name": "Ramesh Parmar", "residence": "Ratanpar"},
        place_text="Survey field beside the canal, north of the temple",
    )
    body["location"]["mocked"] = True
    assert as_person("asha").post("/api/v1/seizures", json=body).status_code == 201
    return f"/console/cases/{body['id']}"


@pytest.fixture
def torn(app: Flask, village: Village) -> str:
    """The address of a report whose cattle were counted twice, and differently."""
    asha, mohan = phone_of(app, village["asha"]), phone_of(app, village["mohan"])
    seizure, animal = new_id(), new_id()
    five = asha.pen.animal(animal, seizure, "buffalo", 5)
    asha.push(asha.pen.seizure(seizure, pound_id=village.pound_id), five)
    mohan.push(mohan.pen.op("animal", animal, set={"count": 9}, base={"count": [five["op"]]}))
    return f"/console/cases/{seizure}"


def decide(visitor: Visitor, outcome: str) -> None:
    visitor.page.check(f"input[value={outcome}]")
    visitor.page.fill("#reason", REASON)
    visitor.go("#decision button[type=submit]")
    visitor.go("button[name=sure]")


def test_no_page_breaks_its_own_policy(visit: Visit, case: str) -> None:
    bina = visit()
    bina.sign_in("bina")
    bina.page.goto(case)
    bina.page.click(".lines summary >> nth=0")
    decide(bina, "accepted")

    assert "Bina accepted the report." in bina.page.inner_text("main")
    assert bina.complaints == []


def test_everything_works_without_scripts(visit: Visit, torn: str) -> None:
    bina = visit(has_scripts=False)
    bina.sign_in("bina")
    bina.page.goto("/console/?q=nowhere")
    assert "No report matches" in bina.page.inner_text("main .empty")
    bina.go("main .empty a")
    bina.speak("gu")
    assert bina.page.get_attribute("html", "lang") == "gu"
    bina.page.select_option("#state", "received")
    bina.go(".filters button[type=submit]")
    bina.go(".list__title a")
    bina.page.check("#conflicts [name=head] >> nth=1")
    bina.page.fill("#conflicts textarea", COUNTED)
    bina.go("#conflicts form button")
    assert COUNTED in bina.page.inner_text("#conflicts blockquote")
    assert bina.page.locator("main > .note").inner_text()

    late = bina.page.context.new_page()
    late.goto(torn)
    decide(bina, "correction_asked")

    assert bina.page.inner_text(".head .tag") == "સુધારો માગ્યો"
    assert REASON in bina.page.inner_text(".timeline")
    assert _sent_late(late) == (409, COUNTED)


def _sent_late(page: Page) -> tuple[int, str]:
    """Decide on a page that was open before; returns the status and what is left of the reason."""
    page.check("input[value=accepted]")
    page.fill("#reason", COUNTED)
    with page.expect_navigation() as moved:
        page.click("#decision button[type=submit]")
    return moved.value.status, page.input_value("#reason")


def test_keyboard_alone_goes_from_the_inbox_over_a_conflict_to_a_decision(
    visit: Visit, torn: str
) -> None:
    bina = visit()
    bina.sign_in("bina")
    press = bina.page.keyboard.press
    press("Tab")
    assert bina.page.evaluate("document.activeElement.className") == "skip"
    press("Enter")
    _tab_to(bina, ".list__title a")
    _enter(bina)
    assert bina.page.url.endswith(torn)
    _tab_to(bina, "#conflicts [name=head]")
    press("ArrowDown")
    _tab_to(bina, "#conflicts textarea")
    bina.page.keyboard.type(COUNTED)
    press("Tab")
    _enter(bina)
    assert COUNTED in bina.page.inner_text("#conflicts blockquote")
    _tab_to(bina, "[name=outcome]")
    press("ArrowDown")
    press("ArrowUp")
    _tab_to(bina, "#reason")
    bina.page.keyboard.type(REASON)
    press("Tab")
    _enter(bina)
    _tab_to(bina, "button[name=sure]")
    _enter(bina)

    assert bina.page.inner_text(".head .tag") == "Under review"


def _enter(visitor: Visitor) -> None:
    """Press Enter on what leads to another page, and wait for that page."""
    with visitor.page.expect_navigation(wait_until="load"):
        visitor.page.keyboard.press("Enter")


def _tab_to(visitor: Visitor, selector: str) -> None:
    """Press Tab until the focus is there, and to be seen; fail after many."""
    for _ in range(120):
        visitor.page.keyboard.press("Tab")
        if visitor.page.evaluate(f"document.activeElement.matches('{selector}')"):
            visitor.page.wait_for_function(_IS_SEEN)
            return
    pytest.fail(f"the keyboard does not reach {selector}")
