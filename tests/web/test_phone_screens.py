"""Every screen of the phone app, in two languages: for thumbs, for the sun, for screen readers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from tests.support.tree import ROOT
from tests.web.conftest import OpenPhone
from tests.web.phones import Phone
from tools import node

pytestmark = pytest.mark.browser

_TAGS = ["wcag2a", "wcag2aa", "wcag2aaa", "wcag21a", "wcag21aa", "wcag22aa"]
# 7:1 stands in AAA; its rule on links that are told apart by their place alone is not ours.
_AXE = """async tags => {
    const found = await axe.run(document, {runOnly: {type: 'tag', values: tags},
        rules: {'link-in-text-block': {enabled: false}}});
    return found.violations.map(one =>
        `${one.id}: ${one.nodes.map(n => n.html.slice(0, 90)).join(' | ')}`);
}"""
# What can be pressed, with its size; a link within a sentence may be as low as its line.
_SMALL = """() => [...document.querySelectorAll('a, button, input, select, summary')]
    .filter(one => one.checkVisibility() && !one.matches('.hidden, .hidden *, p a, .pick input'))
    .map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect(),
        one.matches('.button--main, #save, #seize, #next') ? 64 : 48])
    .filter(([, box, least]) => box.height < least || box.width < 48)
    .map(([name, box]) => `${name} ${box.width} x ${box.height}`)"""
_SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
_TEXT_PX = """() => Math.min(...[...document.querySelectorAll('main *')]
    .filter(one => one.checkVisibility() && !one.matches('.hidden, .hidden *'))
    .filter(one => [...one.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()))
    .map(one => parseFloat(getComputedStyle(one).fontSize)))"""


@cache
def axe() -> str:
    folder = node.packages(ROOT / "tests" / "clients" / "axe")
    return (folder / "axe-core" / "axe.min.js").read_text("utf-8")


def screens(phone: Phone) -> Iterator[str]:
    """Show each screen in turn, with a draft and a report on the phone; yield its name."""
    phone.shoot()
    yield "photo"
    phone.tap("#next")
    phone.tap("[data-kind=buffalo] .tile__add")
    phone.page.evaluate("() => { document.querySelector('details').open = true; }")
    yield "count"
    phone.tap("#save")
    phone.page.wait_for_selector("#reference")
    yield "receipt"
    report = phone.page.evaluate("location.hash").rpartition("/")[2]
    phone.goto("/")
    phone.shoot()
    for path in ("/", "/reports", f"/report/{report}", f"/correct/{report}", *_PLAIN):
        phone.goto(path)
        phone.page.wait_for_selector("main h1")
        phone.page.wait_for_timeout(150)
        yield path


_PLAIN = (
    "/sending",
    "/ready",
    "/help",
    "/place",
    "/language",
    "/enrol",
    "/find/RJK-07-2611-0042-G",
)


def speak(phone: Phone, language: str, theme: str = "light") -> None:
    phone.page.evaluate(
        "said => Object.entries(said).forEach(([name, one]) => localStorage.setItem(name, one))",
        {"language": language, "theme": theme},
    )
    phone.page.reload()
    phone.page.wait_for_selector("#seize, #pound")


@pytest.mark.parametrize("language, theme", [("en", "light"), ("gu", "dark")])
def test_no_screen_hinders_anybody(phone: OpenPhone, language: str, theme: str) -> None:
    narrow = {"width": 320, "height": 640}
    asha, found, small, over = phone("asha", bypass_csp=True, viewport=narrow), [], [], []
    speak(asha, language, theme)
    asha.page.evaluate(axe())
    for name in screens(asha):
        found += [f"{name}: {one}" for one in asha.page.evaluate(_AXE, _TAGS)]
        small += [f"{name}: {one}" for one in asha.page.evaluate(_SMALL)]
        over += [name] if asha.page.evaluate(_SIDEWAYS) else []
        assert asha.page.evaluate(_TEXT_PX) >= 16, name
        strip = asha.page.locator("#strip [role=status]").bounding_box()
        assert strip["y"] == 0, name
        assert strip["height"] <= 56, name

    assert (found, small, over) == ([], [], [])


def test_text_of_twice_the_size_stays_on_the_screen(phone: OpenPhone) -> None:
    asha, over = phone("asha", bypass_csp=True), []
    speak(asha, "gu")
    asha.page.add_style_tag(content="html { font-size: 236% !important; }")
    for name in screens(asha):
        over += [name] if asha.page.evaluate(_SIDEWAYS) else []

    assert over == []
