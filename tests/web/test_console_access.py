"""Every page of the console in a real browser: for screen readers, for narrow screens, in the dark,
by the keyboard, and by scripts that only ever add to what works without them.

One server and one browser serve all of it, filled with an invented authority.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from fieldapi.app import app_of
from fieldapi.console.assets import _assets
from fieldapi.demo.filling.fill import Filled, Wish, fill
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.keyring import open_keyring
from fieldapi.models import Act, Duplicate, Seizure
from fieldapi.packs import load_packs
from fieldapi.pending import jobs_of
from fieldapi.services import complaints, parties
from fieldapi.services.authorise import operator
from fieldapi.services.complaints import NewComplaint
from fieldapi.services.parties import NewParty
from fieldapi.settings import Settings
from fieldapi.storage import open_storage
from fieldapi.unit import Database
from tests.support.answering import answering
from tests.support.clock import StoppedClock
from tests.support.databases import Databases
from tests.support.tree import ROOT
from tools import node

pytestmark = pytest.mark.browser

PASSWORD = "green-field-42-rain"
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
_AXE = """async tags => {
    const found = await axe.run(document, {runOnly: {type: 'tag', values: tags}});
    return found.violations.map(one =>
        `${one.id}: ${one.nodes.map(n => n.html.slice(0, 120)).join(' | ')}`);
}"""
_SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
_JS_GZIPPED = 30_000
_CSS_GZIPPED = 14_000


@cache
def axe() -> str:
    folder = node.packages(ROOT / "tests" / "clients" / "axe")
    return (folder / "axe-core" / "axe.min.js").read_text("utf-8")


@dataclass(frozen=True, slots=True)
class Office:
    """A filled console at an address. `pages`: the path of every page, by what it is."""

    address: str
    reviewer: str
    pages: dict[str, str]


@pytest.fixture(scope="module")
def office(
    tmp_path_factory: pytest.TempPathFactory, sqlite_databases: Databases
) -> Iterator[Office]:
    """One authority with a case of each story, served for the whole file."""
    with sqlite_databases.migrated() as addresses:
        settings = Settings.from_env(
            {
                "FIELDAPI_DATA": str(tmp_path_factory.mktemp("office")),
                "FIELDAPI_DATABASE_URL": addresses.app,
                "FIELDAPI_TESTING": "1",
            }
        )
        keys = open_keyring(settings)
        database = Database(settings.database_url, keys=keys, clock=StoppedClock())
        storage = open_storage(settings.storage_url, settings.data)
        house = House(settings, database, keys, storage, load_packs())
        filled = fill(house, Wish("karnataka", PASSWORD, is_small=True))
        for job in jobs_of(house):
            if job.name in {"urgency", "reports side by side"}:
                with database.read() as session:
                    subjects = job.pending(session)
                for subject in subjects:
                    job.run(subject)
        with answering(app_of(house)) as address:
            yield Office(address, filled.sign_ins["reviewer"], _pages(house, filled))
        database.close()


def _pages(house: House, filled: Filled) -> dict[str, str]:
    at = filled.authority_id
    with house.database.read() as session:
        seizures = session.query(Seizure).filter_by(authority_id=at).order_by(Seizure.id).all()
        case = session.query(Act.subject_id).filter_by(subject_kind="case").first()
        pair = session.query(Duplicate.id).first()
    torn = next((one.id for one in seizures if one.has_open_review), seizures[0].id)
    held = case[0] if case else seizures[0].id
    made = {
        "table": "/console/",
        "map": "/console/?view=map",
        "photos": "/console/?view=photos",
        "nothing found": "/console/?q=nowhere",
        "fault": "/console/?from=x",
        "report": f"/console/cases/{torn}",
        "case": f"/console/cases/{held}",
        "set aside": "/console/waiting",
        "complaints": "/console/complaints",
        "new complaint": f"/console/cases/{held}/complaint",
        "complaint": f"/console/complaints/{_complaint(house, at, held)}",
        "bundle": f"/console/cases/{held}/bundle",
        "export": "/console/exports",
        "counter": f"/console/cases/{held}/acts",
        "pound": "/console/pound",
        "help": "/console/help",
        "account": "/console/account",
        "not found": "/console/none",
    }
    return made | ({"pair": f"/console/duplicates/{pair[0]}"} if pair else {})


def _complaint(house: House, authority_id: str, case: str) -> str:
    boss = replace(operator(authority_id), roles=frozenset({"reviewer", "admin"}))

    def take(unit: Any) -> str:
        by = parties.add(unit, boss, NewParty("Ramesh Parmar")).id
        said = [("place", "It was the road."), ("count", "It was one.")]
        new = NewComplaint(new_id(), case, by, "They were on the road.", allegations=said)
        return complaints.add(unit, boss, house.packs, new).id

    return house.database.transact(take)


Open = Callable[..., Page]


@pytest.fixture
def desk(chromium: Browser, office: Office) -> Iterator[Open]:
    """Return the page of the reviewer, signed in: `desk(width=320, dark=True, language="kn")`."""
    contexts = []

    def opened(*, width: int = 1280, dark: bool = False, language: str = "en", **more: Any) -> Page:
        context = chromium.new_context(
            base_url=office.address,
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            **more,
        )
        contexts.append(context)
        page = context.new_page()
        page.goto("/console/")
        page.fill("#name", office.reviewer)
        page.fill("#password", PASSWORD)
        with page.expect_navigation(wait_until="load"):
            page.click("main button[type=submit]")
        if language != "en":
            page.click("details.menu summary")
            page.click(f"button[value={language}]")
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize(
    "language, width, dark", [("en", 1280, False), ("kn", 320, True)], ids=["light", "dark"]
)
def test_no_page_hinders_anybody(
    desk: Open, office: Office, language: str, width: int, *, dark: bool
) -> None:
    page, found, over = desk(width=width, dark=dark, language=language, bypass_csp=True), [], []
    for name, path in office.pages.items():
        page.goto(path)
        page.evaluate(axe())
        found += [f"{name}: {one}" for one in page.evaluate(_AXE, _TAGS)]
        over += [name] if page.evaluate(_SIDEWAYS) else []
        assert page.get_attribute("html", "lang") == language, name

    assert (found, over) == ([], [])


def test_text_of_twice_the_size_stays_on_the_screen(desk: Open, office: Office) -> None:
    page, over = desk(width=640, bypass_csp=True), []
    for name in ("table", "report", "complaint", "bundle"):
        page.goto(office.pages[name])
        page.add_style_tag(content="html { font-size: 200% !important; }")
        over += [name] if page.evaluate(_SIDEWAYS) else []

    assert over == []


def test_scripts_add_keys_map_and_zoom_and_break_no_policy(desk: Open, office: Office) -> None:
    page, said = desk(), []
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
    page.goto(office.pages["case"])
    if page.locator("[data-zoom='3']").count():
        page.click("[data-zoom='3']")

    assert (on_map, marked, is_told, said) == (True, 1, 1, [])


def test_filter_swaps_the_list_alone_and_the_address_follows(desk: Open) -> None:
    page = desk()
    page.goto("/console/")
    page.evaluate("document.body.dataset.kept = 'yes'")
    page.select_option("#state", "accepted")
    page.click(".filters button[type=submit]")
    page.wait_for_url("**state=accepted**")

    assert page.evaluate("document.body.dataset.kept") == "yes"
    assert set(page.locator(".list__state .tag").all_inner_texts()) <= {"Accepted"}


def test_scripts_and_styles_stay_light() -> None:
    sizes = {name: len(gzip.compress(one.content)) for name, one in _assets().items()}

    assert sizes["htmx.js"] + sizes["console.js"] <= _JS_GZIPPED, sizes
    assert sizes["console.css"] <= _CSS_GZIPPED, sizes
    assert not Path("fieldapi/console/static/htmx.js").exists()
