"""Many hands on one head: one of them wins, by constraint, and nobody pays or sells twice."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from flask import Flask
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from fieldapi.ids import new_id
from fieldapi.models import Act, Disposition, Serial, SerialSeries
from fieldapi.unit import Database
from tests.support.house import client_with
from tests.support.pound_house import PoundHouse

HANDS = {"sqlite": 24, "postgresql": 100}


def _impounded(house: PoundHouse) -> tuple[str, str]:
    """Return a case with one cow of Ramesh in the pound, and the head."""
    house.at("2027-03-02 09:00")
    case = house.seize({"cow": 1})
    house.take_in(case, {"cow": 1})
    house.done(case, "identify", party="Ramesh", pick=[{"kind": "cow", "n": 1}])
    return case, house.case(case)["custody"][0]["id"]


@pytest.mark.database
def test_one_of_many_releases_wins(
    gujarat: PoundHouse, app: Flask, database: Database, database_kind: str
) -> None:
    case, head = _impounded(gujarat)
    due = gujarat.case(case)["dues"][0]["total"]
    hands = HANDS[database_kind]
    start, token = Barrier(hands), gujarat.people["keeper"].token
    party = gujarat.party("Ramesh")

    def release(_: int) -> int:
        body = {
            "id": new_id(),
            "act": "release",
            "party": party,
            "custody": [head],
            "paid_paise": due,
            "declaration": "signed",
        }
        start.wait()
        return client_with(app, token).post(f"/api/v1/cases/{case}/acts", json=body).status_code

    with ThreadPoolExecutor(hands) as pool:
        statuses = Counter(pool.map(release, range(hands)))

    assert statuses == {201: 1, 409: hands - 1}
    with database.read() as session:
        assert session.scalar(select(func.count()).select_from(Disposition)) == 1
        receipts = select(func.count()).select_from(Serial).where(Serial.book == "receipt")
        assert session.scalar(receipts) == 1


@pytest.mark.database
def test_database_itself_refuses_a_second_end(gujarat: PoundHouse, database: Database) -> None:
    case, head = _impounded(gujarat)
    gujarat.done(case, "escaped", custody=[head])
    with database.read() as session:
        other = session.scalar(select(Act.id).where(Act.act == "impound"))

    def again() -> None:
        with database.unit() as unit:
            row = Disposition(
                authority_id=gujarat.authority_id,
                custody_id=head,
                act_id=str(other),
                became="sold",
                at=unit.now,
                undone_by=None,
            )
            unit.session.add(row)
            unit.session.flush()

    with pytest.raises(IntegrityError):
        again()


@pytest.mark.database
def test_serials_have_no_gap_under_many_hands(
    gujarat: PoundHouse, app: Flask, database: Database
) -> None:
    gujarat.at("2027-03-02 09:00")
    cases = [gujarat.seize({"cow": 1}) for _ in range(12)]
    for case in cases[:4]:
        gujarat.take_in(case, {"cow": 1})

    def take_in(case: str) -> int:
        body = {"id": new_id(), "act": "impound", "pound": gujarat.pound_id}
        token = gujarat.people["keeper"].token
        return client_with(app, token).post(f"/api/v1/cases/{case}/acts", json=body).status_code

    with ThreadPoolExecutor(12) as pool:
        statuses = Counter(pool.map(take_in, cases))

    assert statuses == {201: 8, 409: 4}
    with database.read() as session:
        numbers = session.scalars(select(Serial.number).where(Serial.book == "register")).all()
        last = session.scalar(select(SerialSeries.last).where(SerialSeries.book == "register"))
    assert (sorted(numbers), last) == (list(range(1, 13)), 12)


def test_series_rolls_back_with_its_act(gujarat: PoundHouse, database: Database) -> None:
    case, _ = _impounded(gujarat)
    refused = gujarat.act(case, "release", party="Ramesh", paid_paise=1)

    assert refused.status_code == 409
    with database.read() as session:
        books = set(session.scalars(select(SerialSeries.book)))
    assert books == {"register"}
