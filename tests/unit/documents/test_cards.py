"""The card that lets a phone in: complete on its own page, in the language of the place."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from urllib.parse import unquote

import pytest

from fieldapi.documents import pages
from fieldapi.documents.cards import Card, card_html
from fieldapi.locale import LANGUAGES

URL = "https://cattle.example.org/enrol/0BNTTFNQM5V"


def page(**more: str) -> str:
    said = {
        "authority": "Rajkot Taluka Panchayat",
        "person": "Asha Parmar",
        "code": "0BNT-TFNQ-M5V",
        "url": URL,
        "language": "en",
        **more,
    }
    return card_html(Card(expires_at=datetime(2026, 12, 1, 3, 9, tzinfo=UTC), **said))


def test_card_says_who_what_and_until_when() -> None:
    card = page()
    assert [one for one in ("Asha Parmar", "0BNT-TFNQ-M5V", URL) if one not in card] == []
    assert "until 1 December 2026, 08:39" in card


def test_card_needs_nothing_from_elsewhere() -> None:
    outside = re.findall(r"(?:src|href|url\()[=(]?[\"']?([^\"')> ]+)", page())
    assert outside == []


def test_names_cannot_break_out_of_the_card() -> None:
    assert "<script>" not in page(person="<script>alert(1)</script>")


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_card_speaks_the_language_of_the_authority(language: str) -> None:
    card = page(language=language)
    assert f'<html lang="{language}">' in card
    assert "Point the phone" not in card
    assert "Good once" not in card


def test_qr_codes_bring_their_own_ground() -> None:
    """On a page in the dark nothing else would be behind them."""
    for drawn in (pages.qr_svg("a"), unquote(pages.qr_uri("a"))):
        assert "fill=#fff" in re.sub("[\"']", "", drawn)
