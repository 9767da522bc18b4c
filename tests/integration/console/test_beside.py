"""What stands beside a report at the desk: notes, whose it is, pairs, bundles and files."""

from __future__ import annotations

import hashlib
import re

import pytest

from fieldapi.house import House
from fieldapi.pending import jobs_of
from tests.integration.console.conftest import Desk, Report
from tests.support.clock import StoppedClock
from tests.support.desk import CONSOLE, PASSWORD
from tests.support.house import AsPerson
from tests.support.reports import seizure_body


def run(house: House, name: str) -> None:
    """Do what is pending of one kind."""
    job = next(one for one in jobs_of(house) if one.name == name)
    with house.database.read() as session:
        subjects = job.pending(session)
    for subject in subjects:
        job.run(subject)


def test_report_is_taken_and_a_note_stays_at_the_desk(
    desk: Desk, as_person: AsPerson, report: Report
) -> None:
    bina, path = desk("bina"), f"/console/cases/{report['id']}"

    taken = bina.send(bina.get(path), f"{path}/assignment", to="", to_me="1")
    noted = bina.send(bina.get(path), f"{path}/comments", text="Ask at the temple.")

    page = bina.get(path)
    assert (taken.status, noted.status) == (303, 303)
    assert "Bina reviews this report." in page.text
    assert "Ask at the temple." in page.text
    assert report["reference"] in bina.get(f"{CONSOLE}?mine=1").text
    assert "temple" not in as_person("asha").get(f"/api/v1/seizures/{report['id']}").text


def test_empty_note_is_not_kept_and_says_so(desk: Desk, report: Report) -> None:
    bina, path = desk("bina"), f"/console/cases/{report['id']}"

    bina.send(bina.get(path), f"{path}/comments", text=" ")

    assert "The note was not kept" in bina.get(path).text


@pytest.mark.parametrize(
    "outcome, says",
    [("linked", "They tell of one seizure."), ("dismissed", "They tell of two seizures.")],
)
def test_two_reports_are_told_apart_side_by_side(
    desk: Desk, as_person: AsPerson, house: House, report: Report, outcome: str, says: str
) -> None:
    other = as_person("ravi").post("/api/v1/seizures", json=seizure_body(capacity="police")).json
    run(house, "reports side by side")
    bina = desk("bina")
    link = bina.get(f"/console/cases/{report['id']}").html.partition("/console/duplicates/")[2]
    path = f"/console/duplicates/{link[:36]}"

    asked = bina.get(f"{path}?from={report['id']}")
    none = bina.send(asked, path, outcome=outcome, reason=" ")
    done = bina.send(asked, path, outcome=outcome, reason="Same horn, same field.")

    page = bina.get(path)
    assert (none.status, done.status) == (422, 303)
    assert says in page.text
    assert f'/console/cases/{report["id"]}#twins">← {report["reference"]}' in page.html
    assert other["reference"] in page.text


def test_bundle_is_asked_for_watched_and_says_what_is_missing(
    desk: Desk, house: House, report: Report
) -> None:
    bina, path = desk("bina"), f"/console/cases/{report['id']}/bundle"

    sent = bina.send(bina.get(path), path, redact="owner")
    where = sent.answer.headers["Location"]
    waiting = bina.get(where)
    run(house, "bundles")

    page = bina.get(path).text
    assert "1 photo has not arrived." in page
    assert re.search(r"About \d+ pages to print", page)
    assert "Photo 1 of 1, Animals" in bina.get(where).text
    assert "Being made" in waiting.text
    assert f'hx-get="{where}"' in waiting.html
    assert "Not made" in bina.get(where).text
    assert bina.client.get(f"{where}/file").status_code == 405
    assert "Submission 1 · asked for by Bina" in waiting.text


def test_bundle_page_leads_to_what_checks_its_hash_and_asks_before_it_gives_the_file(
    desk: Desk, house: House, report: Report, clock: StoppedClock
) -> None:
    bina, path = desk("bina"), f"/console/cases/{report['id']}/bundle"

    sent = bina.send(bina.get(path), path, name_missing="1")
    run(house, "bundles")

    page = bina.get(sent.answer.headers["Location"])
    link = re.search(r'href="(/verify[^"]+)"', page.html)
    assert link is not None
    assert "This server made an evidence bundle with this hash." in bina.get(link[1]).text
    clock.move(seconds=5 * 60)
    file = sent.answer.headers["Location"] + "/file"
    asked = bina.send(page, file)
    given = bina.client.post(file, data={**asked.forms[file], "proof_password": PASSWORD})
    assert (asked.status, asked.answer.mimetype) == (401, "text/html")
    assert hashlib.sha256(given.data).hexdigest() in link[1]


def test_file_is_taken_out_by_the_filter(desk: Desk, report: Report) -> None:
    bina, path = desk("bina"), "/console/exports/file"

    page = bina.get("/console/exports")
    table = bina.send(page, path, file="seizures.csv", kind="buffalo")
    none = bina.send(page, path, file="seizures.csv", kind="goat")

    assert "Reports as a table" in page.text
    assert report["reference"] in table.html
    assert report["reference"] not in none.html
    assert bina.send(page, path, file="nonsense").status == 404
    assert bina.send(page, path, file="seizures.csv", kind="x").status == 400


def test_browser_left_open_takes_nothing_out(
    desk: Desk, clock: StoppedClock, report: Report
) -> None:
    bina, path = desk("bina"), "/console/exports/file"
    page = bina.get("/console/exports")
    clock.move(seconds=5 * 60)

    asked = bina.send(page, path, file="seizures.csv", kind="buffalo")
    given = bina.send(asked, path, proof_password=PASSWORD)

    assert asked.status == 401
    assert report["reference"] not in asked.html
    assert report["reference"] in given.html
    assert bina.client.get(f"{path}?file=seizures.csv").status_code == 405
