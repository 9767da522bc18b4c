"""The admin's pages, by forms alone: people, cards, scales, closed days, the statute, health."""

from __future__ import annotations

import io
import json
import re
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import select

from fieldapi.ids import new_id
from fieldapi.models import ClosedDay, Membership, Notification, Pound, StatuteConfirmation
from fieldapi.unit import Database
from tests.integration.console.conftest import Desk
from tests.support.clock import StoppedClock
from tests.support.desk import PASSWORD, Browser, Page, at_desk
from tests.support.house import client_with
from tests.support.personas import Village, add_persona

PAGES = ("", "/people", "/register", "/pounds", "/places", "/calendars", "/statute", "/health")
SCALE = {"kind": "feeding_rates", "number": "DP/12", "effective_from": "2026-12-01"}


@pytest.fixture
def admin(desk: Desk) -> Browser:
    """The browser of the admin."""
    return desk("admin")


def sent(browser: Browser, path: str, action: str = "", **typed: str) -> Page:
    page = browser.get(f"/console/admin{path}")
    return browser.send(page, f"/console/admin{action or path}", **typed)


@pytest.mark.parametrize("language", ["en", "ml"])
def test_every_page_opens_for_the_admin_alone(admin: Browser, desk: Desk, language: str) -> None:
    admin.send(admin.get("/console/"), "/console/language", language=language)
    mohan = desk("mohan")

    assert {admin.get(f"/console/admin{one}").status for one in PAGES} == {200}
    refused, missing = mohan.get("/console/admin"), mohan.get("/console/nowhere")
    assert (refused.status, missing.status) == (403, 404)
    for page in (refused, missing):
        assert ("/console/sign-out" in page.forms, "Mohan" in page.text) == (True, True)
    assert mohan.get("/console/admin/health").status == 403


def test_phones_are_counted_as_they_are_listed(
    admin: Browser, database: Database, village: Village
) -> None:
    add_persona(database, village.rjk, "mira", role="reporter", is_confirmed=False)

    listed = admin.get("/console/phones").html.count('id="phone-')

    assert f'class="tile__figure">{listed}</p>' in admin.get("/console/admin").html
    assert "1 waits to be confirmed." in admin.get("/console/admin").text


def test_person_gets_roles_and_loses_them(
    admin: Browser, database: Database, clock: StoppedClock
) -> None:
    bare = sent(admin, "/people", name="Leela Vaghela")
    added = sent(admin, "/people", name="Leela Vaghela", role="reviewer")
    path = added.answer.headers["Location"]
    page = admin.get(path)

    assert "Choose at least one role." in bare.text
    assert "Reviewer" in page.text
    ending = next(one for one in page.forms if one.endswith("/end"))
    clock.now += timedelta(minutes=1)
    admin.send(page, ending)
    assert "ended" in admin.get(path).text
    with database.read() as session:
        ended = select(Membership).where(Membership.ends_at.is_not(None))
        assert [one.role for one in session.scalars(ended)] == ["reviewer"]


def test_link_to_the_console_is_shown_once(admin: Browser, village: Village, app: Flask) -> None:
    path = f"/people/{village['kanta'].person_id}"
    made = sent(admin, path, f"{path}/invite", sign_in="kanta.rjk")
    link = re.search(r"/console/welcome/[\w-]+", made.html)

    assert link is not None
    assert Browser(client_with(app)).get(link[0]).status == 200
    assert "/console/welcome/" not in admin.get(f"/console/admin{path}").html


def test_card_shows_its_code_until_it_is_over(
    admin: Browser, village: Village, clock: StoppedClock, desk: Desk
) -> None:
    path = f"/people/{village['asha'].person_id}"
    card = sent(admin, path, f"{path}/card").answer.headers["Location"]
    first, printed = admin.get(card), admin.get(f"{card}/card.html")
    clock.now += timedelta(hours=25)
    later = desk("admin").get(card)

    assert "Good once, for 24 hours more" in first.text
    assert "<svg" in first.html
    assert first.answer.headers["Refresh"] == "60"
    assert "Asha" in printed.text
    assert "The card is over." in later.text
    assert "<svg" not in later.html


def test_browser_left_open_shows_no_card(
    admin: Browser, village: Village, clock: StoppedClock
) -> None:
    path = f"/people/{village['asha'].person_id}"
    card = sent(admin, path, f"{path}/card").answer.headers["Location"]
    clock.now += timedelta(minutes=6)
    hidden, printed = admin.get(card), admin.get(f"{card}/card.html")
    asked = admin.send(hidden, f"{card}/show")
    shown = admin.send(asked, f"{card}/show", proof_password=PASSWORD)

    assert ("<svg" in hidden.html, "Show the card" in hidden.text) == (False, True)
    assert "Refresh" not in hidden.answer.headers
    assert printed.answer.headers["Location"] == card
    assert "Your password again" in asked.text
    assert shown.status == 303
    assert "<svg" in admin.get(card).html


def test_scale_is_looked_at_before_it_is_entered(admin: Browser, database: Database) -> None:
    looked = sent(admin, "/register", **SCALE, **{"rate.buffalo": "55.50"})
    entered = admin.send(looked, "/console/admin/register/enter")

    assert "2 buffaloes × 3 days = ₹333.00" in looked.text
    assert entered.status == 303
    assert "DP/12 · in force from 1 Dec 2026" in admin.get("/console/admin/register").text
    with database.read() as session:
        assert len(session.scalars(select(Notification)).all()) == 1


def test_scale_without_a_rate_is_refused(admin: Browser) -> None:
    empty = sent(admin, "/register", **SCALE)
    wrong = sent(admin, "/register", **SCALE, **{"rate.cow": "forty"})

    assert (empty.status, wrong.status) == (422, 422)
    assert "Write rupees in digits" in wrong.text


RING = [[70.7, 22.2], [70.9, 22.2], [70.9, 22.4], [70.7, 22.2]]
FIELDS = {"type": "Feature", "properties": {"owner": "Ramesh"}, "geometry": None}


def drawn(ring: list[list[float]]) -> str:
    shape = {"type": "Polygon", "coordinates": [ring]}
    return json.dumps({**FIELDS, "geometry": shape})


def test_limits_of_an_area_are_seen_on_a_map_before_they_count(
    admin: Browser, database: Database
) -> None:
    typed = {**SCALE, "kind": "section_189", "area": "Nyari"}
    page = admin.get("/console/admin/register")
    form = {**page.forms["/console/admin/register"], **typed}
    form["polygon_file"] = (io.BytesIO(b"\xef\xbb\xbf" + drawn(RING).encode()), "nyari.geojson")
    looked = Page(admin.client.post("/console/admin/register", data=form))
    entered = admin.send(looked, "/console/admin/register/enter")

    assert (looked.status, entered.status) == (200, 303)
    assert '<path class="map__area" d="M' in looked.html
    assert "3 corners; 21 km from west to east, 22 km from south to north" in looked.text
    assert "were exchanged" not in looked.text
    assert "Limits on the map" in admin.get("/console/admin/register").text
    with database.read() as session:
        kept = json.loads(session.scalars(select(Notification)).one().data)
    assert kept == {"polygon": {"type": "MultiPolygon", "coordinates": [[RING]]}}


def test_limits_that_cannot_be_right_are_told(admin: Browser) -> None:
    typed = {**SCALE, "kind": "section_189", "area": "Nyari"}
    turned = drawn([[lat, lon] for lon, lat in RING])
    wrong = {
        "a map": "This is no GeoJSON",
        '{"type":"Point","coordinates":[70,22]}': "There is no Polygon",
        drawn([RING[0]] * 4): "enclose nothing",
        drawn(RING[:3]): "Each ring needs four positions",
        drawn([[500000.0, 2460000.0]] * 4): "A position is longitude, then latitude, in degrees.",
    }
    pages = {
        said: sent(admin, "/register", **typed, polygon=given) for given, said in wrong.items()
    }

    assert [said for said, page in pages.items() if said not in page.text] == []
    assert {page.status for page in pages.values()} == {422}
    unnamed = sent(admin, "/register", **{**typed, "area": ""}, polygon=drawn(RING))
    assert (unnamed.status, "has a name" in unnamed.text) == (422, True)
    assert "were exchanged" in sent(admin, "/register", **typed, polygon=turned).text


def test_progressive_scale_is_typed_as_a_table(admin: Browser, database: Database) -> None:
    table = "Cows,1,4,1,1,50\n,1,,3,,150%\n"
    wrong = sent(admin, "/register", **{**SCALE, "kind": "fee_schedule"}, tiers="yak,,,,,5\n")
    looked = sent(admin, "/register", **{**SCALE, "kind": "fee_schedule"}, tiers=table)
    admin.send(looked, "/console/admin/register/enter")

    assert "Line 1: No kind of animal is called “yak”." in wrong.text
    assert "Cow, 1–4 head, time 1 ₹50.00 Any kind, 1+ head, time 3+ 150 %" in looked.text
    with database.read() as session:
        kept = json.loads(session.scalars(select(Notification)).one().data)
    assert kept["rates"][1] == {"kind": None, "head_from": 1, "times_from": 3, "percent": 150}


def test_pound_is_added_once_however_often_the_form_is_sent(
    admin: Browser, database: Database
) -> None:
    page = admin.get("/console/admin/pounds")
    typed = {"name": "Nyari", "lat": "22.25", "lon": "70.75"}
    path = "/console/admin/pounds"
    statuses = [admin.send(page, path, **typed).status for _ in range(2)]

    assert statuses == [303, 303]
    with database.read() as session:
        named = select(Pound).where(Pound.name == "Nyari")
        assert len(session.scalars(named).all()) == 1
    assert sent(admin, "/pounds", **{**typed, "lat": "north"}).status == 422


def test_places_come_from_a_pasted_table_or_none_of_them(admin: Browser) -> None:
    good = "name\tlocal_name\tlat\tlon\nNyari\tન્યારી\t22.25\t70.75\nKotda\t\t\t\n"
    wrong = sent(admin, "/places", table="Nyari,,north,70.75\n")
    half = sent(admin, "/places", table=f"{good}Half\t\t22.2\t\n")
    empty = sent(admin, "/places", table="name\n")
    taken = [sent(admin, "/places", table=good).status for _ in range(2)]

    page = admin.get("/console/admin/places").text
    assert (wrong.status, half.status, empty.status, taken) == (422, 422, 422, [303, 303])
    assert "Line 1: Write degrees as a number" in wrong.text
    assert "Line 4:" in half.text
    assert "2 places" in page
    assert "Nyari ન્યારી 22.25000, 70.75000" in page


def test_day_is_closed_for_office_and_pound(admin: Browser, database: Database) -> None:
    sent(admin, "/calendars", day="2026-12-25", reason="Christmas")

    assert "25 Dec 2026 · Christmas Office and pound" in admin.get("/console/admin/calendars").text
    sent(admin, "/calendars", day="2026-12-25", step="open")
    with database.read() as session:
        assert session.scalars(select(ClosedDay)).all() == []


def test_value_is_confirmed_by_two_persons(
    admin: Browser, app: Flask, database: Database, village: Village
) -> None:
    page = admin.get("/console/admin/statute")
    sent(admin, "/statute", source="Gazette of 1994, p. 12")
    named = admin.get("/console/admin/statute")
    second = add_persona(database, village.rjk, "hetal", role="admin")
    hetal = at_desk(app, database, second)
    theirs = hetal.get("/console/admin/statute")
    confirming = next(one for one in theirs.forms if one.endswith("/second"))

    assert "not verified" in page.text
    steps = "Value to compare: The step that is reached counts for all heads"
    assert f"How the steps of a scale count not verified {steps}" in page.text
    assert "A second person has to compare it." in named.text
    assert not [one for one in named.forms if one.endswith("/second")]
    assert hetal.send(theirs, confirming).status == 303
    with database.read() as session:
        assert session.scalars(select(StatuteConfirmation)).one().second_by == second.person_id


def test_limits_come_from_geojson_and_are_seen_before_they_count(admin: Browser) -> None:
    wrong = sent(admin, "/pounds", "/area", polygon="a map")
    empty = sent(admin, "/pounds", "/area")
    looked = sent(admin, "/pounds", "/area", polygon=drawn(RING))
    before = admin.get("/console/admin/pounds").text
    entered = admin.send(looked, "/console/admin/area/draw")

    assert (wrong.status, empty.status, looked.status) == (422, 422, 200)
    assert "This is no GeoJSON" in wrong.text
    assert ">a map</textarea>" in wrong.html
    assert "3 corners; 21 km from west to east" in looked.text
    assert "No limits are drawn yet" in before
    assert entered.status == 303
    assert "Limits are drawn." in (after := admin.get("/console/admin/pounds")).text
    assert "map__area" in after.html


def test_person_of_others_is_not_there(admin: Browser, village: Village) -> None:
    theirs = village["chetan"].person_id

    assert admin.get(f"/console/admin/people/{theirs}").status == 404


def test_card_that_never_was_is_shown_to_nobody(admin: Browser) -> None:
    secret = {"csrf_token": admin.get("/console/admin").forms["/console/sign-out"]["csrf_token"]}

    shown = admin.client.post(f"/console/admin/enrolments/{new_id()}/show", data=secret)

    assert shown.status_code == 404


def test_form_comes_as_its_page_takes_it(admin: Browser) -> None:
    form = admin.get("/console/admin/people").forms["/console/admin/people"]
    said = {**form, "name": "Leela Vaghela", "role": "reviewer"}

    parts = admin.client.post(
        "/console/admin/people", data=said, content_type="multipart/form-data"
    )
    plain = admin.client.post("/console/admin/people", data=said)

    assert (parts.status_code, "<h1" in parts.text, plain.status_code) == (415, True, 303)
