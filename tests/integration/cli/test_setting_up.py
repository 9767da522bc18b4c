"""From nothing to a phone that is in: what an operator types on the first day."""

from __future__ import annotations

import re
import socket
import stat
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from fieldapi import migrate
from fieldapi.cli import COMMANDS
from fieldapi.ids import new_id
from fieldapi.settings import Settings
from tests.support.commands import Run

CUT = re.compile(r"[^\]]\.\.\.$", re.MULTILINE)
SECTIONS = ("Run:", "Set up:", "People and phones:")


@pytest.mark.database
def test_operator_lets_a_phone_in(run: Run, rjk: str, asha: str, client: FlaskClient) -> None:
    issued = run("enrol", "--person", asha, "--json").json
    assert issued.keys() == {"id", "code", "url", "expires_at", "card"}
    enrolled = client.post("/api/v1/devices", json={"code": issued["code"], "device": {}})
    assert enrolled.get_json()["device"]["confirmed"] is False
    confirmed = run("device", "confirm", enrolled.get_json()["device"]["id"], "--json").json
    assert (confirmed["number"], confirmed["standing"]) == (1, "confirmed")


def test_device_is_named_by_its_number_too(run: Run, asha: str, client: FlaskClient) -> None:
    code = run("enrol", "--person", asha, "--json").json["code"]
    client.post("/api/v1/devices", json={"code": code, "device": {"make": "Nokia"}})
    listed = run("device", "list")
    assert re.search(r"1 +pending +\d{6} +Nokia", listed.out)
    assert run("device", "reject", "1", "--reason", "Not ours").code == 0
    assert run("device", "confirm", "1").code == 1
    assert run("device", "confirm", "2").code == 1


def test_confirmed_code_needs_no_confirming(run: Run, asha: str, client: FlaskClient) -> None:
    code = run("enrol", "--person", asha, "--confirmed", "--json").json["code"]
    answer = client.post("/api/v1/devices", json={"code": code, "device": {}}).get_json()
    assert answer["device"]["confirmed"] is True


def test_help_shows_every_command_by_section(run: Run) -> None:
    told = run("--help")
    assert told.code == 0
    assert [section for section in SECTIONS if section not in told.out] == []
    assert CUT.search(told.out) is None


@pytest.mark.parametrize("command", [one.name for one in COMMANDS])
def test_every_command_has_help_in_whole_sentences(run: Run, command: str) -> None:
    told = run(command, "--help")
    assert (told.code, CUT.search(told.out)) == (0, None)


@pytest.mark.parametrize(
    "args", [["frobnicate"], ["authority", "add"], ["person", "add", "--role", "king"], []]
)
def test_command_not_understood_leaves_with_2(run: Run, args: list[str]) -> None:
    assert run(*args).code == 2


def test_port_in_use_is_told_in_one_sentence_before_anything_is_opened(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        told = run("serve", "--port", str(port))

    said = f"error: port {port} is in use: choose another with --port\n"
    assert (told.code, told.out, told.err) == (1, "", said)


def test_no_process_at_all_is_refused(run: Run) -> None:
    told = run("serve", "--workers", "0")

    assert told.code != 0
    assert "1<=x<=64" in told.err


def test_wrong_values_leave_with_1_and_one_line(run: Run) -> None:
    told = run("authority", "add", "--code", "rj", "--name", "R", "--statute", "goa")
    assert (told.code, told.out) == (1, "")
    assert told.err.startswith("error: ")
    assert "hint: code: " in told.err
    assert "Traceback" not in told.err


def test_hints_name_what_was_typed_and_what_comes_next(run: Run, asha: str) -> None:
    named = run("person", "password", "--person", asha, "--sign-in", "bina rjk", "--generate")
    assert "hint: --sign-in: A sign-in name has" in named.err
    assert "`fieldapi device list`" in run("device", "confirm", "9").err
    assert "`fieldapi people list`" in run("enrol", "--person", "9").err

    keeper = ("person", "add", "--name", "Mohan", "--role", "pound_keeper")
    assert "note: the authority has no pound yet" in run(*keeper).err
    run("pound", "add", "--name", "Dwarka Road")
    assert run(*keeper, "--id", new_id()).err == ""


def test_code_of_an_authority_is_taken_once(run: Run, rjk: str) -> None:
    again = run("authority", "add", "--code", "RJK", "--name", "R", "--statute", "gujarat")
    assert again.code == 1


@pytest.mark.parametrize("statute", ["kerala-1961", "karnataka"])
def test_series_or_version_may_be_chosen(run: Run, statute: str) -> None:
    args = ("authority", "add", "--code", "KLM", "--name", "Kollam", "--statute", statute)
    assert run(*args, "--json").json["statute"] == statute


def test_authority_must_be_named_once_there_are_two(run: Run, rjk: str) -> None:
    run("authority", "add", "--code", "KLM", "--name", "Kollam", "--statute", "kerala")
    assert run("pound", "list").code == 2
    assert run("pound", "list", "--authority", "KLM").code == 0
    assert run("pound", "list", "--authority", rjk).code == 0
    assert run("pound", "list", "--authority", "XYZ").code == 1


AREA = '{"type":"Polygon","coordinates":[[[70,22],[71,22],[71,23],[70,22]]]}'


def test_area_is_drawn_from_a_file(run: Run, rjk: str) -> None:
    assert run("authority", "area", "-", stdin=AREA).code == 0
    assert run("authority", "list", "--json").json[0]["area"]["type"] == "Polygon"


@pytest.mark.parametrize("drawn", ["", "{}", "[1", AREA.replace("23", "230")])
def test_area_that_is_none_is_refused(run: Run, rjk: str, drawn: str) -> None:
    assert run("authority", "area", "-", stdin=drawn).code == 1


@pytest.mark.parametrize("url", ["http://cattle.example.org", "http://192.0.2.7:8000"])
def test_code_is_not_printed_for_an_address_without_https(
    run: Run, asha: str, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("FIELDAPI_PUBLIC_URL", url)
    refused = run("enrol", "--person", asha)
    assert (refused.code, refused.out) == (1, "")
    assert run("enrol", "--person", asha, "--insecure").code == 0


@pytest.mark.parametrize("url", ["https://cattle.example.org", "http://localhost:8000"])
def test_code_is_printed_for_https_and_for_this_machine(
    run: Run, asha: str, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("FIELDAPI_PUBLIC_URL", url)
    assert run("enrol", "--person", asha, "--json").json["url"].startswith(f"{url}/enrol/")


def test_card_is_in_the_language_of_the_authority_and_for_its_owner_alone(
    run: Run, asha: str, tmp_path: Path
) -> None:
    card = tmp_path / "card.html"
    issued = run("enrol", "--person", asha, "--card", str(card), "--json").json
    page = card.read_text()
    assert '<html lang="gu">' in page
    assert issued["url"] in page
    assert "ડિસેમ્બર" in page
    assert stat.S_IMODE(card.stat().st_mode) == 0o600


def test_unknown_person_is_not_enrolled(run: Run, rjk: str) -> None:
    assert run("enrol", "--person", "01a22a6c-85aa-7798-baa3-000000000000").code == 1


def test_roles_are_given_and_ended(run: Run, asha: str) -> None:
    given = run("person", "grant", "--person", asha, "--role", "auditor", "--json").json
    ended = run("person", "end", given["id"], "--at", "2999-01-01T00:00:00Z", "--json").json
    assert ended["ends_at"] == "2999-01-01T00:00:00.000Z"
    assert run("person", "end", given["id"], "--at", "yesterday").code == 2


def test_password_is_set_and_reset_by_a_link(run: Run, asha: str) -> None:
    who = ("--person", asha)
    assert run("person", "reset-signin", *who).code == 1
    given = run("person", "password", *who, "--sign-in", "asha", "--stdin", stdin="short\n")
    assert given.code == 1
    made = run("person", "password", *who, "--sign-in", "asha", "--generate", "--json").json
    again = run("person", "reset-signin", *who, "--json").json
    assert again["sign_in"] == made["sign_in"]
    assert "/console/welcome/" in again["url"]
    assert "password" not in again


def test_first_sign_in_is_a_link_and_never_a_password(run: Run, asha: str) -> None:
    told = run("person", "invite", "--person", asha, "--sign-in", "asha", "--json").json
    assert told.keys() == {"person", "sign_in", "url"}


def test_statutes_are_usable(run: Run) -> None:
    assert run("statutes", "check").code == 0
    assert run("statutes", "check", "--all", "--json").json["findings"]
    assert {one["series"] for one in run("statutes", "list", "--json").json} >= {"gujarat"}


@pytest.mark.database
def test_migrate_brings_an_empty_database_up(
    run: Run, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if settings.is_sqlite:
        for name in ("FIELDAPI_DATABASE_URL", "FIELDAPI_OWNER_DATABASE_URL"):
            monkeypatch.setenv(name, f"sqlite:///{tmp_path / 'fresh.sqlite3'}")
    assert run("migrate", "--json").json["to"] == migrate.newest()
    assert "Nothing was to do" in run("migrate").out


def test_first_command_makes_the_embedded_database(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("FIELDAPI_DATABASE_URL")
    monkeypatch.delenv("FIELDAPI_OWNER_DATABASE_URL")
    monkeypatch.setenv("FIELDAPI_DATA", str(tmp_path / "new"))
    assert "no authority yet" in run("authority", "list").out
    files = [one for one in (tmp_path / "new").rglob("*") if one.is_file()]
    assert {one.name for one in files} >= {"fieldapi.sqlite3", "ledger.pem"}
    assert {stat.S_IMODE(one.stat().st_mode) for one in files} == {0o600}


def test_sweep_says_what_it_did(run: Run) -> None:
    assert run("sweep", "--json").json["done"] >= 0


def test_bad_setting_is_named_with_a_hint(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELDAPI_SECRET_KEY", "short")
    told = run("authority", "list")
    assert told.code == 1
    assert "FIELDAPI_SECRET_KEY" in told.err
    assert "hint: " in told.err
