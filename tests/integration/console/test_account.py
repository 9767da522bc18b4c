"""One's own account: the second step, recovery codes, sessions, and the password asked again."""

from __future__ import annotations

import re
from dataclasses import replace

import pyotp
import pytest
from flask import Flask
from sqlalchemy import select

from fieldapi.app import app_of
from fieldapi.house import House
from fieldapi.models import RecoveryCode, SignIn, SignInLink
from fieldapi.services import invitations
from fieldapi.services.authorise import operator
from fieldapi.unit import Database
from tests.integration.console.conftest import Desk
from tests.support.clock import StoppedClock
from tests.support.desk import CONSOLE, PASSWORD, SIGN_IN, Browser, Page, give_password
from tests.support.house import client_with
from tests.support.ledgers import entries_of
from tests.support.personas import Village

ACCOUNT, FACTOR, SECOND = "/console/account", "/console/account/factor", "/console/second"
HTTPS = "https://cattle.example.gov.in"


def secret_on(page: Page) -> str:
    found = re.search(r"<code>([A-Z2-7 ]+)</code>", page.html)
    assert found
    return found[1].replace(" ", "")


def code_of(secret: str, clock: StoppedClock) -> str:
    return pyotp.TOTP(secret).at(clock())


def set_up(browser: Browser, clock: StoppedClock) -> tuple[str, list[str]]:
    """Set the second step up; returns the secret and the recovery codes."""
    offered = browser.get(FACTOR)
    secret = secret_on(offered)
    done = browser.send(offered, FACTOR, code=code_of(secret, clock))
    assert done.status == 200
    return secret, re.findall(r"<code>([0-9A-Z-]{13})</code>", done.html)


def half(app: Flask, name: str) -> Browser:
    """A browser in which the password was given and the code is still to come."""
    browser = Browser(client_with(app))
    assert browser.sign_in(name).answer.headers["Location"].startswith(SECOND)
    return browser


def give(browser: Browser, code: str) -> int:
    return browser.send(browser.get(SECOND), SECOND, code=code).status


def test_code_of_the_app_is_asked_from_then_on_and_half_a_session_opens_nothing(
    desk: Desk, app: Flask, clock: StoppedClock
) -> None:
    secret, _ = set_up(desk("bina"), clock)
    clock.move(seconds=60)
    browser = half(app, "bina")

    assert browser.get(CONSOLE).status == 303
    assert browser.get(ACCOUNT).status == 303
    assert give(browser, "000000" if code_of(secret, clock) != "000000" else "1") == 401
    assert give(browser, code_of(secret, clock)) == 303
    assert browser.get(CONSOLE).status == 200


def test_code_is_good_once(desk: Desk, app: Flask, clock: StoppedClock) -> None:
    secret, _ = set_up(desk("bina"), clock)
    assert give(half(app, "bina"), code_of(secret, clock)) == 401
    clock.move(seconds=30)

    assert give(half(app, "bina"), code_of(secret, clock)) == 303
    assert give(half(app, "bina"), code_of(secret, clock)) == 401


def test_session_before_the_code_is_worth_nothing_after_it(
    desk: Desk, app: Flask, clock: StoppedClock
) -> None:
    secret, _ = set_up(desk("bina"), clock)
    clock.move(seconds=30)
    browser = half(app, "bina")
    before = browser.client.get_cookie("console")
    assert give(browser, code_of(secret, clock)) == 303
    thief = client_with(app)
    thief.set_cookie("console", before.value)

    assert thief.get(CONSOLE).status_code == 303
    assert thief.get(SECOND).status_code == 303


def test_recovery_code_stands_in_once_and_only_its_hash_is_kept(
    desk: Desk, app: Flask, clock: StoppedClock, database: Database, village: Village
) -> None:
    secret, codes = set_up(desk("bina"), clock)
    with database.read() as session:
        kept = list(session.scalars(select(RecoveryCode.code_hash)))
        nonce = session.scalar(select(SignIn.factor_nonce).where(SignIn.name == "bina"))

    assert (len(codes), len(kept)) == (10, 10)
    assert not {code.replace("-", "") for code in codes} & set(kept)
    assert nonce not in {secret, None}
    assert give(half(app, "bina"), codes[0].lower()) == 303
    assert give(half(app, "bina"), codes[0]) == 401
    assert entries_of(database, f"person/{village['bina'].person_id}", "sign_in.recovered")


def test_codes_are_not_guessed(desk: Desk, app: Flask, clock: StoppedClock) -> None:
    secret, _ = set_up(desk("bina"), clock)
    clock.move(seconds=30)
    right = code_of(secret, clock)
    browser = half(app, "bina")
    page = browser.get(SECOND)
    guesses = [f"{one:06}" for one in range(11) if f"{one:06}" != right][:10]

    assert {browser.send(page, SECOND, code=one).status for one in guesses} == {401}
    assert browser.send(page, SECOND, code=right).status == 429


def test_where_there_is_https_nobody_goes_on_without_the_second_step(
    house: House, database: Database, village: Village, clock: StoppedClock
) -> None:
    give_password(database, village["bina"])
    settings = replace(house.settings, public_url=HTTPS)
    client = client_with(app_of(replace(house, settings=settings)))
    client.environ_base |= {"wsgi.url_scheme": "https", "HTTP_HOST": "cattle.example.gov.in"}
    browser = Browser(client)

    def send(page: Page, action: str, **typed: str) -> Page:
        data = {**page.forms[action], **typed}
        return Page(client.post(action, data=data, base_url=HTTPS))

    form = Page(client.get(SIGN_IN, base_url=HTTPS))
    sent = send(form, SIGN_IN, name="bina", password=PASSWORD)
    offered = Page(client.get(sent.answer.headers["Location"], base_url=HTTPS))
    assert client.get(CONSOLE, base_url=HTTPS).status_code == 303
    done = send(offered, f"{SECOND}/set-up", code=code_of(secret_on(offered), clock))

    assert done.status == 200
    assert client.get(CONSOLE, base_url=HTTPS).status_code == 200
    assert browser


def test_own_sessions_are_listed_and_ended(desk: Desk) -> None:
    here, elsewhere = desk("bina"), None
    elsewhere = Browser(here.client.application.test_client())  # type: ignore[arg-type]
    elsewhere.client.environ_base["HTTP_USER_AGENT"] = "Mozilla/5.0 (Linux) Firefox/140.0"
    assert elsewhere.sign_in("bina").status == 303
    page = here.get(ACCOUNT)
    ends = [action for action in page.forms if action.endswith("/end")]
    assert len(ends) == 2
    assert "Firefox, Linux" in page.text
    other = re.search(r'action="([^"]+/end)">(?:(?!</form>).)*Firefox', page.html, re.DOTALL)
    assert other

    assert here.send(page, other[1]).status == 303
    assert elsewhere.get(CONSOLE).status == 303
    assert here.get(CONSOLE).status == 200


def test_session_of_somebody_else_is_not_ended(desk: Desk) -> None:
    bina, mohan = desk("bina"), desk("mohan")
    page = bina.get(ACCOUNT)
    theirs = next(action for action in mohan.get(ACCOUNT).forms if action.endswith("/end"))
    mine = next(action for action in page.forms if action.endswith("/end"))

    assert bina.client.post(theirs, data=page.forms[mine]).status_code == 404
    assert mohan.get(CONSOLE).status == 200


def test_new_password_ends_the_other_sessions(desk: Desk, app: Flask) -> None:
    here, elsewhere = desk("bina"), Browser(client_with(app))
    assert elsewhere.sign_in("bina").status == 303
    action, new = f"{ACCOUNT}/password", "four-words-and-a-well"

    assert here.send(here.get(ACCOUNT), action, password=new, again=f"{new}!").status == 422
    assert here.send(here.get(ACCOUNT), action, password="qwerty", again="qwerty").status == 422
    assert here.send(here.get(ACCOUNT), action, password=new, again=new).status == 303
    assert here.get(CONSOLE).status == 200
    assert elsewhere.get(CONSOLE).status == 303


def test_browser_left_open_does_not_decide_and_nothing_typed_is_lost(
    desk: Desk, clock: StoppedClock, report: dict[str, str]
) -> None:
    bina, path = desk("bina"), f"/console/cases/{report['id']}"
    action = f"{path}/decision"
    page = bina.get(path)
    clock.move(seconds=5 * 60)
    asked = bina.send(page, action, outcome="rejected", reason="Long & careful words")
    wrong = bina.send(asked, action, proof_password="not the password")
    shown = bina.send(wrong, action, proof_password=PASSWORD)
    right = bina.send(shown, action, sure="1")

    assert (asked.status, wrong.status, shown.status, right.status) == (401, 401, 200, 303)
    assert asked.forms[action]["reason"] == "Long & careful words"
    assert "proof_password" not in wrong.forms[action]
    assert "rejected" in bina.get(path).text.lower()


def test_lost_phone_is_ended_in_the_console_by_password(
    desk: Desk, app: Flask, clock: StoppedClock, village: Village
) -> None:
    admin, asha = desk("admin"), village["asha"]
    action = f"/console/phones/{asha.device_id}/revoke"
    page = admin.get("/console/phones")
    clock.move(seconds=10 * 60)
    asked = admin.send(page, action, reason="Lost at the fair")

    assert asked.status == 401
    assert client_with(app, asha.token).get("/api/v1/me").status_code == 200
    assert admin.send(asked, action, proof_password=PASSWORD).status == 303
    assert client_with(app, asha.token).get("/api/v1/me").status_code == 401


@pytest.mark.parametrize("name, status", [("bina", 403), ("mohan", 403)])
def test_phones_are_for_the_office(desk: Desk, name: str, status: int) -> None:
    browser = desk(name)
    assert browser.get("/console/phones").status == status
    assert "/console/phones" not in browser.get(CONSOLE).html


def link_for(database: Database, village: Village, name: str) -> str:
    boss, who = operator(village.rjk), village[name]
    secret = database.transact(
        lambda unit: invitations.invite(unit, boss, who.person_id, name=name)
    )
    return f"/console/welcome/{secret}"


def test_link_lets_choose_a_password_once(
    browser: Browser, database: Database, village: Village
) -> None:
    path = link_for(database, village, "admin")
    page = browser.get(path)
    weak = browser.send(page, path, password="password1234", again="password1234")
    done = browser.send(page, path, password=PASSWORD, again=PASSWORD)

    assert (weak.status, done.status) == (422, 303)
    assert browser.get(path).status == 404
    assert browser.sign_in("admin").status == 303
    with database.read() as session:
        kept = session.scalar(select(SignInLink.token_hash))
    assert kept not in path


def test_link_is_good_for_a_day(
    browser: Browser, database: Database, village: Village, clock: StoppedClock
) -> None:
    path = link_for(database, village, "admin")
    clock.move(hours=24)

    assert browser.get(path).status == 404


def test_reset_ends_password_second_step_and_sessions(
    desk: Desk, app: Flask, clock: StoppedClock, database: Database, village: Village
) -> None:
    bina, who = desk("bina"), village["bina"]
    set_up(bina, clock)
    boss = operator(who.authority_id)
    secret = database.transact(lambda unit: invitations.reset(unit, boss, who.person_id))
    path = f"/console/welcome/{secret}"
    browser = Browser(client_with(app))

    assert bina.get(CONSOLE).status == 303
    assert browser.sign_in("bina").status == 401
    assert browser.send(browser.get(path), path, password=PASSWORD, again=PASSWORD).status == 303
    assert browser.sign_in("bina").answer.headers["Location"] == CONSOLE


def test_cookie_opens_nothing_of_the_api(desk: Desk) -> None:
    bina = desk("bina")

    assert bina.get(CONSOLE).status == 200
    assert bina.client.get("/api/v1/seizures").status_code == 401
    assert bina.client.get("/api/v1/me").status_code == 401
