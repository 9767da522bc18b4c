"""The console's door: passwords, tries, sessions, forms of elsewhere, and languages."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask import Flask

from fieldapi.app import app_of
from fieldapi.house import House
from fieldapi.unit import Database
from tests.integration.console.conftest import Desk
from tests.support.clock import StoppedClock
from tests.support.desk import CONSOLE, SIGN_IN, Browser, Page, give_password
from tests.support.house import client_with
from tests.support.personas import Village


def test_right_password_opens_the_list(desk: Desk) -> None:
    page = desk("bina").get(CONSOLE)

    assert page.status == 200
    assert "Bina" in page.text
    assert "Rajkot Taluka Panchayat" in page.text


def test_stranger_is_sent_to_sign_in_and_back_again(
    browser: Browser, database: Database, village: Village
) -> None:
    give_password(database, village["bina"])
    sent = browser.get("/console/?state=received")

    form = browser.get(sent.answer.headers["Location"])
    opened = browser.send(form, SIGN_IN, name="bina", password="green-field-42-rain")

    assert sent.status == 303
    assert opened.answer.headers["Location"] == "/console/?state=received"


@pytest.mark.parametrize(
    "wanted",
    ["//evil.example/console/", "https://evil.example/console/", "/console/../app", "/app/", "\\x"],
)
def test_sign_in_leads_nowhere_else(
    browser: Browser, database: Database, village: Village, wanted: str
) -> None:
    give_password(database, village["bina"])
    form = browser.get(SIGN_IN)

    opened = browser.send(form, SIGN_IN, name="bina", password="green-field-42-rain", next=wanted)

    assert opened.answer.headers["Location"] == CONSOLE


def test_wrong_password_and_unknown_name_read_alike(
    browser: Browser, database: Database, village: Village
) -> None:
    give_password(database, village["bina"])

    wrong = browser.sign_in("bina", "quite-another-word-9")
    unknown = browser.sign_in("nobody", "quite-another-word-9")

    assert wrong.status == unknown.status == 401
    assert "The name or the password is wrong." in wrong.text
    assert wrong.text == unknown.text


def test_eleventh_try_has_to_wait(browser: Browser, database: Database, village: Village) -> None:
    give_password(database, village["bina"])
    for _ in range(10):
        browser.sign_in("bina", "quite-another-word-9")

    page = browser.sign_in("bina")

    assert page.status == 429
    assert "Too many tries" in page.text


def test_reporter_has_no_desk(browser: Browser, database: Database, village: Village) -> None:
    give_password(database, village["asha"])

    page = browser.sign_in("asha")

    assert page.status == 403
    assert "Your roles do not open these pages" in page.text
    assert browser.get(CONSOLE).status == 303


def test_sign_out_ends_the_session_on_the_server(desk: Desk, app: Flask) -> None:
    bina = desk("bina")
    thief = client_with(app)
    kept = bina.client.get_cookie("console")
    assert kept is not None
    thief.set_cookie("console", kept.value)

    out = bina.send(bina.get(CONSOLE), "/console/sign-out")

    assert out.status == 303
    assert bina.get(CONSOLE).status == 303
    assert thief.get(CONSOLE).status_code == 303


@pytest.mark.parametrize("minutes, status", [(29, 200), (31, 303)])
def test_session_falls_idle_after_half_an_hour(
    desk: Desk, clock: StoppedClock, minutes: int, status: int
) -> None:
    bina = desk("bina")
    clock.move(seconds=minutes * 60)

    assert bina.get(CONSOLE).status == status


def test_text_typed_in_a_session_that_fell_idle_is_not_lost(
    desk: Desk, clock: StoppedClock, report: dict[str, str]
) -> None:
    bina, path = desk("bina"), f"/console/cases/{report['id']}"
    page = bina.get(path)
    clock.move(hours=1)

    late = bina.send(page, f"{path}/decision", outcome="rejected", reason="Long & careful words")

    assert late.status == 401
    assert "Long & careful words" in late.text
    assert late.forms[SIGN_IN]["csrf_token"]


def test_form_without_its_secret_is_refused(desk: Desk) -> None:
    bina = desk("bina")

    page = Page(bina.client.post("/console/language", data={"language": "gu"}))

    assert page.status == 400
    assert 'lang="gu"' not in bina.get(CONSOLE).html.partition("<body>")[0]


def test_form_sent_from_another_site_is_refused(desk: Desk) -> None:
    bina = desk("bina")
    form = bina.get(CONSOLE).forms["/console/sign-out"]

    answer = bina.client.post(
        "/console/sign-out", data=form, headers={"Origin": "https://evil.example"}
    )

    assert answer.status_code == 400
    assert bina.get(CONSOLE).status == 200


def test_secret_of_one_browser_is_worth_nothing_in_another(desk: Desk) -> None:
    bina, mohan = desk("bina"), desk("mohan")
    stolen = mohan.get(CONSOLE).forms["/console/language"]

    answer = bina.client.post("/console/language", data={**stolen, "language": "gu"})

    assert answer.status_code == 400


def test_cookie_is_kept_from_scripts_and_other_sites(desk: Desk) -> None:
    cookie = desk("bina").client.get_cookie("console")

    assert cookie is not None
    assert (cookie.http_only, cookie.same_site, cookie.path) == (True, "Lax", "/")


def test_cookie_is_bound_to_https_where_there_is_https(house: House) -> None:
    settings = replace(house.settings, public_url="https://cattle.example.gov.in")
    client = client_with(app_of(replace(house, settings=settings)))

    header = client.get(SIGN_IN, base_url="https://cattle.example.gov.in").headers["Set-Cookie"]

    assert header.startswith("__Host-console=")
    assert "Secure" in header
    assert "Domain" not in header


def test_language_is_chosen_on_every_page_and_stays(desk: Desk) -> None:
    bina = desk("bina")
    page = bina.get(CONSOLE)

    back = bina.send(page, "/console/language", language="gu")

    assert back.answer.headers["Location"] == CONSOLE
    again = bina.get(CONSOLE)
    assert '<html lang="gu">' in again.html
    assert "અહેવાલો" in again.text


def test_browser_is_greeted_in_the_language_it_asks_for(browser: Browser) -> None:
    page = browser.get(SIGN_IN, **{"Accept-Language": "kn-IN,kn;q=0.9,en;q=0.5"})

    assert '<html lang="kn">' in page.html


def test_who_only_keeps_a_pound_begins_there(
    browser: Browser, database: Database, village: Village
) -> None:
    give_password(database, village["mohan"])

    assert browser.sign_in("mohan").answer.headers["Location"] == "/console/pound"
