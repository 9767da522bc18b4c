"""Sums and days are written alike in every language: Latin digits, lakhs, months by name."""

from datetime import UTC, date, datetime

import pytest

from fieldapi.console.words import Words
from fieldapi.documents import saying
from fieldapi.locale import LANGUAGES
from fieldapi.packs import load_packs


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_latin_digits_lakhs_and_months_by_name(language: str) -> None:
    words = Words(language, load_packs())
    evening = datetime(2026, 11, 30, 13, 5, tzinfo=UTC)

    assert words.rupees(123456750) == "₹12,34,567.50"
    assert words.number(1234567) == "12,34,567"
    said = words.moment(evening)
    assert said.startswith("30 ")
    assert "2026, 6:35" in said
    assert not any(part.isdigit() and not part.isascii() for part in said)
    assert words.date(date(2026, 11, 30)) == saying.day(date(2026, 11, 30), language)
    assert "11" not in words.date(date(2026, 11, 30))
