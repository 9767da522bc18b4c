"""From the seizure to the release: two owners, feeding over midnight, security, and the end."""

from __future__ import annotations

from tests.support.pound_house import PoundHouse


def test_cattle_are_released_for_exactly_what_is_due(gujarat: PoundHouse) -> None:
    gujarat.at("2027-03-01 22:50")
    case = gujarat.seize({"cow": 2, "buffalo": 1})
    gujarat.at("2027-03-01 23:40")
    gujarat.take_in(case, {"cow": 2, "buffalo": 1})
    gujarat.done(case, "identify", party="Ramesh", pick=[{"kind": "cow", "n": 2}])

    gujarat.at("2027-03-02 00:12")
    short = gujarat.act(case, "release", party="Ramesh", paid_paise=48900)
    gujarat.at("2027-03-02 00:25")
    full = gujarat.done(case, "release", party="Ramesh", paid_paise=98900, declaration="signed")

    assert (short.status_code, short.json["type"]) == (409, "urn:fieldapi:problem:act-not-allowed")
    assert short.json["rule"]
    assert full["total"] == 98900
    assert full["serials"] == ["REC/2026-27/A/0001"]
    states = [(one["kind"], one["state"]) for one in gujarat.case(case)["custody"]]
    assert sorted(states) == [
        ("buffalo", "impounded"),
        ("cow", "released_paid"),
        ("cow", "released_paid"),
    ]
