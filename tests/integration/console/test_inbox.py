"""The reviewer's inbox: what cannot wait stands first, one filter serves three views, and several
reports are taken up at once, each by itself.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event

from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.models import Authority, Urgency
from fieldapi.services import urgencies
from fieldapi.unit import Database, Unit
from tests.integration.console.conftest import Desk, Report
from tests.support.desk import CONSOLE, Page
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.reports import FIELD, animal_body, seizure_body

HOUR = timedelta(hours=1)


def seized(as_person: AsPerson, hours_ago: int, who: str = "asha", **changes: Any) -> Report:
    at = datetime(2026, 11, 30, 6, tzinfo=UTC) - hours_ago * HOUR
    body = seizure_body(seized_at=at.isoformat().replace("+00:00", "Z"), photos=[], **changes)
    answer = as_person(who).post("/api/v1/seizures", json=body)
    assert answer.status_code == 201, answer.json
    made: Report = answer.json
    return made


def ranked(house: House, database: Database, village: Village) -> None:
    """Let the job look, under an Act that sets hours to the pound."""

    def work(unit: Unit) -> None:
        unit.session.get_one(Authority, village.rjk).statute = "karnataka"
        urgencies.rank(unit, house.packs, village.rjk)
        unit.session.get_one(Authority, village.rjk).statute = "gujarat"

    database.transact(work)


def order(text: str, *references: str) -> list[str]:
    return sorted(references, key=text.index)


def test_nearest_deadline_stands_first_and_says_how_long(
    desk: Desk, as_person: AsPerson, house: House, database: Database, village: Village
) -> None:
    late, soon, calm = (seized(as_person, hours)["reference"] for hours in (30, 20, 1))
    ranked(house, database, village)

    text = desk("bina").get(CONSOLE).text

    assert order(text, calm, soon, late) == [late, soon, calm]
    assert "4 hours ago · the time to bring them to a pound has ended" in text
    assert "6 hours left to bring them to a pound" in text


def test_report_that_nothing_ranked_yet_stands_before_all(
    desk: Desk, as_person: AsPerson, house: House, database: Database, village: Village
) -> None:
    late = seized(as_person, 30)["reference"]
    ranked(house, database, village)
    fresh = seized(as_person, 1)["reference"]

    assert order(desk("bina").get(CONSOLE).text, late, fresh) == [fresh, late]


def test_rejected_report_is_not_urgent(
    desk: Desk, as_person: AsPerson, house: House, database: Database, village: Village
) -> None:
    late = seized(as_person, 30)
    body = {"id": "01a2f8b1-0c3e-7c1a-8f2d-3f1f0a9b8c7d", "seizure": late["id"]}
    bina = as_person("bina")
    said = bina.post("/api/v1/reviews", json={**body, "outcome": "rejected", "reason": "Twice."})
    assert said.status_code == 201, said.json
    ranked(house, database, village)

    assert "to bring them to a pound" not in desk("bina").get(CONSOLE).text


@pytest.mark.parametrize(
    "query, found", [("due=1", "late"), ("conflict=1", ""), ("view=map&due=1", "late")]
)
def test_what_the_reviewer_looks_for_is_a_link(
    desk: Desk,
    as_person: AsPerson,
    house: House,
    database: Database,
    village: Village,
    query: str,
    found: str,
) -> None:
    references = {
        "late": seized(as_person, 30)["reference"],
        "calm": seized(as_person, -90)["reference"],
    }
    ranked(house, database, village)

    text = desk("bina").get(f"{CONSOLE}?{query}").text

    assert [name for name, one in references.items() if one in text] == found.split()


def test_three_views_share_filter_and_count(desk: Desk, as_person: AsPerson) -> None:
    for place in (FIELD, {**FIELD, "lat": 22.4}):
        seized(as_person, 1, location=place)
    bina = desk("bina")

    pages = [bina.get(f"{CONSOLE}?state=received&view={one}") for one in ("table", "map", "photos")]

    assert all("2 reports" in page.text for page in pages)
    assert pages[1].html.count('class="map__point"') == 2
    assert "state=received&amp;view=map" in pages[0].html


def test_map_that_moves_shows_what_the_list_shows(
    desk: Desk, as_person: AsPerson, report: Report
) -> None:
    seized(as_person, 1, animals=[animal_body("goat", 1)])
    bina = desk("bina")

    found = bina.client.get("/console/reports.geojson?kind=buffalo").get_json()["features"]

    places = [one["geometry"] for one in found if one["properties"]["kind"] == "seizure"]
    assert places == [{"type": "Point", "coordinates": [FIELD["lon"], FIELD["lat"]]}]
    assert bina.client.get("/console/reports.geojson?kind=unicorn").status_code == 400


def test_several_reports_are_taken_up_after_one_look(desk: Desk, as_person: AsPerson) -> None:
    ids = [seized(as_person, hours)["id"] for hours in (1, 2)]
    bina = desk("bina")
    form = {**bina.get(CONSOLE).forms["/console/bulk"], "case": ids}

    page = bina.client.post("/console/bulk", data=form).get_data(as_text=True)
    pairs = [part.partition('"')[0] for part in page.split('name="take" value="')[1:]]
    sent = {"csrf_token": form["csrf_token"], "back": CONSOLE, "take": pairs}
    for _ in range(2):
        assert bina.client.post("/console/bulk/under-review", data=sent).status_code == 303

    assert "Take up 2 reports" in page
    assert "2 reports are under review in your name." in bina.get(CONSOLE).text
    assert len(as_person("bina").get("/api/v1/reviews").json["items"]) == 2


def test_marked_reports_are_given_to_one_reviewer_each_in_the_ledger(
    desk: Desk, as_person: AsPerson, village: Village
) -> None:
    ids = [seized(as_person, hours)["id"] for hours in (1, 2)]
    own = seized(as_person, 3, "ravi")["id"]
    bina, ravi = desk("bina"), village["ravi"].person_id
    form = {**bina.get(CONSOLE).forms["/console/bulk"], "case": [*ids, own]}
    page = Page(bina.client.post("/console/bulk", data=form))
    given = page.forms["/console/bulk/assignment"]

    sent = [
        bina.client.post("/console/bulk/assignment", data={**given, "to": to}).status_code
        for to in (village["bina"].person_id, village["bina"].person_id, ravi)
    ]

    assert "Give out 3 reports" in page.text
    assert sent == [303, 303, 303]
    mine = bina.get(f"{CONSOLE}?mine=1").text
    assert "3 reports" in mine
    assert "The others were not given" in mine
    many = bina.client.post("/console/bulk/assignment", data={**given, "give": ["x/y"] * 51})
    assert many.status_code == 400


def test_own_view_is_kept_by_name_and_removed_by_its_owner_alone(desk: Desk) -> None:
    bina, mohan = desk("bina"), desk("mohan")
    page = bina.get(f"{CONSOLE}?state=received&q=RJK&after=old")
    for _ in range(2):
        bina.send(page, "/console/views", name="Mornings")
    kept = bina.get(CONSOLE)
    removal = next(one for one in kept.forms if one.endswith("/remove"))
    nameless = bina.send(page, "/console/views", name=" ")
    secret = {"csrf_token": mohan.get(CONSOLE).forms["/console/sign-out"]["csrf_token"]}

    assert nameless.status == 303
    assert kept.html.count('class="saved__own" href="/console/?state=received&amp;q=RJK"') == 1
    assert "Mornings" not in mohan.get(CONSOLE).text
    assert mohan.client.post(removal, data=secret).status_code == 404
    assert bina.send(kept, removal).status == 303
    assert "Mornings" not in bina.get(CONSOLE).text


def test_bulk_leaves_out_what_cannot_be_taken_up_and_is_bounded(
    desk: Desk, as_person: AsPerson, report: Report, database: Database
) -> None:
    bina, more = desk("bina"), seized(as_person, 1)["id"]
    form = bina.get(CONSOLE).forms["/console/bulk"]
    asked: list[str] = []
    event.listen(database.engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    counts = []
    for ids in ([report["id"]], [report["id"], more]):
        asked.clear()
        bina.client.post("/console/bulk", data={**form, "case": ids})
        counts.append(len(asked))
    gone = bina.client.post("/console/bulk", data={**form, "case": [new_id()]})

    assert counts[0] == counts[1] < 16, asked
    assert gone.status_code == 404

    none = bina.client.post("/console/bulk", data=form)
    many = bina.client.post("/console/bulk", data={**form, "case": ["x"] * 51})

    assert "No report is marked" in none.get_data(as_text=True)
    assert many.status_code == 400


def test_places_in_the_order_are_one_row_each(
    as_person: AsPerson, database: Database, report: Report
) -> None:
    with database.read() as session:
        row = session.query(Urgency).one()

    assert (row.seizure_id, row.is_ranked) == (report["id"], False)
