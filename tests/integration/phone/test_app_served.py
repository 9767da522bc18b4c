"""The phone app over HTTP: what may be kept and for how long, the switch, the enrolment page."""

from __future__ import annotations

import gzip
from dataclasses import replace

import pytest

from fieldapi.app import app_of
from fieldapi.house import House
from fieldapi.phone.shelf import shelf
from tests.support.house import Client


def test_page_is_asked_for_again_and_its_files_are_kept(client: Client) -> None:
    page, script = client.get("/app/"), client.get(shelf().url("app.js"))

    assert page.headers["Cache-Control"] == "no-cache"
    assert script.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert client.get("/app/sw.js").headers["Cache-Control"] == "no-cache"


def test_policy_lets_in_nothing_of_others(client: Client) -> None:
    policy = client.get("/app/").headers["Content-Security-Policy"]

    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_files_of_another_build_are_not_here(client: Client) -> None:
    assert client.get("/app/shelf/000000000000/app.js").status_code == 404
    assert client.get(shelf().url("nothing.js")).status_code == 404


def test_files_are_sent_gzipped_to_whoever_takes_that(client: Client) -> None:
    plain = client.get(shelf().url("app.css"))
    packed = client.get(shelf().url("app.css"), headers={"Accept-Encoding": "gzip"})

    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert "Content-Encoding" not in plain.headers


@pytest.mark.parametrize("name", ["app.webmanifest", "icon-192.png", "icon-512.png"])
def test_install_dialogue_finds_what_it_asks_for(client: Client, name: str) -> None:
    assert client.get(f"/app/{name}").status_code == 200


def test_switch_takes_the_worker_away(house: House) -> None:
    off = replace(house, settings=replace(house.settings, is_app_worker_off=True))
    client = app_of(off).test_client()

    assert b"unregister" in client.get("/app/sw.js").data
    assert b'data-worker="off"' in client.get("/app/").data


def test_page_of_a_card_hands_the_code_to_the_app(client: Client) -> None:
    page = client.get("/enrol/0000-0000-000", headers={"Accept-Language": "gu"})

    assert 'href="/app/#/enrol/00000000000"' in page.text
    assert 'lang="gu"' in page.text


def test_page_of_a_torn_card_asks_for_the_code(client: Client) -> None:
    page = client.get("/enrol/<script>")

    assert 'href="/app/#/enrol"' in page.text
    assert "<script>" not in page.text
