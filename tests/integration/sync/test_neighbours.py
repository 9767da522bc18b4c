"""Reports that may be about one seizure: both are kept, each is flagged with the other."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import select

from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.models import Flag, JobFailure, Seizure
from fieldapi.pending import runner_of
from fieldapi.services import neighbours
from tests.support.house import AsPerson
from tests.support.phones import TestPhone
from tests.support.reports import FIELD, photo_body

pytestmark = pytest.mark.database

NEARBY = {**FIELD, "lat": FIELD["lat"] + 0.001}  # some 110 m away
ELSEWHERE = {**FIELD, "lat": FIELD["lat"] + 0.01}
BEYOND = {**FIELD, "lat": FIELD["lat"] + 0.0019}  # some 211 m


def reported(phone: TestPhone, kind: str = "cow", *, tag: str = "", **fields: Any) -> str:
    seizure, lot = new_id(), new_id()
    ops = [phone.pen.seizure(seizure, **fields), phone.pen.animal(lot, seizure, kind, 2)]
    if tag:
        ops.append(phone.pen.op("animal", lot, add={"ear_tags": [tag]}))
    phone.push(*ops)
    return seizure


def flags(as_person: AsPerson, seizure: str) -> list[str]:
    found = as_person("bina").get(f"/api/v1/seizures/{seizure}").json["flags"]
    return sorted(one if isinstance(one, str) else one["flag"] for one in found)


def test_7_16_two_reports_of_one_seizure_are_kept_and_linked(
    house: House, as_person: AsPerson, asha: TestPhone, ravi: TestPhone
) -> None:
    one, two = reported(asha), reported(ravi, location=NEARBY)
    asha.pull()

    assert runner_of(house).run_once() > 0

    for seizure in (one, two):
        assert "possible_duplicate" in flags(as_person, seizure)
    assert {one, two} <= {change["id"] for change in asha.pull()}
    with house.database.read() as session:
        query = select(Flag.record_id, Flag.detail).where(Flag.flag == "possible_duplicate")
        linked = {record: json.loads(detail) for record, detail in session.execute(query)}
    assert linked == {one: {"seizures": [two]}, two: {"seizures": [one]}}


def test_7_16_reports_far_apart_of_other_kinds_or_by_one_person_are_not_linked(
    house: House, as_person: AsPerson, asha: TestPhone, ravi: TestPhone
) -> None:
    mine = [reported(asha), reported(asha)]
    yours = [
        reported(ravi, location=ELSEWHERE),
        reported(ravi, location=BEYOND),
        reported(ravi, "goat"),
        reported(ravi, seized_at="2026-11-30T07:10:00.001Z"),
        reported(ravi, seized_at="2026-11-29T20:00:00.000Z"),
    ]

    runner_of(house).run_once()

    assert [one for one in (*mine, *yours) if "possible_duplicate" in flags(as_person, one)] == []


def test_one_reference_on_two_reports_is_flagged_on_both(
    house: House, as_person: AsPerson, asha: TestPhone, ravi: TestPhone
) -> None:
    both = [reported(one, reference="RJK-07-2611-0042-G") for one in (asha, ravi)]
    alone = reported(asha, reference="RJK-07-2611-0043-G")

    runner_of(house).run_once()

    assert "reference_reused" not in flags(as_person, alone)
    assert all("reference_reused" in flags(as_person, one) for one in both)


def test_what_was_compared_is_not_compared_again(
    house: House, asha: TestPhone, ravi: TestPhone
) -> None:
    reported(asha)
    reported(ravi)
    runner = runner_of(house)

    while runner.run_once():
        pass

    assert runner.run_once() == 0


def test_comparing_a_known_pair_again_goes_well_and_goes_on(
    house: House, as_person: AsPerson, asha: TestPhone, ravi: TestPhone
) -> None:
    runner = runner_of(house)
    reported(asha)
    reported(ravi, location=NEARBY)
    while runner.run_once():
        pass

    third, fourth = reported(asha, location=ELSEWHERE), reported(ravi, location=ELSEWHERE)

    while runner.run_once():
        pass
    with house.database.read() as session:
        assert session.scalars(select(JobFailure)).all() == []
    assert all("possible_duplicate" in flags(as_person, one) for one in (third, fourth))


def pairs(as_person: AsPerson, **query: str) -> list[Any]:
    answer = as_person("bina").get("/api/v1/duplicates", query_string=query)
    assert answer.status_code == 200, answer.json
    found: list[Any] = answer.json["items"]
    return found


def decide(as_person: AsPerson, who: str, pair: str, outcome: str, **more: str) -> Any:
    body = {"id": new_id(), "outcome": outcome, "reason": "the photos show one herd", **more}
    return as_person(who).post(f"/api/v1/duplicates/{pair}/decision", json=body)


def test_one_person_who_tells_of_one_ear_tag_twice_makes_a_pair(
    house: House, as_person: AsPerson, asha: TestPhone
) -> None:
    one, two = (reported(asha, kind, tag="100020003000") for kind in ("cow", "calf"))

    runner_of(house).run_once()

    (pair,) = pairs(as_person, seizure=one)
    assert (sorted(pair["seizures"]), pair["state"]) == (sorted((one, two)), "open")
    assert pair["grounds"]["tags"] == ["100020003000"]


def test_tag_makes_a_pair_of_reports_without_a_place_and_many_make_twenty(
    house: House, as_person: AsPerson, asha: TestPhone, ravi: TestPhone
) -> None:
    many = [new_id() for _ in range(21)]
    asha.push(
        *(asha.pen.seizure(id) for id in many),
        *(asha.pen.animal(new_id(), id, "cow", 2) for id in many),
    )
    one = reported(ravi, "goat", tag="100020003000", location=None)
    two = reported(asha, "calf", tag="100020003000", location=ELSEWHERE)
    reported(ravi, "calf", tag="100020003001", location=None)
    last = reported(ravi)

    runner_of(house).run_once()

    (pair,) = pairs(as_person, seizure=one)
    assert sorted(pair["seizures"]) == sorted((one, two))
    found = pairs(as_person, seizure=last)
    assert len(found) >= 20
    assert {id for pair in found for id in pair["seizures"]} <= {*many, last}


@pytest.mark.parametrize("is_told_by_the_older", [True, False])
def test_like_photos_make_a_pair_whichever_of_the_two_the_doubt_stands_on(
    house: House, as_person: AsPerson, asha: TestPhone, *, is_told_by_the_older: bool
) -> None:
    one, two = reported(asha, location=None), reported(asha, "goat")
    photos = []
    for report in (one, two):
        announced = photo_body(report.encode())
        photos.append(announced.pop("id"))
        op = asha.pen.op("photo", photos[-1], new=True, set={**announced, "seizure_id": report})
        asha.push(op)
    said = {photo: [new_id()] for photo in photos}
    said[photos[not is_told_by_the_older]] = [photos[is_told_by_the_older]]

    with house.database.unit() as unit:
        at = unit.session.scalars(select(Seizure.authority_id).where(Seizure.id == one)).one()
        for photo, others in said.items():
            row = Flag(authority_id=at, kind="photo", record_id=photo)
            row.flag, row.detail, row.at = "photo_similar", json.dumps({"photos": others}), unit.now
            unit.session.add(row)
        unit.session.flush()
        neighbours.compare(unit, at)

    (pair,) = pairs(as_person, seizure=one)
    assert sorted(pair["seizures"]) == sorted((one, two))


def test_pair_stands_side_by_side_and_is_told_apart_with_a_reason(
    house: House, as_person: AsPerson, asha: TestPhone, ravi: TestPhone
) -> None:
    one, two = reported(asha), reported(ravi, location=NEARBY)
    runner = runner_of(house)
    runner.run_once()
    (pair,) = pairs(as_person, state="open")
    beside = as_person("bina").get(f"/api/v1/duplicates/{pair['id']}").json

    bare = decide(as_person, "bina", pair["id"], "dismissed", reason=" ")
    apart = decide(as_person, "bina", pair["id"], "dismissed")

    assert {report["id"] for report in beside["reports"]} == {one, two}
    assert (bare.status_code, apart.status_code) == (422, 201)
    assert not any("possible_duplicate" in flags(as_person, each) for each in (one, two))
    reported(asha, location=NEARBY)
    while runner.run_once():
        pass
    assert [each["id"] for each in pairs(as_person, state="dismissed")] == [pair["id"]]


def test_linked_pair_keeps_its_flag_and_may_be_told_apart_later(
    house: House, as_person: AsPerson, asha: TestPhone, ravi: TestPhone
) -> None:
    one, _ = reported(asha), reported(ravi, location=NEARBY)
    runner_of(house).run_once()
    (pair,) = pairs(as_person)

    linked = decide(as_person, "bina", pair["id"], "linked")
    again = decide(as_person, "bina", pair["id"], "linked")

    assert (linked.json["state"], again.status_code) == ("linked", 409)
    assert "possible_duplicate" in flags(as_person, one)
    assert decide(as_person, "bina", pair["id"], "dismissed").status_code == 201
    assert "possible_duplicate" not in flags(as_person, one)
