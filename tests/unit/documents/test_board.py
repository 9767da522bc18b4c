"""The board of a pound as it is drawn: numbers stand apart from what follows, names stay whole."""

from __future__ import annotations

from fieldapi.documents.board import Board, board_html
from fieldapi.documents.books import Cover, rates_table
from fieldapi.documents.sheets import Table


def test_report_number_and_day_are_not_broken() -> None:
    cover = Cover("Panchayat", "Pound", "Act", "gu", {})
    row = ["cow", "1", "18 Nov 2026", "KLD-00-2611-0006-W", ""]
    cattle = Table(["Kind", "Heads", "Since", "Report no.", "Notices"], [row], numeric=(1,))

    page = board_html(Board(cover, [], cattle, "head", "30 Nov 2026", is_sample=False))

    assert 'data-name="Heads" class="n">1</td>' in page
    for name, text in {"Since": "18 Nov 2026", "Report no.": "KLD-00-2611-0006-W"}.items():
        assert f'data-name="{name}" class="whole"><span>{text}</span></td>' in page
    assert "td.whole { white-space: nowrap }" in page


def test_steps_of_a_scale_are_read_as_people_write_them() -> None:
    rates = [
        {"kind": None, "head_from": 6, "times_from": 2, "times_to": 2, "paise": 80000},
        {"kind": "cow", "times_from": 3, "percent": 150},
        {"kind": "cow", "paise": 6225, "first_day_paise": 7000},
    ]
    scale = {"kind": "feeding_rates", "number": "DP/12", "rates": rates}
    cover = Cover("Panchayat", "Pound", "Act", "en", {"cow": "cow"})

    assert rates_table(cover, scale).rows == [
        ["Any kind", "heads 6+; times 2", "₹800.00"],
        ["Cow", "times 3+; part of the first time", "150 %"],
        ["Cow", "first day ₹70.00", "₹62.25"],
    ]
