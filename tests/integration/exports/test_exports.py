"""Reports taken out as tables: what the list shows, narrowed alike, counted, hashed and told."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from typing import Any

import pytest

from fieldapi import ledger
from fieldapi.unit import Database
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.reports import FIELD, SEIZED_AT, animal_body, seizure_body

URL = "/api/v1/exports"


def _report(as_person: AsPerson, **changes: Any) -> str:
    body = seizure_body(photos=[], **changes)
    answer = as_person("asha").post("/api/v1/seizures", json=body)
    assert answer.status_code == 201, answer.json
    return str(body["id"])


def _export(as_person: AsPerson, name: str, query: str = "") -> bytes:
    answer = as_person("bina").get(f"{URL}/{name}?{query}")
    assert answer.status_code == 200, answer.json
    return answer.data


def _rows(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode())))


def _above(data: bytes) -> bytes:
    """Return what `head -n -1` gives."""
    return data[: data.rstrip(b"\n").rindex(b"\n") + 1]


@pytest.mark.database
def test_table_of_reports_has_the_rows_of_the_list(as_person: AsPerson) -> None:
    goat = _report(as_person, animals=[animal_body("goat", 4), animal_body("cow", 1)])
    _report(as_person, location={**FIELD, "lat": 23.5})

    *rows, end = _rows(_export(as_person, "seizures.csv", "kind=goat"))

    assert [row["id"] for row in rows] == [goat]
    assert (rows[0]["heads"], rows[0]["animals"], rows[0]["seized_at"]) == (
        "5",
        "cow 1; goat 4",
        SEIZED_AT,
    )
    assert (end["id"], end["reference"]) == ("# rows", "1")


@pytest.mark.database
def test_table_of_lots_has_every_lot(as_person: AsPerson) -> None:
    report = _report(as_person, animals=[animal_body("goat", 4), animal_body("cow", 1)])

    *rows, end = _rows(_export(as_person, "animals.csv"))

    assert {(row["seizure_id"], row["kind"], row["count"]) for row in rows} == {
        (report, "goat", "4"),
        (report, "cow", "1"),
    }
    assert end["reference"] == "2"


def test_last_line_hashes_all_lines_above_it(as_person: AsPerson) -> None:
    _report(as_person)
    for name in ("seizures.csv", "animals.csv"):
        data = _export(as_person, name)
        assert hashlib.sha256(_above(data)).hexdigest() in list(_rows(data)[-1].values())

    data = _export(as_person, "seizures.geojson")
    assert hashlib.sha256(_above(data)).hexdigest() == json.loads(data)["sha256_of_lines_above"]


def test_map_has_a_point_for_each_place_and_none_without(as_person: AsPerson) -> None:
    here = _report(as_person)
    nowhere = _report(as_person, location=None, location_absent_reason="denied")

    found = json.loads(_export(as_person, "seizures.geojson", "sort=received_at"))

    places = {one["id"]: one["geometry"] for one in found["features"]}
    assert places == {
        here: {"type": "Point", "coordinates": [FIELD["lon"], FIELD["lat"]]},
        nowhere: None,
    }
    assert found["count"] == 2


def test_names_of_people_come_only_when_asked_for(as_person: AsPerson) -> None:
    _report(as_person, owner={"name": "Ramesh"}, remarks="near the well")

    assert b"Ramesh" not in _export(as_person, "seizures.csv")
    assert b"Ramesh" not in _export(as_person, "seizures.geojson")
    assert b"Ramesh" in _export(as_person, "seizures.csv", "personal=true")


def test_no_cell_of_a_table_is_a_formula(as_person: AsPerson) -> None:
    _report(as_person, survey_no="=1+1", animals=[animal_body("cow", 1, marks="@A1")])

    assert "'=1+1" in _rows(_export(as_person, "seizures.csv"))[0].values()
    assert "'@A1" in _rows(_export(as_person, "animals.csv"))[0].values()


@pytest.mark.database
def test_ledger_tells_who_took_out_what(
    as_person: AsPerson, village: Village, database: Database
) -> None:
    _report(as_person)
    data = _export(as_person, "seizures.csv", "q=Ramesh&state=received")

    with database.read() as session:
        (begun,) = ledger.entries_of_kind(session, village.rjk, "export.begun")
        (ended,) = ledger.entries_of_kind(session, village.rjk, "export.ended")

    assert begun["actor"] == village["bina"].actor
    assert begun["filters"] == ["state", "text"]
    assert "Ramesh" not in json.dumps(begun)
    assert (ended["sha256"], ended["whole"]) == (hashlib.sha256(data).hexdigest(), 1)
    assert ended["subject"] == begun["subject"]


def test_unknown_table_and_wrong_filter_are_refused(as_person: AsPerson) -> None:
    assert as_person("bina").get(f"{URL}/owners.csv").status_code == 404
    assert as_person("bina").get(f"{URL}/seizures.csv?sort=owner").status_code == 400
    assert as_person("bina").get(f"{URL}/seizures.csv?bbox=1,2").status_code == 400
