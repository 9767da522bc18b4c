"""Complaints at the desk: taken in, laid beside the record, found on, decided by two people."""

from __future__ import annotations

import json

import pytest
from flask import Flask
from sqlalchemy import select

from fieldapi.models import Act
from fieldapi.unit import Database
from tests.integration.console.conftest import Desk
from tests.support.clock import StoppedClock
from tests.support.desk import Browser, Page, at_counter
from tests.support.pound_house import PoundHouse, found_pound

LIST = "/console/complaints"
WORDS = "They were on the road, not in the field."


@pytest.fixture
def pound(app: Flask, database: Database, clock: StoppedClock) -> PoundHouse:
    """A pound in Kerala, where the Secretary decides."""
    return found_pound(app, database, clock, "kerala")


@pytest.fixture
def case(pound: PoundHouse) -> str:
    """Two cows in the pound."""
    made = pound.seize({"cow": 2})
    pound.take_in(made, {"cow": 2})
    return made


def complain(browser: Browser, case: str, **typed: str) -> Page:
    form = f"/console/cases/{case}/complaint"
    said = {"name": "Ramesh Parmar", "text": WORDS, "on-place": "1", "said-place": "On the road."}
    return browser.send(browser.get(form), form, **{**said, **typed})


def test_complaint_is_taken_in_and_laid_beside_the_record(
    pound: PoundHouse, database: Database, case: str
) -> None:
    reviewer = at_counter(pound, "reviewer")

    came = {"agent": "Vasant", "is_acquainted": "1", "against": "Thomas", "part": "detainer"}
    wrong = complain(reviewer, case, made_on="tomorrow")
    sent = complain(reviewer, case, **came)
    page = reviewer.get(sent.answer.headers["Location"])
    receipt = reviewer.get(f"{sent.answer.headers['Location']}/receipt.html")

    assert (wrong.status, sent.status, page.status, receipt.status) == (422, 303, 200, 200)
    assert "Write the day." in wrong.text
    assert "Thomas (who held the cattle)" in page.text
    assert all(one in receipt.text for one in ("Vasant", "Thomas", WORDS, "In time"))
    assert "Complaint of Ramesh Parmar" in page.text
    assert "In time" in page.text
    assert "What the complainant says On the road." in page.text
    assert "Place on the map 22.30391, 70.80216" in page.text
    assert "Ramesh Parmar" in reviewer.get(LIST).text
    assert "made 30 Nov 2026" in reviewer.get(f"/console/cases/{case}").text


def test_complaint_sent_twice_is_taken_in_once(
    pound: PoundHouse, database: Database, case: str
) -> None:
    reviewer, form = at_counter(pound, "reviewer"), f"/console/cases/{case}/complaint"
    page, said = reviewer.get(form), {"name": "Ramesh Parmar", "text": WORDS}

    first, second = (reviewer.send(page, form, **said) for _ in range(2))
    other = reviewer.send(page, form, **{**said, "text": "Something else."})
    long_ago = reviewer.send(page, form, **said, made_on="0001-01-01")

    assert (first.status, second.status, other.status, long_ago.status) == (303, 303, 409, 422)
    assert first.answer.headers["Location"] == second.answer.headers["Location"]
    assert reviewer.get(LIST).text.count("Ramesh Parmar") == 1


def test_complaint_without_words_or_name_comes_back_as_typed(
    pound: PoundHouse, database: Database, case: str
) -> None:
    reviewer = at_counter(pound, "reviewer")

    page = complain(reviewer, case, name="", text=WORDS, is_verbal="1")

    assert page.status == 422
    assert "Say who complains." in page.text
    assert "who wrote it down" in page.text
    assert WORDS in page.text


def test_finding_needs_a_reason_and_stands_beside_its_allegation(
    pound: PoundHouse, database: Database, case: str
) -> None:
    reviewer = at_counter(pound, "reviewer")
    where = complain(reviewer, case).answer.headers["Location"]
    find = f"{where}/acts/find"

    none = reviewer.send(reviewer.get(where), find, found="supported")
    done = reviewer.send(reviewer.get(where), find, found="not_supported", text="GPS says field.")

    assert (none.status, done.status) == (409, 303)
    assert "Nothing was done" in none.text
    page = reviewer.get(where).text
    assert "The record speaks against it : GPS says field." in page
    said = "Found: The record speaks against it. Reason: GPS says field."
    assert f"1. It was at another place. {said}" in page
    assert "For these reasons it is ordered:" in page


def test_order_of_the_secretary_waits_for_a_second_person(
    pound: PoundHouse, database: Database, case: str
) -> None:
    reviewer, decider = (at_counter(pound, one) for one in ("reviewer", "decider"))
    where = complain(reviewer, case).answer.headers["Location"]
    text = {"outcome": "dismissed", "text": "No ground was shown."}
    decider.send(decider.get(where), f"{where}/acts/examine", text="Heard.")
    found = {"found": "not_supported", "text": "GPS says field."}
    reviewer.send(reviewer.get(where), f"{where}/acts/find", **found)

    drafted = decider.send(decider.get(where), f"{where}/acts/order", **text)
    alone = decider.send(decider.get(where), f"{where}/acts/confirm_order", text="So be it.")
    both = reviewer.send(reviewer.get(where), f"{where}/acts/confirm_order", text="So be it.")

    assert (drafted.status, alone.status, both.status) == (303, 403, 303), drafted.text
    assert "Another person than the one who wrote the order" in alone.text
    assert "Dismissed" in reviewer.get(where).text.partition("What the complaint says")[0]


def test_order_may_be_for_some_of_the_heads_only(
    app: Flask, database: Database, clock: StoppedClock
) -> None:
    pound = found_pound(app, database, clock, "karnataka")
    case = pound.seize({"cow": 2})
    pound.take_in(case, {"cow": 2})
    first, other = (one["id"] for one in pound.case(case)["custody"])
    decider = at_counter(pound, "decider")
    where = complain(decider, case).answer.headers["Location"]
    act = f"{where}/acts/record_order"
    said = {"outcome": "illegal", "order_no": "12/2026", "by": "The Magistrate", "custody": first}

    form = decider.get(where)
    wrong = decider.send(form, act, **{**said, "outcome": "lawful"})
    asked = decider.send(wrong, act, **said)
    kept = decider.send(asked, act, **said, reason="They stay until they are fetched.")

    assert f'value="{other}">' in form.html
    assert f'value="{first}" checked' in wrong.html
    assert (wrong.status, kept.status) == (422, 303), kept.text
    with database.read() as session:
        order = session.scalars(select(Act).where(Act.act == "record_order")).one()
    assert json.loads(order.heads) == [first]


def test_keeper_takes_no_part(desk: Desk) -> None:
    assert desk("mohan").get(LIST).status == 403


def test_empty_list_says_where_a_complaint_begins(desk: Desk) -> None:
    assert "No complaint has been made" in desk("bina").get(LIST).text
