"""Beside the main line: heads that were missed or born, removal orders on paper, offences."""

from __future__ import annotations

from collections import Counter
from typing import Any

from fieldapi.ids import new_id
from tests.support.pound_house import PoundHouse


def _kept(house: PoundHouse) -> str:
    house.at("2027-03-02 08:00")
    case = house.seize({"cow": 2})
    house.take_in(case, {"cow": 2})
    house.at("2027-03-03 08:00")
    return case


def test_missed_heads_are_added_and_wrong_ones_taken_out(gujarat: PoundHouse) -> None:
    case = _kept(gujarat)
    gujarat.done(
        case,
        "correct_custody",
        by="decider",
        pick=[{"kind": "goat", "n": 2}],
        reason="two goats were overlooked",
    )
    head = gujarat.case(case)["custody"][0]["id"]
    gujarat.done(case, "correct_custody", by="decider", remove=[head], reason="counted twice")
    states = Counter((one["kind"], one["state"]) for one in gujarat.case(case)["custody"])

    assert states[("goat", "seized")] + states[("goat", "impounded")] == 2
    assert states[("cow", "not_there")] == 1
    assert states[("cow", "impounded")] == 1


def test_calf_born_in_the_pound_is_a_head_of_its_own(gujarat: PoundHouse) -> None:
    case = _kept(gujarat)
    mother = gujarat.case(case)["custody"][0]["id"]
    gujarat.done(case, "born", mother=mother)
    calf = gujarat.case(case)["custody"][-1]

    assert (calf["kind"], calf["state"], calf["origin"]) == ("calf", "impounded", "born")


def test_removal_order_is_a_numbered_paper(gujarat: PoundHouse) -> None:
    gujarat.at("2027-01-04 11:00")
    gujarat.notify("section_190")
    decider, order = gujarat.as_("decider"), new_id()
    new = {"id": order, "kind": "special", "owner": gujarat.party("P")}
    issue = {
        "id": new_id(),
        "act": "issue_removal_order",
        "ground": "ii",
        "is_resident": False,
        "owns_head": 21,
        "place": "Banni, Kachchh",
        "period_until": "2027-01-14",
    }
    path = f"/api/v1/removal-orders/{order}"
    decider.post("/api/v1/removal-orders", json=new)
    short = decider.post(f"{path}/acts", json={**issue, "id": new_id(), "owns_head": 20})
    made = decider.post(f"{path}/acts", json={**issue, "reason": "as the grazing land is short"})
    paper = decider.get(f"/api/v1/documents/{made.json['documents'][0]['id']}.pdf")

    assert (short.status_code, short.json["section"]) == (409, "190(1)(ii)")
    assert made.json["serials"] == ["ORD/2026-27/A/0001"]
    assert paper.data.startswith(b"%PDF")
    assert decider.get(path).json["state"] == "issued"


def test_fine_beyond_the_cap_needs_a_reason(gujarat: PoundHouse) -> None:
    gujarat.at("2027-03-02 08:00")
    offence = {
        "id": new_id(),
        "what": "straying",
        "committed_at": "2027-03-01T05:00:00.000Z",
        "section": "183",
        "accused": gujarat.party("Ramesh"),
    }
    gujarat.as_("reporter").post("/api/v1/offences", json=offence)
    path = f"/api/v1/offences/{offence['id']}/acts"
    fine = {"id": new_id(), "act": "record_conviction", "paise": 30001, "order_no": "CC 7/2027"}
    told = gujarat.as_("decider").post(path, json=fine)
    taken = gujarat.as_("decider").post(path, json={**fine, "reason": "as the Court wrote it"})

    assert told.json["type"] == "urn:fieldapi:problem:act-needs-reason"
    assert taken.status_code == 201
    assert taken.json["data"]["times"] == "first"
    assert gujarat.as_("decider").get(path.removesuffix("/acts")).json["state"] == "convicted"


def test_entries_of_every_kind_are_kept_and_end_by_their_days(gujarat: PoundHouse) -> None:
    gujarat.at("2027-03-02 08:00")
    keeper, admin = gujarat.people["keeper"].person_id, gujarat.as_("admin")
    told: dict[str, dict[str, Any]] = {
        "vesting": {"pound_id": gujarat.pound_id, "data": {"note": "of the Act of 1871"}},
        "keeper": {"pound_id": gujarat.pound_id, "data": {"names": [keeper]}},
        "other_pound": {"pound_id": gujarat.pound_id},
        "sale_officer": {"data": {"names": [keeper]}},
    }
    ids = {kind: gujarat.notify(kind, **fields) for kind, fields in told.items()}
    case = _kept(gujarat)
    gujarat.at("2027-03-10 08:00")
    gujarat.done(case, "order_sale", by="keeper")
    path = f"/api/v1/notifications/{ids['sale_officer']}/end"
    ended = admin.post(path, json={"id": new_id(), "on": "2027-03-10"})
    gujarat.at("2027-03-11 08:00")
    refused = gujarat.act(case, "hold_auction", by="keeper")
    listed = admin.get("/api/v1/notifications").json["items"]

    assert (ended.status_code, refused.status_code) == (200, 403)
    assert set(ids.values()) <= {one["id"] for one in listed}


def test_another_pound_than_the_nearest_is_told_and_refuses_nothing(karnataka: PoundHouse) -> None:
    house, far = karnataka, new_id()
    house.at("2027-02-15 16:00")
    body = {"id": far, "name": "Far", "lat": 23.3, "lon": 71.8}
    house.as_("admin").post("/api/v1/pounds", json=body)
    flags = []
    for pound in (far, house.pound_id):
        case = house.seize({"cow": 1}, capacity="police", place_kind="public_road")
        flags.append(house.done(case, "impound", by="decider", pound=pound)["flags"])
    house.notify("other_pound", pound_id=far)
    case = house.seize({"cow": 1}, capacity="police", place_kind="public_road")
    flags.append(house.done(case, "impound", by="decider", pound=far)["flags"])

    assert flags == [["wrong_pound"], [], []]


def test_lost_heads_are_known_again_in_another_case(karnataka: PoundHouse) -> None:
    house = karnataka
    house.at("2027-02-15 16:00")
    first = house.seize({"buffalo": 4}, capacity="person_in_charge_of_canal", place_kind="canal")
    house.done(first, "identify", party="Honnappa")
    house.done(first, "rescued", pick=[{"kind": "buffalo", "n": 2}], used_force=True)
    lost = [one["id"] for one in house.case(first)["custody"] if one["became"] == "rescued"]
    house.at("2027-02-16 09:00")
    second = house.seize({"buffalo": 2}, capacity="police", place_kind="public_road")
    house.done(second, "recognise", by="reporter", previous=lost)
    again = house.act(second, "recognise", previous=lost)
    third = house.seize({"buffalo": 2}, capacity="police", place_kind="public_road")
    twice = house.act(third, "recognise", previous=lost)
    undone = house.act(first, "correct_custody", by="decider", restore=lost, reason="never left")

    assert [one["previous"] for one in house.case(second)["custody"]] == lost
    assert (again.status_code, twice.status_code, undone.status_code) == (422, 409, 409)


def test_ending_that_never_happened_is_taken_back(gujarat: PoundHouse) -> None:
    case = _kept(gujarat)
    cow, other = [one["id"] for one in gujarat.case(case)["custody"]]
    gujarat.done(case, "died", custody=[cow], cause="a snake")
    gujarat.done(case, "identify", party="Ramesh", by="decider", custody=[other])
    due = gujarat.case(case)["dues"][0]["total"]
    gujarat.done(
        case, "release", party="Ramesh", custody=[other], paid_paise=due, declaration="signed"
    )
    gujarat.done(case, "correct_custody", by="decider", restore=[cow], reason="it only slept")
    final = gujarat.act(case, "correct_custody", by="decider", restore=[other], reason="no")
    gujarat.done(case, "died", custody=[cow], cause="this time it did")
    states = {one["id"]: one["state"] for one in gujarat.case(case)["custody"]}

    assert (final.status_code, final.json["code"]) == (409, "head.final")
    assert states == {cow: "died", other: "released_paid"}
