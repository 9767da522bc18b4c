"""The page of one report: everything about it, in words, for those who may see it."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import event

from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.jobs import JobRunner
from fieldapi.pending import jobs_of
from fieldapi.services import authorities, places
from fieldapi.services.authorise import operator
from fieldapi.services.places import NewPlace
from fieldapi.unit import Database
from sync.wire import JSON
from tests.integration.console.conftest import Desk, Report
from tests.support.clock import StoppedClock
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.phones import phone_of
from tests.support.photos import jpeg, put
from tests.support.reports import animal_body, photo_body, seizure_body

PICTURES = ("thumbnail", "preview")
AREA: JSON = {
    "type": "Polygon",
    "coordinates": [[[70.7, 22.2], [70.9, 22.2], [70.9, 22.4], [70.7, 22.4], [70.7, 22.2]]],
}


def finish_pending(house: House) -> None:
    """Do all pending work: what a thread of the server does within seconds."""
    runner = JobRunner(house.database, jobs_of(house), lock=house.settings.data / "jobs.lock")
    while runner.run_once():
        pass


def test_page_tells_the_facts_in_words(desk: Desk, report: Report) -> None:
    text = desk("bina").get(f"/console/cases/{report['id']}").text

    assert "2 buffaloes, 3 cows" in text
    assert "Ground Trespass" in text
    assert "Ramesh Parmar" in text
    assert "22.30391, 70.80216 · Good: within 8 m" in text
    assert "Asha reported this seizure." in text
    word = "To the two accounts · Animals counted · 30 Nov 2026, 11:30 AM: Not sure. It was dark"
    assert word in text


def test_place_is_drawn_in_the_area_and_named(
    desk: Desk, report: Report, database: Database, village: Village
) -> None:
    boss = operator(village.rjk)
    database.transact(lambda unit: authorities.set_area(unit, boss, AREA))
    here = [NewPlace("Gondal", "ગોંડલ", 22.3239, 70.8022)]
    database.transact(lambda unit: places.import_many(unit, boss, here))

    page = desk("bina").get(f"/console/cases/{report['id']}")

    assert "2.2 km from Gondal" in page.text
    assert page.html.count("<svg") >= 2
    assert 'class="map__area" d="M' in page.html
    assert 'class="map__circle"' in page.html


def test_report_without_a_place_says_so(desk: Desk, as_person: AsPerson) -> None:
    body = seizure_body(location=None, location_absent_reason="indoors")
    as_person("asha").post("/api/v1/seizures", json=body)

    text = desk("bina").get(f"/console/cases/{body['id']}").text

    assert "The report names no place on the map." in text
    assert "The phone had no fix; a reason was given instead." in text


def test_flag_stands_beside_what_it_does_not_prove(desk: Desk, as_person: AsPerson) -> None:
    body = seizure_body()
    body["location"] = {**body["location"], "mocked": True}
    as_person("asha").post("/api/v1/seizures", json=body)

    text = desk("bina").get(f"/console/cases/{body['id']}").text

    assert "The phone said that another app supplied the place. But: Some repair" in text


def test_photo_that_has_yet_to_come_is_waited_for(desk: Desk, report: Report) -> None:
    page = desk("bina").get(f"/console/cases/{report['id']}")

    assert "0 of 1 arrived" in page.text
    assert "Photo 1: the file has yet to arrive." in page.text
    assert "/preview" not in page.html


def test_photo_that_arrived_is_vouched_for_and_can_be_saved(
    desk: Desk, as_person: AsPerson
) -> None:
    content = jpeg()
    photo = photo_body(content)
    body = seizure_body(photos=[photo])
    asha = as_person("asha")
    asha.post("/api/v1/seizures", json=body)
    assert put(asha, str(photo["id"]), content).status_code == 201
    bina = desk("bina")

    page = bina.get(f"/console/cases/{body['id']}")
    original = bina.client.get(f"/console/photos/{photo['id']}/original")

    assert "Photo 1: the file stored is the file announced." in page.text
    assert "Arrived whole and stored: Photo 1" in page.text
    assert original.get_data() == content
    assert original.headers["Content-Disposition"].startswith("attachment")
    assert original.headers["X-Content-Type-Options"] == "nosniff"
    assert "Bina looked at Photo 1" in bina.get(f"/console/cases/{body['id']}").text


def test_photo_that_was_looked_into_is_shown_small_and_large(
    desk: Desk, as_person: AsPerson, house: House
) -> None:
    content, asha, bina = jpeg(), as_person("asha"), desk("bina")
    photo = photo_body(content)
    body = seizure_body(photos=[photo])
    asha.post("/api/v1/seizures", json=body)
    put(asha, str(photo["id"]), content)
    finish_pending(house)

    row, page = bina.get("/console/"), bina.get(f"/console/cases/{body['id']}")
    shown = {name: bina.client.get(f"/console/photos/{photo['id']}/{name}") for name in PICTURES}

    assert f"/console/photos/{photo['id']}/thumbnail" in row.html
    assert f"/console/photos/{photo['id']}/preview" in page.html
    assert {one.mimetype for one in shown.values()} == {"image/jpeg"}
    assert "Opened and examined: Photo 1" in page.text


def test_file_that_is_no_photo_is_said_to_be_none(
    desk: Desk, as_person: AsPerson, house: House
) -> None:
    content, asha = b"a text that is called photo.jpg", as_person("asha")
    photo = photo_body(content)
    body = seizure_body(photos=[photo])
    asha.post("/api/v1/seizures", json=body)
    put(asha, str(photo["id"]), content)
    finish_pending(house)

    text = desk("bina").get(f"/console/cases/{body['id']}").text

    assert "Photo 1: the file was set aside." in text
    assert "The file is no photo of a type that can be shown." in text


def test_photo_without_a_picture_yet_is_not_there(desk: Desk, report: Report) -> None:
    photo = report["photos"][0]["id"]
    bina = desk("bina")

    statuses = {
        name: bina.get(f"/console/photos/{photo}/{name}").status
        for name in ("thumbnail", "preview", "original")
    }

    assert set(statuses.values()) == {404}


@pytest.mark.parametrize("language", ["gu", "hi", "kn", "ml"])
def test_page_speaks_every_language_with_latin_digits(
    desk: Desk, report: Report, language: str
) -> None:
    bina = desk("bina")
    bina.send(bina.get("/console/"), "/console/language", language=language)

    page = bina.get(f"/console/cases/{report['id']}")

    assert f'<html lang="{language}">' in page.html
    assert "Reports" not in page.text
    assert "2026, 10:40 AM" in page.text.replace("am", "AM")


def test_case_of_another_authority_is_a_page_that_says_nothing(
    desk: Desk, as_person: AsPerson
) -> None:
    body = seizure_body(place_kind="street")
    as_person("chetan").post("/api/v1/seizures", json=body)
    bina = desk("bina")

    theirs = bina.get(f"/console/cases/{body['id']}")
    unknown = bina.get(f"/console/cases/{new_id()}")

    assert theirs.status == unknown.status == 404
    assert theirs.answer.mimetype == "text/html"
    assert "There is nothing here for you" in theirs.text


def test_keeper_sees_no_case_of_another_pound(desk: Desk, report: Report) -> None:
    page = desk("mohan").get(f"/console/cases/{report['id']}")

    assert page.status == 404
    assert "Ramesh Parmar" not in page.text


def test_auditor_reads_all_and_decides_nothing(desk: Desk, report: Report) -> None:
    page = desk("admin").get(f"/console/cases/{report['id']}")

    assert "Ramesh Parmar" in page.text
    assert f"/console/cases/{report['id']}/decision" not in page.forms
    assert "Reviewers and deciding officers decide on reports." in page.text


def test_pages_are_kept_by_nobody_and_run_nothing(desk: Desk, report: Report) -> None:
    for path in ("/console/", f"/console/cases/{report['id']}", "/console/nothing"):
        headers = desk("bina").get(path).answer.headers
        policy = headers["Content-Security-Policy"]

        assert headers["Cache-Control"] == "no-store"
        assert "default-src 'self'; script-src 'self'; style-src 'self'" in policy
        assert "frame-ancestors 'none'; base-uri 'none'; form-action 'self'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_style_sheet_is_kept_for_a_year_under_its_hash(desk: Desk) -> None:
    bina = desk("bina")
    link = bina.get("/console/").html.partition('rel="stylesheet" href="')[2].partition('"')[0]

    sheet = bina.client.get(link)

    assert (sheet.status_code, sheet.mimetype) == (200, "text/css")
    assert "immutable" in sheet.headers["Cache-Control"]
    assert "Set-Cookie" not in sheet.headers
    assert bina.client.get("/console/static/console.css").status_code == 404


def test_late_report_says_how_late(desk: Desk, as_person: AsPerson, clock: StoppedClock) -> None:
    clock.move(days=3)
    body = seizure_body()
    as_person("asha").post("/api/v1/seizures", json=body)

    assert "3 days after the seizure" in desk("bina").get(f"/console/cases/{body['id']}").text


def test_change_is_told_with_what_stood_before(
    desk: Desk, app: Flask, village: Village, report: Report
) -> None:
    asha = phone_of(app, village["asha"])
    lot = report["animals"][0]["id"]
    asha.push(asha.pen.op("animal", lot, set={"colour": "black"}))
    asha.push(asha.pen.op("animal", lot, set={"colour": "brown"}))

    text = desk("bina").get(f"/console/cases/{report['id']}").text

    assert "2 buffaloes: Colour: – → black" in text
    assert "2 buffaloes: Colour: black → brown" in text


def test_what_happened_can_be_narrowed(desk: Desk, report: Report) -> None:
    bina, path = desk("bina"), f"/console/cases/{report['id']}"

    facts, decisions = (bina.get(f"{path}?show={one}").text for one in ("fact", "decision"))

    assert "Asha reported this seizure." in facts
    assert "Nothing of this kind has happened yet." in decisions


def test_deadlines_stand_on_a_line_and_in_words_with_their_section(
    desk: Desk, report: Report
) -> None:
    page = desk("bina").get(f"/console/cases/{report['id']}")

    assert "No deadline runs in this case." in page.text or 'class="bar bar--' in page.html
    assert "Gujarat" in page.text


def test_case_with_more_in_it_asks_the_database_no_more_often(
    desk: Desk, as_person: AsPerson, database: Database
) -> None:
    asked: list[str] = []
    event.listen(database.engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    bina, counts = desk("bina"), []
    for lots in (1, 8):
        body = seizure_body(animals=[animal_body("cow", 1) for _ in range(lots)])
        as_person("asha").post("/api/v1/seizures", json=body)
        asked.clear()
        bina.get(f"/console/cases/{body['id']}")
        counts.append(len(asked))

    assert counts[0] == counts[1] < 90, asked
