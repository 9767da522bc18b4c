"""Passwords and sessions of the console."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fieldapi.models import ConsoleSession, SignIn
from fieldapi.problems import (
    Conflict,
    InvalidBody,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    TooManyRequests,
)
from fieldapi.services import passwords, sessions, sign_ins
from fieldapi.services.authorise import operator
from fieldapi.services.sign_ins import Attempted, Opened
from fieldapi.unit import Database
from tests.support.clock import StoppedClock
from tests.support.personas import Village

PASSWORD = "nine cows and a calf"
WRONG = "ten cows and a calf"


@pytest.fixture
def bina(database: Database, village: Village) -> str:
    """Bina's sign-in name; the password is PASSWORD."""
    set_password(database, village, "bina")
    return "bina.rjk"


def set_password(database: Database, village: Village, name: str, given: str = PASSWORD) -> None:
    who = village[name]
    boss = operator(who.authority_id)
    sign_ins.set_password(database, boss, who.person_id, name=f"{name}.rjk", password=given)


def sign_in(
    database: Database, name: str, password: str = PASSWORD, address: str = "192.0.2.7"
) -> Opened:
    return sign_ins.open_session(database, Attempted(name, password, address))


@pytest.mark.database
def test_right_password_opens_a_session(database: Database, village: Village, bina: str) -> None:
    opened = sign_in(database, bina)
    assert opened.principal.person_id == village["bina"].person_id
    assert opened.principal.roles == {"reviewer"}
    assert sessions.verify(database, opened.token) == opened.principal
    with pytest.raises(NotAuthenticated):
        sign_in(database, bina, f"{PASSWORD} ")


def test_sign_in_name_is_read_as_people_type_it(database: Database, bina: str) -> None:
    assert sign_in(database, f" {bina.title()} ").token


@pytest.mark.parametrize("name, password", [("bina.rjk", WRONG), ("nobody.rjk", PASSWORD)])
def test_wrong_password_and_unknown_name_are_told_alike(
    database: Database, bina: str, name: str, password: str
) -> None:
    with pytest.raises(NotAuthenticated) as refused:
        sign_in(database, name, password)
    assert refused.value.detail == "The name or the password is wrong."


@pytest.mark.database
def test_ten_failures_close_the_name_for_a_while(
    database: Database, bina: str, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_ins, "ANYWHERE", replace(sign_ins.ANYWHERE, tries=11))
    opened, here = sign_in(database, bina), Attempted("", PASSWORD, "192.0.2.7")
    for _ in range(10):
        with pytest.raises(NotAuthenticated):
            sign_in(database, bina, WRONG)
    with pytest.raises(TooManyRequests) as slowed:
        sign_in(database, bina)
    assert sign_in(database, bina, address="192.0.2.8").token
    assert sign_ins.prove(database, opened.principal, token=opened.token, tried=here)
    with pytest.raises(NotAuthenticated):
        sign_in(database, bina, WRONG, "192.0.2.8")
    with pytest.raises(TooManyRequests):
        sign_in(database, bina, address="192.0.2.9")
    wait = slowed.value.extensions["retry_after"]
    assert isinstance(wait, int)
    clock.move(seconds=wait)
    assert sign_in(database, bina).token


def test_only_the_hash_of_the_cookie_is_kept(database: Database, bina: str) -> None:
    token = sign_in(database, bina).token
    with database.read() as session:
        assert session.get(ConsoleSession, token) is None
        sign_in_row = session.get(SignIn, bina)
    assert sign_in_row is not None
    assert sign_in_row.password_hash.startswith("$argon2id$")


def test_idle_session_ends(database: Database, bina: str, clock: StoppedClock) -> None:
    token = sign_in(database, bina).token
    clock.move(seconds=30 * 60)
    with pytest.raises(NotAuthenticated):
        sessions.verify(database, token)


@pytest.mark.database
def test_busy_session_lasts_twelve_hours_and_no_longer(
    database: Database, bina: str, clock: StoppedClock
) -> None:
    token = sign_in(database, bina).token
    for _ in range(12 * 3 - 1):
        clock.move(seconds=20 * 60)
        sessions.verify(database, token)
    clock.move(seconds=20 * 60)
    with pytest.raises(NotAuthenticated):
        sessions.verify(database, token)


def test_closed_session_is_closed(database: Database, bina: str) -> None:
    token = sign_in(database, bina).token
    sessions.close(database, token)
    with pytest.raises(NotAuthenticated):
        sessions.verify(database, token)


def test_new_password_ends_every_session(database: Database, village: Village, bina: str) -> None:
    token = sign_in(database, bina).token
    set_password(database, village, "bina", "eleven goats and a kid")
    with pytest.raises(NotAuthenticated):
        sessions.verify(database, token)
    with pytest.raises(NotAuthenticated):
        sign_in(database, bina)


def test_reporter_without_a_desk_is_not_let_in(database: Database, village: Village) -> None:
    set_password(database, village, "asha")
    with pytest.raises(NotAllowed):
        sign_in(database, "asha.rjk")


def test_name_of_somebody_else_is_refused(database: Database, village: Village, bina: str) -> None:
    boss, admin = operator(village.rjk), village["admin"]
    with pytest.raises(Conflict):
        sign_ins.set_password(database, boss, admin.person_id, name=bina, password=PASSWORD)


def test_person_elsewhere_gets_no_password(database: Database, village: Village) -> None:
    boss, chetan = operator(village.rjk), village["chetan"]
    with pytest.raises(NotFound):
        sign_ins.set_password(database, boss, chetan.person_id, name="chetan", password=PASSWORD)


@pytest.mark.parametrize(
    "password",
    ["", "eleven char", "a" * 12, "password1234", "Password1234", "my bina.rjk name", "x" * 201],
)
def test_weak_password_is_refused(database: Database, village: Village, password: str) -> None:
    with pytest.raises(InvalidBody):
        set_password(database, village, "bina", password)


@pytest.mark.parametrize("name", ["", "ab", "Bina Rjk", "bina/rjk", "x" * 65])
def test_odd_sign_in_name_is_refused(database: Database, village: Village, name: str) -> None:
    boss, who = operator(village.rjk), village["bina"]
    with pytest.raises(InvalidBody):
        sign_ins.set_password(database, boss, who.person_id, name=name, password=PASSWORD)


def test_generated_password_is_strong_enough_for_its_own_rules() -> None:
    made = {passwords.generate() for _ in range(50)}
    assert len(made) == 50
    for one in made:
        passwords.check(one)


def test_password_is_asked_again_before_great_things(
    database: Database, bina: str, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_ins, "PER_PROOF", replace(sign_ins.PER_PROOF, tries=2))
    opened = sign_in(database, bina)
    assert sessions.is_proved(database, opened.token)
    clock.move(seconds=5 * 60)
    assert not sessions.is_proved(database, opened.token)
    wrong, right = (Attempted("", given, "192.0.2.7") for given in (WRONG, PASSWORD))
    with pytest.raises(NotAuthenticated):
        sign_ins.prove(database, opened.principal, token=opened.token, tried=wrong)
    assert not sessions.is_proved(database, opened.token)
    renewed = sign_ins.prove(database, opened.principal, token=opened.token, tried=right)
    assert sessions.is_proved(database, renewed)
    assert sessions.verify(database, renewed) == opened.principal
    with pytest.raises(NotAuthenticated):
        sessions.verify(database, opened.token)
    for given, told in ((wrong, NotAuthenticated), (right, TooManyRequests)):
        with pytest.raises(told):
            sign_ins.prove(database, opened.principal, token=renewed, tried=given)


@pytest.mark.parametrize(
    "password",
    ["P@ssw0rd2024!!", "welcomeindia1", "abcabcabcabc", "987654321098", "1947-08-15-1950"],
)
def test_words_in_a_row_are_common_however_they_are_dressed(password: str) -> None:
    assert passwords.is_common(password)


@pytest.mark.parametrize("password", [PASSWORD, "ગાયવાછરડુંખેતર", "കന്നുകാലിപൗണ്ട്12"])
def test_uncommon_words_are_taken_in_any_script(password: str) -> None:
    passwords.check(password)
    assert not passwords.is_common(password)
