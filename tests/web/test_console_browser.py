"""The console in a real browser: policies hold, the keyboard suffices, scripts are not needed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.house import AsPerson
from tests.support.reports import seizure_body
from tests.web.conftest import Visit, Visitor

pytestmark = pytest.mark.browser

REASON = "Photo 1 shows the damage."


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


def decide(visitor: Visitor, outcome: str) -> None:
    visitor.page.check(f"input[value={outcome}]")
    visitor.page.fill("#reason", REASON)
    visitor.page.click("#decision button[type=submit]")
    visitor.page.click("button[name=sure]")


def test_no_page_breaks_its_own_policy(visit: Visit, case: str) -> None:
    bina = visit()
    bina.sign_in("bina")
    bina.page.goto(case)
    bina.page.click(".lines summary >> nth=0")
    decide(bina, "accepted")

    assert "Bina accepted the report." in bina.page.inner_text("main")
    assert bina.complaints == []


def test_everything_works_without_scripts(visit: Visit, case: str) -> None:
    bina = visit(has_scripts=False)
    bina.sign_in("bina")
    bina.speak("gu")
    assert bina.page.get_attribute("html", "lang") == "gu"
    bina.page.select_option("#state", "received")
    bina.page.click(".filters button[type=submit]")
    bina.page.click(".list__title a")

    decide(bina, "correction_asked")

    assert bina.page.inner_text(".head .tag") == "સુધારો માગ્યો"
    assert REASON in bina.page.inner_text(".timeline")


def test_keyboard_alone_decides(visit: Visit, case: str) -> None:
    bina = visit()
    bina.sign_in("bina")
    bina.page.goto(case)
    press = bina.page.keyboard.press
    press("Tab")
    assert bina.page.evaluate("document.activeElement.className") == "skip"
    press("Enter")
    _tab_to(bina, "[name=outcome]")
    press("ArrowDown")
    press("ArrowUp")
    _tab_to(bina, "#reason")
    bina.page.keyboard.type(REASON)
    press("Tab")
    press("Enter")
    bina.page.wait_for_selector("button[name=sure]")
    _tab_to(bina, "button[name=sure]")
    press("Enter")

    bina.page.wait_for_selector(".note")
    assert bina.page.inner_text(".head .tag") == "Under review"


def _tab_to(visitor: Visitor, selector: str) -> None:
    """Press Tab until the focus is there; fail after many."""
    for _ in range(120):
        visitor.page.keyboard.press("Tab")
        if visitor.page.evaluate(f"document.activeElement.matches('{selector}')"):
            return
    pytest.fail(f"the keyboard does not reach {selector}")
