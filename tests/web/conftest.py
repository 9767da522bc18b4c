"""A real Chromium at a real server, both on loopback, both gone with the test run."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from fieldapi.app import app_of
from fieldapi.house import House
from fieldapi.keyring import open_keyring
from fieldapi.packs import load_packs
from fieldapi.storage import open_storage
from fieldapi.unit import Database
from tests.support.answering import answering
from tests.support.clock import StoppedClock
from tests.support.databases import Databases
from tests.support.desk import PASSWORD, give_password
from tests.support.free_ports import LOOPBACK
from tests.support.installations import settings_of
from tests.support.personas import Village, found_village, issue
from tests.web.mortal import MortalPhone, mortal_phone
from tests.web.phones import FLAGS, PLACE, SIZE, Phone


@dataclass(slots=True)
class Visitor:
    """Somebody at a browser. `complaints`: what the browser found wrong with the pages."""

    page: Page
    complaints: list[str] = field(default_factory=list)

    def sign_in(self, name: str) -> None:
        self.page.goto("/console/")
        self.page.fill("#name", name)
        self.page.fill("#password", PASSWORD)
        self.go("main button[type=submit]")

    def speak(self, language: str) -> None:
        self.page.click("details.menu summary")
        self.go(f"button[value={language}]")

    def go(self, selector: str) -> None:
        """Press what leads to another page, and wait for that page."""
        with self.page.expect_navigation(wait_until="load"):
            self.page.click(selector)


Visit = Callable[..., Visitor]


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """What drives a browser."""
    if shutil.which("chromium") is None:
        pytest.skip("Chromium is not installed")
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """The system's Chromium."""
    path = shutil.which("chromium")
    browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS])
    yield browser
    browser.close()


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    """The app of the test, served on a free port."""
    with answering(app) as found:
        yield found


@pytest.fixture
def visit(chromium: Browser, address: str, village: Village, database: Database) -> Iterator[Visit]:
    """Return a visitor: `visit(width=390, has_scripts=False)`. Bina has a password."""
    give_password(database, village["bina"])
    contexts: list[BrowserContext] = []

    def arrive(*, width: int = 1280, has_scripts: bool = True) -> Visitor:
        context = chromium.new_context(
            base_url=address,
            viewport={"width": width, "height": 800},
            java_script_enabled=has_scripts,
        )
        contexts.append(context)
        visitor = Visitor(context.new_page())
        _listen(visitor)
        return visitor

    yield arrive
    for context in contexts:
        context.close()


def _listen(visitor: Visitor) -> None:
    """Note errors, warnings, refused resources and requests that left the server."""
    page, said = visitor.page, visitor.complaints
    page.on("pageerror", lambda error: said.append(f"error: {error}"))
    page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
    page.on("requestfailed", lambda request: said.append(f"failed: {request.url}"))


OpenPhone = Callable[..., Phone]


@pytest.fixture
def phone(
    chromium: Browser, address: str, village: Village, database: Database
) -> Iterator[OpenPhone]:
    """Return an enrolled phone: `phone("asha")`; what its browser complained of fails the test."""
    made: list[Phone] = []

    def hand_out(
        name: str = "asha", *, is_confirmed: bool = True, host: str = LOOPBACK, **more: Any
    ) -> Phone:
        where = address.replace(LOOPBACK, host)
        context = chromium.new_context(**{**phone_settings(where), **more})
        made.append(one := Phone(context.new_page(), where))
        one.listen()
        who = village[name]
        code = issue(database, who.authority_id, who.person_id, is_confirmed=is_confirmed)
        one.enrol(code, is_kept=more.get("service_workers") != "block")
        return one

    yield hand_out
    for one in made:
        one.context.close()
    assert [line for one in made for line in one.complaints + one.strangers] == []


@dataclass(frozen=True, slots=True)
class Standing:
    """A server and a phone of asha's that stay for the whole run."""

    context: BrowserContext
    address: str


@pytest.fixture(scope="session")
def standing(
    chromium: Browser, sqlite_databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Standing]:
    """For tests of what is on the phone alone: to enrol one takes longer than most of them."""
    with sqlite_databases.migrated() as found:
        settings = settings_of(tmp_path_factory.mktemp("standing"), found)
        keys = open_keyring(settings)
        database = Database(settings.database_url, keys=keys, clock=StoppedClock())
        storage = open_storage(settings.storage_url, settings.data)
        app = app_of(House(settings, database, keys, storage, load_packs()))
        who = found_village(database)["asha"]
        with answering(app) as address:
            context = chromium.new_context(**phone_settings(address))
            one = Phone(context.new_page(), address)
            one.enrol(issue(database, who.authority_id, who.person_id))
            one.page.close()
            yield Standing(context, address)
            context.close()
        database.close()


@pytest.fixture
def asha(standing: Standing) -> Iterator[Phone]:
    """The standing phone, at home and as it was on its first day, but for the reports on it."""
    one = Phone(standing.context.new_page(), standing.address)
    one.listen()
    one.open()
    one.page.wait_for_selector("#seize")
    yield one
    standing.context.set_offline(False)
    standing.context.set_geolocation(PLACE)
    standing.context.grant_permissions(["geolocation", "camera"])
    one.page.evaluate("localStorage.clear()")
    one.page.close()
    assert one.complaints + one.strangers == []


@pytest.fixture
def mortal(playwright: Playwright, address: str, tmp_path: Path) -> Iterator[MortalPhone]:
    """A phone that can be killed; not enrolled, not started."""
    with mortal_phone(playwright, tmp_path / "profile", address) as one:
        (tmp_path / "profile").mkdir()
        yield one


def phone_settings(address: str) -> dict[str, Any]:
    """Return the settings of a browser that is a phone."""
    return {
        "base_url": address,
        "viewport": SIZE,
        "device_scale_factor": 2,
        "has_touch": True,
        "is_mobile": True,
        "geolocation": PLACE,
        "permissions": ["geolocation", "camera"],
        "locale": "en-IN",
        "timezone_id": "Asia/Kolkata",
    }
