"""The headers of every answer, good or bad."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask, request

from fieldapi.app import app_of
from fieldapi.house import House
from tests.support.house import AsPerson, Client

ADDRESSES = ("/healthz", "/api/v1/limits", "/openapi.json", "/nothing", "/console/x", "/metrics")
# A page may load its own pictures and styles; an answer to a program loads nothing at all. A page
# names itself to its own server, which checks on https that a form came from there.
POLICY = {"/console/x": "default-src 'self'"}
REFERRER = {"/console/x": "same-origin"}


@pytest.mark.parametrize("path", ADDRESSES)
def test_answer_is_neither_cached_nor_framed_nor_sniffed_nor_referred(
    client: Client, path: str
) -> None:
    headers = client.get(path).headers

    assert headers["Cache-Control"] == "no-store"
    assert POLICY.get(path, "default-src 'none'") in headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == REFERRER.get(path, "no-referrer")
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_signed_in_answer_is_not_cached(as_person: AsPerson) -> None:
    assert as_person("bina").get("/api/v1/rooms/list").headers["Cache-Control"] == "no-store"


def test_view_may_set_its_own_policy(client: Client) -> None:
    headers = client.get("/docs").headers

    assert headers["Cache-Control"] == "public, max-age=3600"
    assert "script-src 'self'" in headers["Content-Security-Policy"]


def test_public_page_lets_in_its_own_style_sheet_and_no_other(client: Client) -> None:
    answer = client.get("/verify?q=<style>")
    (sheet,) = re.findall(r"<style>(.*?)</style>", answer.text, re.DOTALL)
    digest = b64encode(hashlib.sha256(sheet.encode()).digest()).decode()

    assert f"style-src 'sha256-{digest}';" in answer.headers["Content-Security-Policy"]
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert answer.content_type == "text/html; charset=utf-8"


def _app_at(house: House, **settings: Any) -> Flask:
    return app_of(replace(house, settings=replace(house.settings, **settings)))


def test_https_is_kept_to_once_it_is_the_public_address(house: House) -> None:
    client = _app_at(house, public_url="https://cattle.example").test_client()
    headers = client.get("/healthz", headers={"Host": "cattle.example"}).headers

    assert headers["Strict-Transport-Security"].startswith(f"max-age={2 * 365 * 86400}")


def test_plain_http_promises_no_https(client: Client) -> None:
    assert "Strict-Transport-Security" not in client.get("/healthz").headers


def test_forwarded_address_counts_only_behind_a_proxy(house: House) -> None:
    sent = {"X-Forwarded-For": "203.0.113.9"}
    seen = []
    for count in (0, 1):
        app = _app_at(house, trusted_proxies=count)
        app.before_request(lambda: seen.append(request.remote_addr))
        app.test_client().get("/healthz", headers=sent)

    assert seen == ["127.0.0.1", "203.0.113.9"]
