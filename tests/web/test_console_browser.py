"""The console in a real browser: policies hold, the keyboard suffices, scripts are not needed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.house import AsPerson
from tests.support.reports import seizure_body
from tests.web.conftest import Visit, Visitor

pytestmark = pytest.mark.browser

REASON = "Photo 1 shows the damage."
# Everything that can be pressed; a link within a sentence may be as low as its line.
_SMALL = """() => [...document.querySelectorAll('a, button, input, select, textarea, summary')]
    .filter(one => one.checkVisibility() && one.type !== 'hidden')
    .filter(one => !one.closest('.skip, p:not(.back), li > a, .summary, td, th'))
    .map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && (box.width < 24 || box.height < 24))
    .map(([name]) => name)"""
_SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


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


def test_focus_is_always_to_be_seen(visit: Visit, case: str) -> None:
    bina = visit()
    bina.sign_in("bina")
    bina.page.goto(case)
    lost = []
    for _ in range(40):
        bina.page.keyboard.press("Tab")
        style = bina.page.evaluate(
            "() => { const one = document.activeElement, style = getComputedStyle(one);"
            " return [one.outerHTML.slice(0, 60), style.outlineStyle, style.outlineWidth]; }"
        )
        is_page = style[0].startswith("<body")
        if not is_page and (style[1] == "none" or style[2] == "0px"):
            lost.append(style[0])

    assert lost == []


@pytest.mark.parametrize("language", ["en", "gu", "hi", "kn", "ml"])
def test_nothing_runs_out_of_a_narrow_screen(visit: Visit, case: str, language: str) -> None:
    bina = visit(width=320)
    bina.sign_in("bina")
    bina.speak(language)

    over = {}
    for path in ("/console/", "/console/?q=nowhere", "/console/?from=x", case, "/console/none"):
        bina.page.goto(path)
        over[path] = bina.page.evaluate(_SIDEWAYS)

    assert set(over.values()) == {0}, over


@pytest.mark.parametrize("width", [390, 1280])
def test_everything_pressed_is_large_enough(visit: Visit, case: str, width: int) -> None:
    bina = visit(width=width)
    bina.sign_in("bina")
    small = []
    for path in ("/console/", case):
        bina.page.goto(path)
        small += bina.page.evaluate(_SMALL)

    assert small == []


def test_pages_are_light_enough_for_a_slow_line(visit: Visit, case: str) -> None:
    bina = visit()
    bina.sign_in("bina")
    sizes: dict[str, int] = {}
    bina.page.on("response", lambda one: sizes.update({one.url: len(one.body())}))
    bina.page.goto(case)
    bina.page.goto("/console/")

    assert all(url.startswith(bina.page.url[:20]) for url in sizes)
    assert max(sizes.values()) < 60_000


def _tab_to(visitor: Visitor, selector: str) -> None:
    """Press Tab until the focus is there; fail after many."""
    for _ in range(120):
        visitor.page.keyboard.press("Tab")
        if visitor.page.evaluate(f"document.activeElement.matches('{selector}')"):
            return
    pytest.fail(f"the keyboard does not reach {selector}")
