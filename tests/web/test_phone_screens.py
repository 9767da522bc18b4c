"""Every screen of the phone app, in two languages: for thumbs, for the sun, for screen readers."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from fieldapi.locale import LANGUAGES
from fieldapi.phone import shelf as shelves
from tests.support.tree import ROOT
from tests.web.conftest import OpenPhone
from tests.web.phones import Phone
from tools import node

pytestmark = pytest.mark.browser

TAGS = ["wcag2a", "wcag2aa", "wcag2aaa", "wcag21a", "wcag21aa", "wcag22aa"]
# 7:1 stands in AAA; its rule on links that are told apart by their place alone is not ours.
AXE = """async tags => {
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
# Two buttons or fields with less than eight pixels between them; the strip and the tile of a kind
# are one control each, with parts. What stays at the foot lies over what is scrolled beneath it.
_CLOSE = """() => {
    const pressed = ['.button', '.shutter', 'select', 'input', 'textarea'];
    const all = [...document.querySelectorAll(pressed.map(one => `main ${one}`).join())]
        .filter(one => one.checkVisibility() && !one.matches('.hidden'))
        .map(one => [one, one.getBoundingClientRect()]);
    const isSame = (one, two) => one.matches('.foot *') === two.matches('.foot *');
    const apart = (a, b) => Math.max(b.left - a.right, a.left - b.right, b.top - a.bottom,
        a.top - b.bottom);
    return all.flatMap(([one, a], at) => all.slice(at + 1)
        .filter(([two, b]) => !one.contains(two) && isSame(one, two) && apart(a, b) < 8)
        .map(([two]) => `${one.outerHTML.slice(0, 70)} | ${two.outerHTML.slice(0, 70)}`));
}"""
_SIDEWAYS = """() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth ? [`${scrollWidth} px wide`] : [];
}"""
_STRIP = "document.querySelector('#strip [role=status]').getBoundingClientRect().toJSON()"
# A word of the strip that stands there in part.
_CUT = """() => [...document.querySelectorAll('#strip span')]
    .filter(one => one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth + 1)
    .map(one => `cut: ${one.textContent}`)"""
# The same with text of twice the size.
_LARGE = f"""() => {{
    document.documentElement.style.fontSize = '236%';
    const found = ({_SIDEWAYS})().map(one => `large text: ${{one}}`);
    document.documentElement.style.fontSize = '';
    return found;
}}"""
_TEXT_PX = """() => Math.min(...[...document.querySelectorAll('main *, #strip *')]
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
    for path in ("/", "/reports", *(f"/{one}/{report}" for one in _OF_A_REPORT), *_PLAIN):
        phone.goto(path)
        phone.page.evaluate(_DRAWN)
        yield path


# Everything that a screen opens is open, and drawn.
_DRAWN = """() => {
    document.querySelectorAll('details').forEach(one => { one.open = true; });
    return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
_OF_A_REPORT = ("report", "correct", "withdraw", "add", "case", "marks", "counter")
_PLAIN = (
    "/aid",
    "/alarm",
    "/bring",
    "/office",
    "/pound",
    "/receive",
    "/who",
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


# Two of them here, all of them in `./dev soak screens`.
ALL_LOOKS = "APP_LOOKS_ALL"
_FEW = [("en", "light"), ("gu", "dark")]
_LOOKS = [*product(LANGUAGES, ("light", "dark"))] if ALL_LOOKS in os.environ else _FEW


@pytest.mark.parametrize("language, theme", _LOOKS)
def test_no_screen_hinders_anybody(phone: OpenPhone, language: str, theme: str) -> None:
    asha, faults = phone("asha", bypass_csp=True, viewport={"width": 320, "height": 640}), []
    speak(asha, language, theme)
    asha.page.evaluate(axe())
    asha.offline()
    for name in screens(asha):
        for look in (_SMALL, _CLOSE, _SIDEWAYS, _LARGE, _CUT):
            faults += [f"{name}: {one}" for one in asha.page.evaluate(look)]
        faults += [f"{name}: {one}" for one in asha.page.evaluate(AXE, TAGS)]
        assert asha.page.evaluate(_TEXT_PX) >= 18, name
        strip = asha.page.evaluate(_STRIP)  # at one moment: it is drawn anew whenever it changes
        assert strip["y"] == 0, name
        assert strip["height"] <= 56, name

    assert faults == [], "\n".join(faults)


# Every sentence comes 40 % longer and in brackets: what stands outside them, no catalogue knows.
_LATIN = """() => [...document.querySelectorAll('main, #strip')].flatMap(part => {
    const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const shown = node.parentElement.checkVisibility() && !node.parentElement.closest('.code');
        if (shown && /[a-z]{3}/i.test(node.data.replace(/⟦.*⟧/gs, ''))) found.push(node.data);
    }
    return found;
})"""
_NAMES = {"Asha", "Rajkot Taluka Panchayat", "Dwarka Road", "Aji Dam", "English"}


def pseudo(messages: dict[str, str | list[str]]) -> dict[str, str | list[str]]:
    """Return a catalogue of a language that nobody speaks."""

    def longer(text: str) -> str:
        return f"⟦{text}{'·' * (2 * len(text) // 5)}⟧"

    return {
        one: longer(one) if isinstance(forms, str) else [longer(form) for form in (one, one)]
        for one, forms in messages.items()
    }


def test_no_sentence_is_beyond_the_catalogue_and_longer_ones_fit(phone: OpenPhone) -> None:
    asha, over, known = phone("asha", service_workers="block"), [], set()
    words = shelves.shelf().files["locale/kn.json"].content
    said = json.loads(words)
    kinds = {code: [f"⟦{form}⟧" for form in forms] for code, forms in said["kinds"].items()}
    spoken = {"sentences": pseudo(said["sentences"]), "kinds": kinds}
    asha.context.route("**/locale/kn.json", lambda route: route.fulfill(json=spoken))
    speak(asha, "kn")
    for name in screens(asha):
        over += [f"{name}: {one}" for one in asha.page.evaluate(_SIDEWAYS)]
        known |= {*asha.page.evaluate(_LATIN)}
    asha.forgive("status of 404")  # the report is not at the server: it says so when asked
    for blocked in ("blocked by Playwright", "reading 'addEventListener'"):
        asha.forgive(blocked)  # the worker that would keep the app

    assert over == []
    assert {one.strip() for one in known} - _NAMES - {shelves.shelf().build} == set()
