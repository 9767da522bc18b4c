"""Before anything has happened every page of the console answers, and says what will be on it."""

from __future__ import annotations

import pytest
from flask import Flask

from fieldapi.services import authorities, people, pounds, sign_ins
from fieldapi.services.authorise import operator
from fieldapi.services.authorities import NewAuthority
from fieldapi.services.people import Grant, NewPerson
from fieldapi.services.pounds import NewPound
from fieldapi.unit import Database
from tests.support.desk import PASSWORD, Browser
from tests.support.house import client_with

# What a page says as long as nothing is on it. A page that is in neither list fails.
_SAYS = {
    "/console/": "Reports appear here as soon as an enrolled phone finds a network.",
    "/console/admin/calendars": "No day is closed.",
    "/console/admin/health": "Nothing has failed.",
    "/console/admin/places": "No place is named yet",
    "/console/admin/pounds": "There is no pound yet",
    "/console/admin/register": "Until a scale of fees is entered, no fee can be worked out.",
    "/console/complaints": "A complaint is taken in on the page of the report that it is about.",
    "/console/phones": "A person's own page gives out the code that lets their phone in.",
    "/console/pound": "There is no pound yet",
    "/console/waiting": "Whatever a phone sends that cannot come in at once is listed here",
    "/console/pound/<pound_id>": "Cattle appear here as soon as they are counted in.",
    "/console/pound/<pound_id>/receive": "No report says that cattle are on the way here.",
    "/console/pound/<pound_id>/remittances": "Nothing is to be handed on",
}
# Forms, what is never empty, and what is no page.
_OTHERS = (
    *("account", "account/factor", "admin", "admin/people", "admin/statute", "exports", "help"),
    *("pound/<pound_id>/books", "reports.geojson", "second", "second/set-up", "sign-in"),
    "slips/new",
)
_BESIDE = ("/console/?view=map", "/console/?view=photos", "/console/waiting?status=deferred")


@pytest.fixture
def newcomer(app: Flask, database: Database) -> tuple[Browser, str]:
    """The browser of the only person of an authority that was founded just now, and its id."""
    new = NewAuthority("NEW", "Wayanad Panchayat", "kerala")
    at = database.transact(lambda unit: authorities.found(unit, new).id)
    boss = operator(at)
    roles = [Grant(role) for role in ("admin", "reviewer", "pound_keeper", "reporter")]
    one = NewPerson("Lekha", roles, capacity="police")
    who = database.transact(lambda unit: people.add(unit, boss, one)).id
    sign_ins.set_password(database, boss, who, name="lekha", password=PASSWORD)
    browser = Browser(client_with(app))
    assert browser.sign_in("lekha").status == 303
    return browser, at


def test_each_page_without_anything_on_it_says_so(
    app: Flask, newcomer: tuple[Browser, str], database: Database
) -> None:
    browser, at = newcomer
    known = {*_SAYS, *(f"/console/{one}" for one in _OTHERS)}
    silent = [one for one in (*_SAYS, *_BESIDE) if "<" not in one and not _says(browser, one, one)]
    new = NewPound("Kalpetta", None, None)
    pound = database.transact(lambda unit: pounds.add(unit, operator(at), new).id)
    at_pound = {one: one.replace("<pound_id>", pound) for one in _SAYS if "<" in one}
    silent += [one for one, path in at_pound.items() if not _says(browser, path, one)]
    others = [f"/console/{one}".replace("<pound_id>", pound) for one in _OTHERS]

    assert silent == []
    assert {*_pages(app)} == known
    assert [one for one in others if browser.get(one).status not in {200, 303}] == []


def _says(browser: Browser, path: str, rule: str) -> bool:
    page = browser.get(path)
    return page.status == 200 and _SAYS[rule.partition("?")[0]] in page.text


def _pages(app: Flask) -> list[str]:
    """Return the addresses of pages that ask for nothing, or for a pound."""
    rules = [one for one in app.url_map.iter_rules() if "GET" in (one.methods or ())]
    return [
        str(one)
        for one in rules
        if str(one).startswith("/console/") and one.arguments <= {"pound_id"}
    ]
