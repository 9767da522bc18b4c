"""Papers, the public board, the books: what people hold and read, in two languages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from fieldapi.documents import drawing
from fieldapi.ids import new_id
from tests.support.house import client_with
from tests.support.pound_house import PoundHouse


@pytest.fixture
def released(gujarat: PoundHouse) -> tuple[PoundHouse, dict[str, Any]]:
    """A pound from which Ramesh's two cows went home, and the act."""
    gujarat.at("2027-03-01 23:40")
    case = gujarat.seize({"cow": 2, "buffalo": 1}, survey_no="12/3")
    gujarat.take_in(case, {"cow": 2, "buffalo": 1})
    gujarat.done(case, "identify", party="Ramesh", pick=[{"kind": "cow", "n": 2}])
    gujarat.at("2027-03-02 00:25")
    return gujarat, gujarat.done(
        case, "release", party="Ramesh", paid_paise=98900, declaration="signed"
    )


def _url(act: dict[str, Any], end: str = "") -> str:
    return f"/api/v1/documents/{act['documents'][0]['id']}{end}"


def test_receipt_is_a_pdf_in_both_sizes(released: tuple[PoundHouse, dict[str, Any]]) -> None:
    house, act = released
    wide, narrow = (
        house.as_("keeper").get(_url(act, f".pdf?size={size}")) for size in ("a4", "80mm")
    )
    assert (wide.status_code, wide.mimetype) == (200, "application/pdf")
    assert wide.data.startswith(b"%PDF")
    assert narrow.data.startswith(b"%PDF")
    assert wide.data != narrow.data
    assert house.as_("keeper").get(_url(act, ".pdf")).data == wide.data


def test_receipt_is_original_once(released: tuple[PoundHouse, dict[str, Any]]) -> None:
    house, act = released
    keeper = house.as_("keeper")
    first = keeper.get(_url(act, ".html")).get_data(as_text=True)
    body = {"id": new_id()}
    counts = [keeper.post(_url(act, "/printed"), json=body).json["prints"] for _ in range(2)]
    second = keeper.get(_url(act, ".html")).get_data(as_text=True)
    assert "ORIGINAL" in first
    assert "₹989.00" in first
    assert counts == [1, 1]
    assert "DUPLICATE" in second
    assert "ORIGINAL" not in second


def test_void_number_is_never_used_again(released: tuple[PoundHouse, dict[str, Any]]) -> None:
    house, act = released
    keeper = house.as_("keeper")
    told = keeper.post(_url(act, "/void"), json={"id": new_id(), "reason": "wrong name"}).json
    case = house.seize({"cow": 1})
    house.take_in(case, {"cow": 1})
    house.done(case, "identify", party="Ramesh")
    next_one = house.done(case, "receive_payment", party="Ramesh", paid_paise=1000)
    assert told["is_void"] is True
    assert "VOID" in keeper.get(_url(act, ".html")).get_data(as_text=True)
    assert next_one["serials"] == ["REC/2026-27/A/0002"]
    states = [head["became"] for head in house.case(act["case"])["custody"]]
    assert sorted(states, key=str) == [None, "released_paid", "released_paid"]


def test_missing_fonts_are_named_and_the_page_stays(
    released: tuple[PoundHouse, dict[str, Any]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    house, act = released
    monkeypatch.setattr(drawing, "DEFAULT_FONTS", tmp_path)
    refused = house.as_("keeper").get(_url(act, ".pdf"))
    assert (refused.status_code, refused.json["package"]) == (503, "fonts-noto-core")
    assert house.as_("keeper").get(_url(act, ".html")).status_code == 200


def test_board_shows_cattle_and_fees_and_no_owner(
    released: tuple[PoundHouse, dict[str, Any]], app: Flask
) -> None:
    house, _ = released
    page = client_with(app).get(f"/board/{house.pound_id}")
    text = page.get_data(as_text=True)
    assert page.status_code == 200
    assert len(page.data) <= 20_000
    assert "₹200.00" in text
    assert "buffalo" in text.lower()
    assert "<script" not in text
    assert "Ramesh" not in text
    assert "<svg" in text


def test_board_of_no_pound_is_404(app: Flask) -> None:
    assert client_with(app).get(f"/board/{new_id()}").status_code == 404


@pytest.mark.parametrize("book", ["fee-list", "register", "daily-statement", "refunds"])
def test_book_comes_as_page_and_as_rows(
    released: tuple[PoundHouse, dict[str, Any]], book: str
) -> None:
    house, _ = released
    path = f"/api/v1/pounds/{house.pound_id}/books/{book}"
    span = {"since": "2027-03-01", "until": "2027-03-02"}
    page = house.as_("keeper").get(f"{path}.html", query_string=span)
    rows = house.as_("keeper").get(f"{path}.csv", query_string=span)
    assert (page.status_code, rows.status_code) == (200, 200)
    assert rows.mimetype == "text/csv"


def test_daily_statement_adds_up(released: tuple[PoundHouse, dict[str, Any]]) -> None:
    house, _ = released
    path = f"/api/v1/pounds/{house.pound_id}/books/daily-statement.csv"
    rows = house.as_("keeper").get(path, query_string={"day": "2027-03-02"})
    lines = rows.get_data(as_text=True).splitlines()
    cow = next(line for line in lines if line.lower().startswith(("cow", '"cow')))
    assert cow.endswith(",2,0,2,0")
    assert lines[-1].endswith("₹500.00")


def test_scale_is_looked_at_before_it_is_entered(gujarat: PoundHouse) -> None:
    body = {
        "id": new_id(),
        "kind": "feeding_rates",
        "number": "F-2",
        "effective_from": "2026-12-01",
        "data": {"rates": [{"kind": "cow", "paise": 7000}]},
    }
    admin = gujarat.as_("admin")
    looked = admin.post("/api/v1/fee-schedules/preview", json={**body, "head": 3})
    made = admin.post("/api/v1/fee-schedules", json=body)
    assert looked.json["items"] == [{"kind": "cow", "head": 3, "times": 1, "paise": 7000}]
    assert made.status_code == 201


def test_register_describes_each_animal_by_its_own_marks(gujarat: PoundHouse) -> None:
    each = [{"number": 1, "marks": "torn ear"}, {"number": 2, "ear_tag": "340123456789"}]
    lot = {"id": new_id(), "kind": "cow", "count": 2, "marks": "branded", "individuals": each}
    case = gujarat.seize({}, animals=[lot])
    gujarat.take_in(case, {"cow": 2})

    keeper = gujarat.as_("keeper")
    history = keeper.get(f"/api/v1/cases/{case}").json["history"]
    (entry,) = (
        paper for act in history for paper in act["documents"] if paper["kind"] == "register_entry"
    )
    page = keeper.get(f"/api/v1/documents/{entry['id']}.html").get_data(as_text=True)

    assert "torn ear" in page
    assert "branded, 340123456789" in page
