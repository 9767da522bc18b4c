"""Gujarat: two cows taken from a yard; deposit under protest, the Magistrate finds it illegal."""

from __future__ import annotations

from typing import Any

from tests.support.complaint_house import ComplaintHouse


def _delivered_on_deposit(house: ComplaintHouse) -> str:
    pound = house.pound
    pound.at("2027-03-01 08:00")
    case = house.report({"cow": 2}, capacity="police", ground="straying", place_kind="street")
    pound.at("2027-03-01 10:00")
    pound.take_in(case, {"cow": 2})
    pound.done(case, "identify", party="Ramesh")
    pound.at("2027-03-02 09:00")
    pound.done(
        case,
        "deposit_under_protest",
        party="Ramesh",
        paid_paise=48900,
        register_signature=True,
        is_illegal_claimed=True,
    )
    return case


def _complained(house: ComplaintHouse, case: str) -> dict[str, Any]:
    house.pound.at("2027-03-06 11:00")
    return house.taken(
        case,
        by="Ramesh",
        agent="Ramesh's son",
        is_acquainted=True,
        against={"Constable Vaghela": "seizer"},
        allegations=[
            {"allegation": "place", "text": "they stood in my yard, not in the street"},
            {"allegation": "fine", "text": "489 rupees were taken for nothing"},
        ],
    )


def test_illegal_seizure_is_paid_for_by_who_seized_and_the_pound_refunds_nothing(
    gujarat: ComplaintHouse,
) -> None:
    case = _delivered_on_deposit(gujarat)
    taken = _complained(gujarat, case)

    assert (taken["in_time"], taken["is_decided_here"]) == ("yes", False)
    assert {one["rule"]: one["state"] for one in taken["clocks"]} == {
        "COMPL-10": "met",
        "COMPL-4W": "met",
    }
    assert gujarat.facts("fine")["paid"]["paise"] in {24000, 24900}
    (photo,) = gujarat.pieces("photo")
    gujarat.done("attach_evidence", who="reviewer", allegation="place", evidence=[photo])
    gujarat.find_all()
    gujarat.done("forward", who="reviewer", to="JMFC Rajula", letter_no="12/2027")
    _ordered(gujarat)
    _paid(gujarat, case)


def _ordered(house: ComplaintHouse) -> None:
    seizer = house.pound.party("Constable Vaghela")
    house.pound.at("2027-03-20 15:00")
    order = house.done(
        "record_order",
        outcome="illegal",
        order_no="Misc. 7/2027",
        by="JMFC Rajula",
        compensation=[{"party": seizer, "paise": 10000}],
    )
    found = house.read()

    assert order["allowed"] == "yes"
    assert (found["state"], found["draft"]) == ("illegal", None)
    owed = {one["line"]: one["paise"] for one in found["money"]["owed"]}
    assert owed == {"compensation": 10000, "reimbursement": 48900}


def _paid(house: ComplaintHouse, case: str) -> None:
    pound = house.pound
    pound.done(case, "apply_deposit")
    house.done("recover", party="Constable Vaghela", paid_paise=58900)
    handed = house.done("pay_complainant")
    found, money = house.read(), pound.case(case)

    assert handed["total"] == 58900
    assert (found["state"], found["money"]["outstanding"], found["money"]["held"]) == (
        "recovered",
        0,
        0,
    )
    assert money["state"] == "closed"
    assert money["money"]["balance"] == 0
    assert money["money"]["accounts"]["village_fund"] == 48900


def test_illegal_seizure_counts_for_no_time_and_forfeits_no_security(
    gujarat: ComplaintHouse,
) -> None:
    case = _delivered_on_deposit(gujarat)
    _complained(gujarat, case)
    _ordered(gujarat)
    demand = gujarat.pound.act(case, "demand_security", party="Ramesh")

    assert (demand.status_code, demand.json["code"]) == (409, "demand.illegal")
