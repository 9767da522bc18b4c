"""Karnataka: a complaint that comes late is taken in all the same, and dismissed by the court."""

from __future__ import annotations

from tests.support.complaint_house import ComplaintHouse


def _impounded(house: ComplaintHouse, day: str) -> str:
    pound = house.pound
    pound.at(f"{day} 08:00")
    case = house.report({"cow": 1}, capacity="police", ground="straying", place_kind="public_road")
    pound.at(f"{day} 12:00")
    pound.take_in(case, {"cow": 1})
    pound.done(case, "identify", party="Basappa")
    return case


def test_late_complaint_is_recorded_as_late_and_dismissed_by_two(
    karnataka: ComplaintHouse,
) -> None:
    pound, case = karnataka.pound, _impounded(karnataka, "2027-01-18")
    pound.at("2027-02-01 10:00")
    said = [{"allegation": "capacity", "text": "he is no policeman"}]
    taken = karnataka.taken(case, by="Basappa", allegations=said, against={"Naik": "seizer"})
    karnataka.done("forward", to="Magistrate, Mulgund", reason="as the Act is remembered")
    karnataka.find_all("not_supported")
    dismissed = {"outcome": "dismissed", "order_no": "C-9/2027", "by": "the Magistrate"}
    karnataka.done("record_order", **dismissed)
    drafted = karnataka.read()
    karnataka.done("confirm_order", who="reviewer")

    assert taken["in_time"] == "late"
    assert [one["code"] for one in taken["doubts"]] == ["complaint.late"]
    assert (drafted["state"], drafted["outcome"]) == ("drafted", None)
    assert karnataka.read()["outcome"] == "dismissed"
    _paid_and_closed(karnataka, case)


def _paid_and_closed(house: ComplaintHouse, case: str) -> None:
    pound = house.pound
    due = pound.case(case)["dues"][0]["total"]
    pound.done(case, "release", party="Basappa", paid_paise=due, register_signature=True)
    pound.done(case, "remit", by="decider", to="district_magistrate")
    ended = pound.case(case)

    assert (ended["state"], ended["money"]["balance"]) == ("closed", 0)
    assert ended["money"]["accounts"]["district_magistrate"] == 5000


def test_case_does_not_close_while_a_complaint_is_open(karnataka: ComplaintHouse) -> None:
    pound, case = karnataka.pound, _impounded(karnataka, "2027-01-18")
    karnataka.taken(case, by="Basappa")
    due = pound.case(case)["dues"][0]["total"]
    pound.done(case, "release", party="Basappa", paid_paise=due, register_signature=True)
    pound.done(case, "remit", by="decider", to="district_magistrate")
    close = pound.act(case, "close", by="decider", mode="check").json
    before = pound.case(case)["state"]
    karnataka.done("withdraw", text="settled among neighbours")

    assert (close["code"], before) == ("case.complaint", "open")
    assert pound.case(case)["state"] == "closed"
