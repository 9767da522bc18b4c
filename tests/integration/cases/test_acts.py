"""Acts that are refused, doubted, checked, recorded, sent twice: what is told, and what changes."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select

from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.jobs import JobRunner
from fieldapi.locale import gettext
from fieldapi.models import Act, Custody, Disposition, MoneyLine
from fieldapi.pending import runner_of
from fieldapi.unit import Database
from tests.support.clock import StoppedClock
from tests.support.ledgers import entries_of
from tests.support.pound_house import PoundHouse, found_pound, rates
from tests.support.register import open_key
from tests.support.reports import FIELD

NOT_ALLOWED = "urn:fieldapi:problem:act-not-allowed"
NEEDS_REASON = "urn:fieldapi:problem:act-needs-reason"
COW: list[dict[str, Any]] = [{"kind": "cow", "n": 1}]


def _kept(house: PoundHouse, owner: str | None = "Ramesh", **animals: int) -> str:
    """Return a case whose cattle stand in the pound since the morning of 2 March."""
    herd = animals or {"cow": 2}
    house.at("2027-03-02 08:00")
    case = house.seize(herd)
    house.at("2027-03-02 09:00")
    house.take_in(case, herd)
    if owner is not None:
        house.done(case, "identify", party=owner)
    return case


def _rows(database: Database) -> tuple[int, ...]:
    with database.read() as session:
        return tuple(
            session.scalar(select(func.count()).select_from(table)) or 0
            for table in (Act, MoneyLine, Disposition, Custody)
        )


def test_too_early_sale_names_rule_and_first_moment(gujarat: PoundHouse) -> None:
    case = _kept(gujarat, owner=None)
    told = gujarat.act(case, "hold_auction", by="decider")

    assert (told.status_code, told.json["type"]) == (409, NOT_ALLOWED)
    assert told.json["section"] == "186(1)"
    assert told.json["not_before"] == "2027-03-09T18:30:00.000Z"
    assert told.json["source"]


def test_wrong_role_is_refused_and_nothing_changes(gujarat: PoundHouse, database: Database) -> None:
    case = _kept(gujarat)
    before = _rows(database)
    answers = [
        gujarat.act(case, "order_sale", by="keeper"),
        gujarat.act(case, "release", by="reporter", party="Ramesh", paid_paise=1),
        gujarat.act(case, "release", by="reviewer", party="Ramesh", paid_paise=1),
    ]

    assert [one.status_code for one in answers] == [403, 403, 403]
    assert _rows(database) == before


def test_disposed_head_is_not_released_again(gujarat: PoundHouse, database: Database) -> None:
    case = _kept(gujarat)
    head = gujarat.case(case)["custody"][0]["id"]
    gujarat.done(case, "died", custody=[head])
    before = _rows(database)
    told = gujarat.act(case, "escaped", custody=[head])

    assert (told.status_code, told.json["code"]) == (409, "head.gone")
    assert _rows(database) == before


@pytest.mark.parametrize(
    "body, field",
    [
        ({"act": "fly"}, "act"),
        ({"act": "release", "paid_paise": "1"}, "paid_paise"),
        ({"act": "release", "paid_paise": -1}, "paid_paise"),
        ({"act": "release", "trouble_paise": 5000}, "trouble_paise"),
        ({"act": "impound", "counts": [{"kind": "dragon", "count": 1}]}, "counts.0.kind"),
        ({"act": "release", "pick": [{"kind": "cow", "n": 0}]}, "pick"),
        ({"act": "died", "happened_at": "2099-01-01T00:00:00Z"}, "happened_at"),
        ({"act": "release", "happened_at": "2027-03-02T03:31:00Z"}, "happened_at"),
    ],
)
def test_wrong_body_names_the_field(gujarat: PoundHouse, body: dict[str, Any], field: str) -> None:
    case = _kept(gujarat)
    gujarat.at("2027-03-02 10:00")
    told = gujarat.as_("keeper").post(f"/api/v1/cases/{case}/acts", json={"id": new_id(), **body})

    assert told.status_code == 422
    assert field in told.json["errors"]


def test_identical_resend_has_no_second_effect(gujarat: PoundHouse, database: Database) -> None:
    case = _kept(gujarat)
    body = {
        "id": new_id(),
        "act": "receive_payment",
        "party": gujarat.party("Ramesh"),
        "paid_paise": 1000,
    }
    keeper, path = gujarat.as_("keeper"), f"/api/v1/cases/{case}/acts"
    first, again = (keeper.post(path, json=body) for _ in range(2))
    other = keeper.post(path, json={**body, "paid_paise": 2000})

    assert (first.status_code, again.status_code, other.status_code) == (201, 200, 409)
    assert first.json == again.json
    assert other.json["current"]["id"] == body["id"]
    assert gujarat.case(case)["money"]["accounts"]["held.on_account"] == 1000
    assert len(entries_of(database, f"seizure/{case}", "act.performed")) == 3


def test_check_answers_and_changes_nothing(gujarat: PoundHouse, database: Database) -> None:
    case = _kept(gujarat)
    gujarat.at("2027-03-02 10:00")
    before = _rows(database)
    asked = {"party": "Ramesh", "declaration": "signed", "mode": "check"}
    good = gujarat.act(case, "release", paid_paise=2 * (12000 + 6225 + 25000), **asked)
    wrong = gujarat.act(case, "release", paid_paise=5, **asked)

    assert (good.status_code, good.json["allowed"]) == (200, "yes")
    assert sum(line["paise"] for line in good.json["lines"]) == good.json["total"] == 86450
    assert (wrong.status_code, wrong.json["allowed"]) == (200, "no")
    assert _rows(database) == before


def test_what_is_contrary_to_a_rule_is_recorded_and_flagged(gujarat: PoundHouse) -> None:
    case = _kept(gujarat, owner=None)
    bare = gujarat.act(case, "hold_auction", by="decider", mode="record")
    told = gujarat.done(
        case, "hold_auction", by="decider", mode="record", reason="Sold on paper, page 9."
    )

    assert (bare.status_code, bare.json["type"]) == (409, NEEDS_REASON)
    assert "contrary_to_rule" in told["flags"]
    assert told["written_reason"] == "Sold on paper, page 9."
    assert told["documents"] == []
    assert "contrary_to_rule" in gujarat.case(case)["flags"]
    said = {"headers": {"Accept-Language": "gu"}}
    read = gujarat.as_("decider").get(f"/api/v1/cases/{case}", **said).json["history"][-1]
    assert read["reason"] == gettext(told["reason"], "gu") != told["reason"]


def test_one_receipt_for_heads_of_two_cases(gujarat: PoundHouse) -> None:
    cases = [_kept(gujarat, cow=1), _kept(gujarat, cow=1)]
    party, pound = gujarat.party("Ramesh"), gujarat.pound_id
    quote = gujarat.as_("keeper").get(
        f"/api/v1/parties/{party}/quote", query_string={"pound": pound}
    )
    heads = [gujarat.case(case)["custody"][0]["id"] for case in cases]
    made = gujarat.done(
        cases[0],
        "release",
        party="Ramesh",
        custody=heads,
        paid_paise=quote.json["total"],
        declaration="signed",
    )

    assert {part["case"] for part in quote.json["cases"]} == set(cases)
    assert len(made["serials"]) == 1
    ends = [gujarat.case(case)["custody"][0]["became"] for case in cases]
    assert ends == ["released_paid", "released_paid"]


def test_merged_parties_owe_as_one(gujarat: PoundHouse) -> None:
    cases = [_kept(gujarat, "Ramesh", cow=1), _kept(gujarat, "Ramesh bhai", cow=1)]
    one, other = gujarat.party("Ramesh bhai"), gujarat.party("Ramesh")
    merged = gujarat.as_("admin").post(
        f"/api/v1/parties/{one}/merge", json={"id": new_id(), "into": other}
    )

    assert merged.json["merged_into"] == other
    assert [gujarat.case(case)["custody"][0]["owner"] for case in cases] == [other, other]
    assert gujarat.case(cases[0])["dues"][0]["party"] == other


def test_fewer_cattle_than_seized_stay_on_the_way(gujarat: PoundHouse) -> None:
    gujarat.at("2027-03-02 08:00")
    case = gujarat.seize({"cow": 3})
    gujarat.take_in(case, {"cow": 2})
    states = sorted(head["state"] for head in gujarat.case(case)["custody"])
    gujarat.take_in(case, {"cow": 2})
    later = [(head["state"], head["origin"]) for head in gujarat.case(case)["custody"]]

    assert states == ["impounded", "impounded", "seized"]
    assert sorted(later) == [("impounded", "counted"), *[("impounded", "seized")] * 3]


def test_arrival_before_its_report_is_pending_work(gujarat: PoundHouse, house: House) -> None:
    gujarat.at("2027-03-02 08:00")
    seizure = new_id()
    gujarat.take_in(seizure, {"cow": 1})
    gujarat.seize({"cow": 1}, id=seizure)
    runner: JobRunner = runner_of(house)
    runner.run_once()

    acts = [act["act"] for act in gujarat.case(seizure)["history"]]
    assert acts == ["impound"]
    assert gujarat.case(seizure)["history"][0]["serials"] == ["REG/2026-27/A/0001"]


def test_passed_deadline_is_told_once(
    gujarat: PoundHouse, house: House, database: Database
) -> None:
    case = _kept(gujarat, owner=None)
    gujarat.at("2027-03-30 09:00")
    runner_of(house).run_once()
    runner_of(house).run_once()
    listed = gujarat.as_("decider").get("/api/v1/deadlines", query_string={"state": "overdue"})

    told = entries_of(database, f"seizure/{case}", "deadline.passed")
    assert {one["case"] for one in listed.json["items"]} == {case}
    assert len(told) == len(listed.json["items"]) > 0


def test_value_counts_once_two_persons_confirmed_it(gujarat: PoundHouse) -> None:
    body = {"id": new_id(), "key": open_key("gujarat"), "source": "the Gazette of 1993"}
    path = "/api/v1/statute-confirmations"
    admin, decider = gujarat.as_("admin"), gujarat.as_("decider")
    before = gujarat.seize({"cow": 1})
    gujarat.at("2027-03-01 08:00")
    admin.post(path, json=body)
    alone = admin.post(f"{path}/{body['id']}/second", json={"id": new_id()})
    both = decider.post(f"{path}/{body['id']}/second", json={"id": new_id()})
    gujarat.at("2027-03-02 08:00")
    case = gujarat.seize({"cow": 1})

    assert (alone.status_code, both.status_code) == (403, 200)
    told = [gujarat.case(one)["statute"]["confirmations"] for one in (before, case)]
    assert told == [[], [body["key"]]]


def test_special_fine_follows_the_limits_that_were_drawn_for_its_area(
    app: Flask, database: Database, clock: StoppedClock
) -> None:
    house = found_pound(app, database, clock, "kerala")
    house.at("2026-12-08 17:30")
    house.notify("fee_schedule", data=rates({"cow": 10000}))
    house.notify("feeding_rates", data=rates({"cow": 4000}))
    lat, lon = FIELD["lat"], FIELD["lon"]
    ring = [[lon + x, lat + y] for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))]
    drawn = {"polygon": {"type": "Polygon", "coordinates": [ring]}, **rates({"cow": 20000})}
    house.notify("double_fine_area", area="Anjumoorthy", data=drawn)
    far = {"location": {**FIELD, "lat": lat + 2}, "place_text": "Anjumoorthy"}
    fines = []
    for where in ({}, far):
        case = house.seize({"cow": 1}, **where)
        house.done(case, "impound", counts=[{"kind": "cow", "count": 1}])
        due = house.case(case, at="2026-12-08T13:00:00Z")["dues"][0]["lines"]
        fines.append(next(line["paise"] for line in due if line["line"] == "fine"))

    assert fines == [20000, 10000]


def test_case_of_another_pound_is_not_there(gujarat: PoundHouse) -> None:
    case = _kept(gujarat)
    assert gujarat.as_("keeper").get(f"/api/v1/cases/{case}").status_code == 200
    assert gujarat.as_("keeper").get(f"/api/v1/cases/{new_id()}").status_code == 404
