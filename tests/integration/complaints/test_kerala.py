"""Kerala: said by word of mouth, enquired into by the Secretary, the cow set free by his order."""

from __future__ import annotations

import pytest

from tests.support.complaint_house import ComplaintHouse
from tests.support.pound_house import Body

pytestmark = pytest.mark.database


def _held(house: ComplaintHouse) -> str:
    pound = house.pound
    pound.at("2027-01-05 07:00")
    case = house.report(
        {"cow": 1}, capacity="occupier", ground="trespass_with_damage", place_kind="private_land"
    )
    pound.at("2027-01-06 08:00")
    pound.take_in(case, {"cow": 1})
    pound.done(case, "identify", party="Babu")
    return case


def _complained(house: ComplaintHouse, case: str) -> None:
    house.pound.at("2027-01-08 10:00")
    taken = house.taken(
        case,
        by="Babu",
        is_verbal=True,
        taken_down_by="the Secretary",
        against={"Thomas": "seizer"},
        allegations=[
            {"allegation": "transit", "text": "she stood at his house for more than a day"},
            {"allegation": "damage", "text": "nothing was eaten"},
        ],
    )
    assert (taken["in_time"], taken["is_decided_here"], taken["doubts"]) == ("yes", True, [])


def _inquired(house: ComplaintHouse) -> None:
    house.done("examine", well_founded=True, text="he knows of it himself")
    early = house.act("hold_inquiry", text="both heard")
    house.done("summon", party="Thomas", appear_on="2027-01-11", letter_no="S-3")
    house.pound.at("2027-01-11 11:00")
    house.done("hold_inquiry", text="both heard, the photo looked at")

    assert (early.status_code, early.json["code"]) == (409, "complaint.summoned")


def test_secretary_sets_the_cow_free_and_the_seizer_pays(kerala: ComplaintHouse) -> None:
    pound, case = kerala.pound, _held(kerala)
    _complained(kerala, case)
    _inquired(kerala)
    assert kerala.facts("transit")["late_by_minutes"] == 60
    kerala.find_all()
    _ordered(kerala)
    state = pound.case(case)

    assert [one["state"] for one in state["custody"]] == ["released_by_order"]
    assert state["money"]["accounts"]["receivable.pound"] == 34000
    pound.done(case, "recover_from_seizer", by="decider", paid_paise=34000)
    kerala.done("recover", party="Thomas", paid_paise=5000, is_direct=True)
    pound.done(case, "remit", to="local_authority_fund")
    ended = pound.case(case)
    assert (kerala.read()["state"], ended["state"]) == ("recovered", "closed")
    assert ended["money"]["balance"] == 0


def _ordered(house: ComplaintHouse) -> None:
    thomas = house.pound.party("Thomas")
    order: Body = {"outcome": "illegal", "compensation": [{"party": thomas, "paise": 5000}]}
    held = house.act("order", **order, mode="check").json
    draft = house.done("order", **order, release=True, order_no="S-4/2027")
    waiting = house.pound.case(house.read()["case"])
    alone = house.act("confirm_order")
    house.done("confirm_order", who="reviewer")

    assert held["code"] == "complaint.release"
    assert draft["moves"] == []
    assert [one["state"] for one in waiting["custody"]] == ["impounded"]
    assert (alone.status_code, alone.json["reason"]) == (403, "second-person")


def test_summons_and_order_are_papers_with_numbers(kerala: ComplaintHouse) -> None:
    pound, case = kerala.pound, _held(kerala)
    _complained(kerala, case)
    _inquired(kerala)
    kerala.find_all()
    thomas = pound.party("Thomas")
    order: Body = {"outcome": "illegal", "compensation": [{"party": thomas, "paise": 5000}]}
    kerala.done("order", **order, release=True, text="he may not seize there")
    confirmed = kerala.done("confirm_order", who="reviewer")
    paid = kerala.done("recover", party="Thomas", paid_paise=5000)
    summons = next(one for one in kerala.read()["history"] if one["act"] == "summon")
    pages = {name: _page(kerala, act) for name, act in (("order", confirmed), ("call", summons))}

    assert (summons["section"], confirmed["section"]) == ("20", "19, 20, 21")
    assert summons["serials"] == ["LET/2026-27/A/0001"]
    assert (confirmed["serials"], paid["serials"]) == (
        ["ORD/2026-27/A/0001"],
        ["REC/2026-27/A/0001"],
    )
    assert all(text in pages["order"] for text in ("₹50.00", "he may not seize there", "Thomas"))
    assert all(text in pages["call"] for text in ("Thomas", "Babu", "nothing was eaten"))


def _page(house: ComplaintHouse, act: Body) -> str:
    path = f"/api/v1/documents/{act['documents'][0]['id']}.html"
    answer = house.pound.as_("decider").get(path)
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def test_sale_is_doubtful_while_a_complaint_is_open(kerala: ComplaintHouse) -> None:
    case = _held(kerala)
    _complained(kerala, case)
    kerala.pound.at("2027-01-14 10:00")
    kerala.pound.done(case, "report_unclaimed")
    particulars = ["number_and_description", "place_of_seizure", "place_impounded"]
    kerala.pound.done(case, "post_notice", dated="2027-01-14", particulars=particulars)
    for place in ("village", "market"):
        kerala.pound.done(case, "record_proclamation", place=place, manner="other")
    kerala.pound.at("2027-01-22 10:00")
    sale = kerala.pound.act(case, "order_sale", by="decider", mode="check").json
    freed = kerala.pound.act(case, "release_by_order", by="decider", order_no="X-1")

    assert (sale["allowed"], sale["code"]) == ("warn", "sale.complaint")
    assert (freed.status_code, freed.json["code"]) == (409, "release.complaint")
