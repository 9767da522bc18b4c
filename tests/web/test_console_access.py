"""Every page of the console in a real browser: for screen readers, for narrow screens, in the dark,
by the keyboard, in a language that nobody speaks, and by scripts that only ever add to what works
without them.

One server and one browser serve all of it, filled with an invented authority.
"""

from __future__ import annotations

import gzip
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from gettext import NullTranslations
from html import unescape
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from sqlalchemy import event, text

from fieldapi import locale
from fieldapi.console.assets import _assets
from fieldapi.locale import LANGUAGES
from tests.support import desk
from tests.support.databases import Databases
from tests.support.house import client_with
from tests.support.tree import ROOT
from tests.web.offices import PASSWORD, Office, opened
from tests.web.page_bounds import BOUNDS, DOORS, SAME
from tools import node

pytestmark = pytest.mark.browser

# Two of them here, all of them in `./dev soak screens`.
ALL_LOOKS = "CONSOLE_LOOKS_ALL"
_SIZES = ((1280, False), (320, True))
_FEW = [("en", 1280, False), ("ml", 320, True)]
_ALL = [(language, *size) for language, size in product(LANGUAGES, _SIZES)]
_ALL += [(language, width, not dark) for language, width, dark in _ALL]
_LOOKS = _ALL if ALL_LOOKS in os.environ else _FEW
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
_AXE = """async tags => {
    const found = await axe.run(document, {runOnly: {type: 'tag', values: tags}});
    return found.violations.map(one =>
        `${one.id}: ${one.nodes.map(n => n.html.slice(0, 120)).join(' | ')}`);
}"""
_SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
# What one came for begins within the upper third of a small phone, in the longest language too.
_HIGH = "() => document.querySelector('.top').offsetHeight > 200"
# Everything that can be pressed; a link within a sentence may be as low as its line.
_SMALL = """() => [...document.querySelectorAll('a, button, input, select, textarea, summary')]
    .filter(one => one.checkVisibility() && one.type !== 'hidden')
    .filter(one => !one.closest('.skip, .hidden, p:not(.back), li > a, .summary, td, th'))
    .map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && (box.width < 24 || box.height < 24))
    .map(([name]) => name)"""
# A drawing that shrinks takes its words along: whoever reads them has no glass at hand.
_TINY = """() => [...document.querySelectorAll('.map--wide text')]
    .filter(one => one.checkVisibility() && one.textContent.trim())
    .map(one => [one.textContent.trim(), one.getBoundingClientRect().height])
    .filter(([, height]) => height > 0 && height < 9)
    .map(([said]) => said)"""
# Codes are for programs: people read their names.
_CODES = """() => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    for (let node = walk.nextNode(); node; node = walk.nextNode())
        if (node.parentElement.checkVisibility() && !node.parentElement.closest('code, .code, pre'))
            found.push(node.data);
    for (const name of ['alt', 'aria-label', 'title', 'placeholder'])
        found.push(...[...document.querySelectorAll(`[${name}]`)].map(at => at.getAttribute(name)));
    return found.flatMap(said => said.match(/(?<![\\w/@.#-])[a-z]+_[a-z_]+/g) || []);
}"""
# Words outside the brackets that every sentence of the catalogue is put in; one with links in it is
# read as a whole.
_BARE = """() => {
    const linked = '.event__says, .event__details li';
    const found = [...document.querySelectorAll(linked)].map(one => one.textContent);
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const at = node.parentElement;
        if (at.closest(linked)) continue;
        if (at.checkVisibility() && !at.closest('code, .code, .serial, [lang]:not(html), kbd'))
            found.push(node.data);
    }
    const inner = /⟦[^⟦⟧]*⟧/gs;
    const bare = one => inner.test(one) ? bare(one.replace(inner, ' ')) : one;
    return [document.title, ...found].map(bare);
}"""
_SENDS = "main form[method=post] button >> nth=0"
# The next request of a script waits until it is let go.
_HOLD = """() => {
    const send = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = function (...said) {
        window.letGo = () => send.apply(this, said);
        XMLHttpRequest.prototype.send = send;
    };
}"""
_WORD = re.compile(r"[A-Za-z]{3,}")
# What stands in these was written by people, and is shown as they wrote it.
_OF_PEOPLE = (
    *("authority", "person", "place", "pound", "party", "seizure", "animal", "photo", "intake"),
    *("complaint", "notification", "device", "sign_in", "review", "comment", "closed_day"),
    "saved_view",
)
_LINK = re.compile(r'(?:href|src|data-[a-z]+)="(/console/[^"#]+)')
_NEVER = -1
_JS_GZIPPED = 30_000
_CSS_GZIPPED = 14_000
_PAGE_GZIPPED = 60_000


def _noting(asked: list[str]) -> Callable[..., None]:
    return lambda *said: asked.append(said[2])


def _gets(office: Office) -> list[str]:
    """Return the addresses of the pages of the console, from the app itself."""
    rules = [one for one in office.app.url_map.iter_rules() if "GET" in (one.methods or ())]
    return [str(one) for one in rules if str(one).startswith("/console/")]


def _rule(office: Office, path: str) -> str:
    """Return the address of the app that a path or a link leads to; empty for none."""
    rules, path = office.app.url_map.bind("localhost"), path.partition("?")[0]
    return str(rules.match(path, return_rule=True)[0]) if rules.test(path) else ""


def _signed_in(office: Office, role: str) -> desk.Browser:
    browser = desk.Browser(client_with(office.app))
    browser.sign_in(office.sign_ins[role], PASSWORD)
    return browser


@cache
def axe() -> str:
    folder = node.packages(ROOT / "tests" / "clients" / "axe")
    return (folder / "axe-core" / "axe.min.js").read_text("utf-8")


@pytest.fixture(scope="module")
def office(
    chromium: Browser, tmp_path_factory: pytest.TempPathFactory, sqlite_databases: Databases
) -> Iterator[Office]:
    """One authority with a case of each story, served for the whole file."""
    with (
        sqlite_databases.migrated() as addresses,
        opened(chromium, tmp_path_factory.mktemp("office"), addresses.app) as made,
    ):
        yield made


@pytest.mark.parametrize("language, width, dark", _LOOKS)
def test_no_page_hinders_anybody(office: Office, language: str, width: int, *, dark: bool) -> None:
    faults, sizes = [], {}
    for role, listed in office.pages.items():
        page = office.open(
            role,
            language=language,
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            bypass_csp=True,
        )
        for name, path in listed.items():
            answer = page.goto(path)
            assert answer is not None
            sizes[name] = len(gzip.compress(answer.body()))
            assert answer.status == (404 if name == "not found" else 200), name
            assert page.get_attribute("html", "lang") == language, name
            page.evaluate(axe())
            faults += [f"{name}: {one}" for one in page.evaluate(_AXE, _TAGS)]
            faults += [f"{name}: small {one}" for one in page.evaluate(_SMALL)]
            faults += [f"{name}: tiny {one}" for one in page.evaluate(_TINY)]
            faults += [f"{name}: a code, {one}" for one in page.evaluate(_CODES)]
            faults += [f"{name}: runs out of the screen"] if page.evaluate(_SIDEWAYS) else []
            faults += [f"{name}: a high head"] if page.evaluate(_HIGH) else []
        page.context.close()

    assert faults == []
    assert max(sizes.values()) <= _PAGE_GZIPPED, sizes


class _Pseudo(NullTranslations):
    """A language that nobody speaks: every sentence in brackets, and 40 % longer."""

    def gettext(self, message: str) -> str:
        more = 2 * len(message) // 5
        return f"⟦{message}{' ·······' * (more // 8)}{'·' * (more % 8)}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def test_no_sentence_is_beyond_the_catalogue_and_longer_ones_fit(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = _said_by_people(office)
    small = {"width": 320, "height": 900}
    pages = {role: office.open(role, viewport=small) for role in office.pages}
    monkeypatch.setattr(locale, "translations", lambda _language: _Pseudo())

    bare: dict[str, set[str]] = {}
    over = []
    for role, listed in office.pages.items():
        for name, path in listed.items():
            pages[role].goto(path)
            words = {one for said in pages[role].evaluate(_BARE) for one in _WORD.findall(said)}
            if words - known:
                bare[name] = words - known
            over += [name] if pages[role].evaluate(_SIDEWAYS) else []

    assert (bare, over) == ({}, [])


def _said_by_people(office: Office) -> set[str]:
    """Return the words that stand in the database and in the statutes, and names that stay."""
    known = {"REG", "SHA", "CSV", "GeoJSON", "PDF", "OpenStreetMap", "Chrome", "Linux", "Headless"}
    known |= {*_WORD.findall(" ".join(locale.LANGUAGE_NAMES.values()))}  # each in its own script
    known |= {"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"[i : i + 3] for i in range(0, 48, 4)}
    with office.house.database.engine.connect() as connection:
        asked = [f"SELECT * FROM {table}" for table in _OF_PEOPLE]
        for query in (*asked, "SELECT data, reason FROM act"):
            for row in connection.execute(text(query)):
                known |= {one for cell in row for one in _WORD.findall(str(cell))}
    profile = office.house.packs.profile("karnataka", on=office.house.database.clock().date())
    kinds = {*_WORD.findall(str(office.house.packs.public_kinds("en")))}
    kinds |= {one.capitalize() for one in kinds}
    return known | kinds | {*_WORD.findall(profile.name)}


def test_text_of_twice_the_size_stays_on_the_screen(office: Office) -> None:
    page, over = office.open(viewport={"width": 640, "height": 900}, bypass_csp=True), []
    for name in ("table", "report", "complaint", "bundle"):
        page.goto(office.pages["reviewer"][name])
        page.add_style_tag(content="html { font-size: 200% !important; }")
        over += [name] if page.evaluate(_SIDEWAYS) else []
    page.context.close()

    assert over == []


def test_focus_is_always_to_be_seen(office: Office) -> None:
    page, lost = office.open(), []
    page.goto(office.pages["reviewer"]["case"])
    for _ in range(60):
        page.keyboard.press("Tab")
        name, style, width, is_hidden = page.evaluate(
            """() => { const one = document.activeElement, style = getComputedStyle(one);
            const box = one.getBoundingClientRect();
            const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            const under = top?.closest('.top') && !one.closest('.top, .skip');
            const said = [style.outlineStyle, style.outlineWidth, !!under];
            return [one.outerHTML.slice(0, 60), ...said]; }"""
        )
        if not name.startswith("<body") and (style == "none" or width == "0px" or is_hidden):
            lost.append(name)
    page.context.close()

    assert lost == []


def test_scripts_add_keys_map_and_zoom_and_break_no_policy(office: Office) -> None:
    page, said = office.open(viewport={"width": 1280, "height": 900}), []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto("/console/?view=map")
    page.click("[data-map] button")
    page.wait_for_selector(".leaflet-interactive")
    page.keyboard.press("Escape")
    on_map = page.evaluate("document.activeElement.closest('.live__map') === null")
    page.goto("/console/")
    for key in ("j", "j", "k", "x"):
        page.keyboard.press(key)
    marked = page.locator("input[name=case]:checked").count()
    page.keyboard.press("?")
    is_told = page.locator("dialog[open]").count()
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    page.wait_for_selector(".timeline")
    page.goto(office.pages["reviewer"]["case"])
    if page.locator("[data-zoom='3']").count():
        page.click("[data-zoom='3']")
    page.context.close()

    assert (on_map, marked, is_told, said) == (True, 1, 1, [])


def test_photo_lights_up_everywhere_and_arrows_move_on_after_the_map(
    office: Office,
) -> None:
    page = office.open(viewport={"width": 1280, "height": 900})
    page.goto(office.pages["reviewer"]["pictures"])
    lit = """() => [...document.querySelectorAll('.is-linked')]
        .map(one => one.closest('svg, .strip, .timeline')?.tagName || 'figure')"""
    page.hover(".strip li >> nth=0")
    by_mouse = {*page.evaluate(lit)}
    page.focus(".strip li >> nth=1 >> a")
    page.hover("h1")
    page.focus(".event a >> nth=0")
    by_keyboard = {*page.evaluate(lit)}
    page.click("[data-map] button")
    page.wait_for_selector(".leaflet-interactive")
    page.keyboard.press("Escape")
    page.focus(".strip a[aria-current]")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".strip li:nth-child(2) a[aria-current]")
    page.context.close()

    assert by_mouse >= {"svg", "UL"}
    assert by_keyboard >= {"svg", "OL"}


def test_each_state_of_the_list_says_what_it_is_and_what_to_do(office: Office) -> None:
    page = office.open(viewport={"width": 1280, "height": 900})
    page.goto("/console/?q=nowhere")
    empty = page.inner_text("main .empty")
    page.goto("/console/?from=x")
    wrong = page.inner_text("main")
    page.goto("/console/")
    page.evaluate(_HOLD)
    page.select_option("#state", "accepted")
    page.click(".filters button[type=submit]")
    page.wait_for_function("() => document.querySelector('.loading').textContent")
    waiting = page.inner_text(".loading"), page.get_attribute("#found", "aria-busy")
    page.evaluate("window.letGo()")
    page.wait_for_function("() => !document.querySelector('.loading').textContent")
    page.context.set_offline(True)
    page.wait_for_selector("[data-offline]:visible")
    away = page.inner_text("[data-offline]"), page.is_disabled(_SENDS)
    page.context.set_offline(False)
    page.wait_for_selector("[data-offline]", state="hidden")
    page.goto("/console/?state=accepted")
    page.click("details.more summary")
    page.fill("#view-name", "Mornings")
    page.click("form[action='/console/views'] button")
    done = page.inner_text("main > .note")
    page.context.close()

    assert "Take something out of the filter" in empty
    assert "Mend the filter" in wrong
    assert waiting == ("Asking the server…", "true")
    assert "The server was not reached" in away[0]
    assert "Try again" in away[0]
    assert away[1]
    assert "The view is kept" in done


def test_filter_swaps_the_list_alone_and_the_address_follows(office: Office) -> None:
    page = office.open(viewport={"width": 1280, "height": 900})
    page.goto("/console/")
    page.evaluate("document.body.dataset.kept = 'yes'")
    page.select_option("#state", "accepted")
    page.click(".filters button[type=submit]")
    page.wait_for_url("**state=accepted**")
    kept = page.evaluate("document.body.dataset.kept")
    states = {*page.locator(".list__state .tag").all_inner_texts()}
    page.context.close()

    assert (kept, states <= {"Accepted"}) == ("yes", True)


def test_every_page_asks_the_database_a_bounded_number_of_times(office: Office) -> None:
    engine, asked = office.house.database.engine, list[str]()
    note = _noting(asked)
    event.listen(engine, "before_cursor_execute", note)
    most = dict.fromkeys(_gets(office), _NEVER)
    again: list[tuple[str, str]] = []
    for role in office.pages:
        for path in _walked(office, role, asked):
            rule = _rule(office, path)
            most[rule] = max(most.get(rule, _NEVER), len(asked))
            again += [(path, one) for one, count in Counter(asked).items() if count > SAME]
    event.remove(engine, "before_cursor_execute", note)

    over = {rule: count for rule, count in most.items() if not 0 <= count <= BOUNDS.get(rule, -1)}
    assert (over, again) == ({}, [])


def _walked(office: Office, role: str, asked: list[str]) -> Iterator[str]:
    """Open the pages of somebody, and one of each kind to which they lead; `asked` is of one."""
    browser, todo = _signed_in(office, role), [*office.pages[role].values(), *DOORS]
    known = {_rule(office, one) for one in todo}
    for path in todo:
        asked.clear()
        html = browser.client.get(path).get_data().decode(errors="replace")
        yield path
        new = {_rule(office, link): unescape(link) for link in _LINK.findall(html)}
        todo += [link for rule, link in new.items() if rule not in known]
        known |= new.keys()


def test_scripts_and_styles_stay_light() -> None:
    sizes = {name: len(gzip.compress(one.content)) for name, one in _assets().items()}

    assert sizes["htmx.js"] + sizes["console.js"] <= _JS_GZIPPED, sizes
    assert sizes["console.css"] <= _CSS_GZIPPED, sizes
    assert not Path("fieldapi/console/static/htmx.js").exists()
