"""Who may, and in which order: what an act on a complaint is refused for, and that it then changes
nothing.
"""

from __future__ import annotations

import pytest

from fieldapi import ledger
from fieldapi.ids import new_id
from tests.support.complaint_house import ComplaintHouse
from tests.support.pound_house import Body

PLACE = [{"allegation": "place", "text": "not there"}]
KERALA_CASE = {
    "capacity": "police",
    "ground": "straying",
    "place_kind": "road",
    "remarks": "by the temple",
}


@pytest.fixture
def enquired(kerala: ComplaintHouse) -> ComplaintHouse:
    """A complaint about a cow that is still held, enquired into by the Secretary."""
    pound = kerala.pound
    pound.at("2027-01-05 07:00")
    case = kerala.report({"cow": 1}, **KERALA_CASE)
    pound.take_in(case, {"cow": 1})
    pound.done(case, "identify", party="Babu")
    pound.at("2027-01-06 10:00")
    kerala.taken(case, by="Babu", against={"Thomas": "seizer"}, allegations=PLACE)
    kerala.done("examine", well_founded=True)
    kerala.done("summon", party="Thomas")
    kerala.done("hold_inquiry", text="both heard")
    return kerala


def test_order_waits_for_a_finding_on_all_that_is_alleged(enquired: ComplaintHouse) -> None:
    early = enquired.act("order", outcome="lawful")
    enquired.find_all("not_supported")
    drafted = enquired.done("order", outcome="lawful")

    assert (early.status_code, early.json["code"]) == (409, "complaint.findings")
    assert drafted["allowed"] == "yes"
    assert enquired.read()["state"] == "drafted"


def test_order_that_was_sent_back_is_none(enquired: ComplaintHouse) -> None:
    enquired.find_all()
    enquired.done("order", outcome="dismissed")
    enquired.done("return_order", who="reviewer", text="the photo shows another place")
    found = enquired.read()

    assert (found["state"], found["draft"], found["outcome"]) == ("inquiry", None, None)


def test_compensation_beyond_an_unread_cap_needs_a_reason(enquired: ComplaintHouse) -> None:
    enquired.find_all()
    thomas = enquired.pound.party("Thomas")
    body: Body = {
        "outcome": "illegal",
        "release": True,
        "compensation": [{"party": thomas, "paise": 10001}],
    }
    bare = enquired.act("order", **body)
    written = enquired.act("order", **body, reason="the milk of two days")

    assert (bare.status_code, bare.json["code"]) == (409, "illegal_seizure")
    assert written.status_code == 201


def test_order_that_is_only_recorded_where_it_is_decided_here_says_why(
    enquired: ComplaintHouse,
) -> None:
    body = {"outcome": "dismissed", "order_no": "S-9"}
    bare = enquired.act("record_order", **body)

    assert (bare.status_code, bare.json["code"]) == (409, "complaint.recorded")
    enquired.done("record_order", **body, reason="made on paper while the line was down")


def test_who_took_the_cattle_in_has_no_part_in_the_decision(kerala: ComplaintHouse) -> None:
    pound = kerala.pound
    pound.at("2027-01-05 07:00")
    case = kerala.report({"cow": 1}, **KERALA_CASE)
    pound.done(case, "impound", by="decider", pound=pound.pound_id)
    kerala.taken(case, by="Babu", allegations=PLACE)
    refused = kerala.act("examine", well_founded=True)

    assert (refused.status_code, refused.json["reason"]) == (403, "author")
    assert kerala.read()["history"] == []


def test_who_is_complained_against_has_no_part_in_the_decision(
    enquired: ComplaintHouse,
) -> None:
    pound = enquired.pound
    person = pound.people["reviewer"].person_id
    pound.party("the reviewer", person_id=person)
    enquired.done("name_respondent", party="the reviewer", part="detainer")
    refused = enquired.act("find", who="reviewer", allegation="place", found="supported", text="-")

    assert (refused.status_code, refused.json["reason"]) == (403, "author")


def test_panchayat_does_not_decide_what_is_the_magistrates(gujarat: ComplaintHouse) -> None:
    pound = gujarat.pound
    pound.at("2027-03-01 08:00")
    case = gujarat.report({"cow": 1}, capacity="police", ground="straying", place_kind="street")
    gujarat.taken(case, by="Ramesh")
    order = gujarat.act("order", outcome="dismissed")
    summons = gujarat.act("summon", party="Ramesh")

    assert (order.status_code, order.json["code"]) == (409, "complaint.elsewhere")
    assert summons.status_code == 409


def test_evidence_is_of_the_case_complained_of(enquired: ComplaintHouse) -> None:
    other = enquired.report({"cow": 1}, **KERALA_CASE)
    foreign = enquired.act(
        "attach_evidence", who="reviewer", allegation="place", evidence=[f"photo/{other}"]
    )
    own = enquired.pieces("entry")[0]
    taken = enquired.act("attach_evidence", who="reviewer", allegation="place", evidence=[own])

    assert (foreign.status_code, [*foreign.json["errors"]]) == (422, ["evidence"])
    assert taken.status_code == 201


def test_complaint_and_act_are_taken_once(kerala: ComplaintHouse) -> None:
    pound = kerala.pound
    pound.at("2027-01-05 07:00")
    case = kerala.report({"cow": 1}, **KERALA_CASE)
    keeper, party = pound.as_("keeper"), pound.party("Babu")
    body = {"id": new_id(), "case": case, "by": party, "text": "illegal"}
    told = [keeper.post("/api/v1/complaints", json=body).status_code for _ in range(2)]
    other = keeper.post("/api/v1/complaints", json={**body, "text": "other"})
    kerala.id = body["id"]
    act = {"id": new_id(), "act": "examine", "well_founded": False}
    path = f"/api/v1/complaints/{kerala.id}/acts"
    again = [pound.as_("decider").post(path, json=act).status_code for _ in range(2)]

    assert (told, other.status_code, again) == ([201, 200], 409, [201, 200])
    assert len(kerala.read()["history"]) == 1


def test_keeper_takes_a_complaint_in_and_does_not_weigh_it(enquired: ComplaintHouse) -> None:
    read = enquired.pound.as_("keeper").get(f"/api/v1/complaints/{enquired.id}")
    found = enquired.act("find", who="keeper", allegation="place", found="supported", text="-")

    assert (read.status_code, found.status_code) == (403, 403)


def test_form_is_told_and_refuses_nothing(gujarat: ComplaintHouse) -> None:
    gujarat.pound.at("2027-03-01 08:00")
    case = gujarat.report({"cow": 1}, capacity="police", ground="straying", place_kind="street")
    unwritten = gujarat.take(case, by="Ramesh", is_verbal=True)
    taken = gujarat.taken(
        case, by="Ramesh", agent="a cousin", is_verbal=True, taken_down_by="the clerk"
    )

    assert unwritten.status_code == 422
    assert [one["code"] for one in taken["doubts"]] == ["complaint.verbal", "complaint.agent"]


def test_illegal_seizure_is_no_time_for_who_complained_and_one_for_the_other(
    karnataka: ComplaintHouse,
) -> None:
    case = _of_two(karnataka, "2027-01-18")
    karnataka.taken(case, by="Mallamma", against={"Naik": "seizer"})
    order: Body = {"outcome": "illegal", "order_no": "C-1", "release": True, "by": "the Magistrate"}
    karnataka.done("record_order", **order)
    karnataka.done("confirm_order", who="reviewer")
    states = {one["owner"]: one["state"] for one in karnataka.pound.case(case)["custody"]}
    again = karnataka.pound.case(_of_two(karnataka, "2027-02-18"))["dues"]
    fines = {one["party"]: one["lines"][0]["paise"] for one in again}
    mallamma, basappa = (karnataka.pound.party(name) for name in ("Mallamma", "Basappa"))

    assert states == {mallamma: "released_by_order", basappa: "impounded"}
    assert fines == {mallamma: 5000, basappa: 7500}


def _of_two(house: ComplaintHouse, day: str) -> str:
    pound = house.pound
    pound.at(f"{day} 08:00")
    case = house.report({"cow": 2}, capacity="police", place_kind="public_road")
    pound.take_in(case, {"cow": 2})
    for owner in ("Basappa", "Mallamma"):
        pound.done(case, "identify", party=owner, pick=[{"kind": "cow", "n": 1}])
    return case


def test_everything_done_on_a_complaint_is_in_the_ledger(enquired: ComplaintHouse) -> None:
    entries = [one["kind"] for one in _entries(enquired)]

    assert entries == ["complaint.received", *["act.performed"] * 3]


def _entries(house: ComplaintHouse) -> list[dict[str, object]]:
    with house.pound.database.read() as session:
        subject = f"complaint/{house.id}"
        return ledger.entries_about(session, house.pound.authority_id, [subject])


def test_evidence_is_kept_while_a_complaint_is_open(enquired: ComplaintHouse) -> None:
    case = enquired.read()["case"]
    body = {"record": f"seizure/{case}", "fields": ["remarks"], "reason": "asked for"}

    def erased() -> int:
        sent = {"id": new_id(), **body}
        return enquired.pound.as_("admin").post("/api/v1/erasures", json=sent).status_code

    before = erased()
    enquired.done("withdraw", text="settled")

    assert (before, erased()) == (409, 201)
