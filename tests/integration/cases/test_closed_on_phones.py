"""A closed case goes from the phones of others, and stays with whoever wrote it; one that is opened
again comes back whole.
"""

from __future__ import annotations

import pytest
from flask import Flask

from fieldapi.ids import new_id
from fieldapi.unit import Database
from tests.support.house import Client
from tests.support.personas import add_persona
from tests.support.phones import Change, TestPhone, phone_of
from tests.support.pound_house import PoundHouse

SHORT = {"seizure", "animal"}
WHOLE = SHORT | {"intake"}


@pytest.fixture
def staff(app: Flask, database: Database, gujarat: PoundHouse) -> TestPhone:
    """The phone of somebody else in the field."""
    persona = add_persona(database, gujarat.authority_id, "kanta", role="reporter")
    return phone_of(app, persona)


def told(changes: list[Change], what: str) -> set[str]:
    return {one["kind"] for one in changes if one["what"] == what}


def phones(app: Flask, house: PoundHouse, *names: str) -> list[TestPhone]:
    return [phone_of(app, house.people[name]) for name in names]


def impounded(house: PoundHouse) -> str:
    """Return a case with one cow that stands in the pound."""
    house.at("2027-03-02 08:00")
    case = house.seize({"cow": 1})
    house.at("2027-03-02 09:00")
    house.take_in(case, {"cow": 1})
    return case


def close(house: PoundHouse, case: str) -> None:
    """End a case: its only head dies."""
    head = house.case(case)["custody"][0]["id"]
    house.done(case, "died", custody=[head])
    assert house.case(case)["state"] == "closed"


def test_closed_case_goes_from_phones_of_others_alone(
    app: Flask, gujarat: PoundHouse, staff: TestPhone
) -> None:
    case = impounded(gujarat)
    keeper, author, reviewer = phones(app, gujarat, "keeper", "reporter", "reviewer")
    for phone in (keeper, author, reviewer, staff):
        phone.pull()

    close(gujarat, case)

    # The keeper wrote the intake: it stays with them.
    assert (told(keeper.pull(), "closed"), told(staff.pull(), "closed")) == (SHORT, SHORT)
    for phone in (author, reviewer):
        assert {one["what"] for one in phone.pull()} <= {"put"}
    assert gujarat.as_("keeper").get(f"/api/v1/cases/{case}").status_code == 200


def test_case_that_is_opened_again_comes_back_whole(
    app: Flask, gujarat: PoundHouse, staff: TestPhone
) -> None:
    case = impounded(gujarat)
    close(gujarat, case)
    (keeper,) = phones(app, gujarat, "keeper")
    assert told(keeper.pull(), "put") == {"intake"}
    assert told(staff.pull(), "put") == set()

    gujarat.done(case, "reopen", by="decider", order_no="17")

    assert told(keeper.pull(), "put") == SHORT
    assert told(staff.pull(), "put") == SHORT


def test_closed_case_that_changes_pounds_is_nobodys_news(
    app: Flask, gujarat: PoundHouse, staff: TestPhone
) -> None:
    case = impounded(gujarat)
    close(gujarat, case)
    keeper, author = phones(app, gujarat, "keeper", "reporter")
    for phone in (keeper, author, staff):
        phone.pull()

    _send_on(gujarat.as_("reporter"), case)

    assert (keeper.pull(), staff.pull()) == ([], [])
    assert told(author.pull(), "put") == {"seizure"}


def _send_on(reporter: Client, case: str) -> None:
    known = reporter.get(f"/api/v1/seizures/{case}")
    body = {"op": new_id(), "pound_id": new_id()}
    answer = reporter.patch(
        f"/api/v1/seizures/{case}", json=body, headers={"If-Match": known.headers["ETag"]}
    )
    assert answer.status_code == 200, answer.json
