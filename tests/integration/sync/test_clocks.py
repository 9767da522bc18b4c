"""Clocks that are years off, clocks that are set back, and phones that were copied: all is kept."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from fieldapi.clock import to_ms
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.models import OpRow
from tests.support.clock import StoppedClock
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.phones import TestPhone, phone_of
from tests.support.reports import Body

pytestmark = pytest.mark.database

DAY = 86_400_000
OWN_NOW = "2026-11-30T04:30:00.000Z"  # the server's clock of the tests


@pytest.fixture
def asha(app: Flask, village: Village, clock: StoppedClock) -> TestPhone:
    phone = phone_of(app, village["asha"])
    phone.pen.now_ms = to_ms(clock.now) - 3_600_000
    return phone


def report(asha: TestPhone, at: int, **fields: Any) -> Body:
    """Write a report with this wall clock; its stamp only grows."""
    op = asha.pen.seizure(new_id(), **fields)
    return {**op, "at": at}


def is_suspect(as_person: AsPerson, seizure: str) -> bool:
    return "clock_suspect" in as_person("bina").get(f"/api/v1/seizures/{seizure}").json["flags"]


def stored(house: House, op: Body) -> OpRow:
    with house.database.read() as session:
        return session.scalars(select(OpRow).where(OpRow.op == op["op"])).one()


@pytest.mark.parametrize(
    "device_now, shift, expected",
    [
        ("1970-01-01T00:05:00.000Z", 0, "captured"),  # `at` right, the clock lost at sync
        (OWN_NOW, None, "enrolled"),  # `at` 1970, the clock right at sync
        (OWN_NOW, 400 * DAY, "received"),  # +400 days
    ],
    ids=["clock-lost-at-sync", "clock-lost-at-capture", "future"],
)
def test_7_5_clock_that_is_years_off_is_taken_as_it_is_and_flagged(
    house: House,
    village: Village,
    as_person: AsPerson,
    clock: StoppedClock,
    asha: TestPhone,
    device_now: str,
    shift: int | None,
    expected: str,
) -> None:
    clock.move(hours=2)
    captured = to_ms(clock.now) - 1_800_000
    op = report(asha, 300_000 if shift is None else captured + shift)
    now = device_now if device_now != OWN_NOW else "2026-11-30T06:30:00.000Z"

    result = asha.push(op, device_now=now)[0]

    assert result["status"] == "applied"
    row = stored(house, op)
    assert row.at == op["at"]
    limits = {
        "captured": captured,
        "enrolled": to_ms(clock.now) - 7_200_000,
        "received": to_ms(clock.now) + 60_000,
    }
    assert row.effective == limits[expected]
    assert is_suspect(as_person, op["id"])


@pytest.mark.parametrize("at", [300_000, None], ids=["1970", "ahead"])
def test_7_5_wrong_clock_beats_no_honest_later_edit(
    as_person: AsPerson, clock: StoppedClock, asha: TestPhone, at: int | None
) -> None:
    clock.move(hours=2)
    now = "2026-11-30T06:30:00.000Z"
    first = report(asha, to_ms(clock.now) + 400 * DAY if at is None else at)
    asha.push(first, device_now=now)
    clock.move(hours=1)
    base = {"ground": [first["op"]]}
    second = asha.pen.op("seizure", first["id"], set={"ground": "straying"}, base=base)

    asha.push({**second, "at": to_ms(clock.now) - 60_000}, device_now="2026-11-30T07:30:00.000Z")

    shown = as_person("bina").get(f"/api/v1/seizures/{first['id']}").json
    assert (shown["ground"], shown["reviews"]) == ("straying", [])


def test_7_5_clock_set_back_between_two_edits_changes_no_order(
    as_person: AsPerson, clock: StoppedClock, asha: TestPhone
) -> None:
    clock.move(hours=2)
    first = report(asha, to_ms(clock.now) - 60_000)
    base = {"ground": [first["op"]]}
    second = asha.pen.op("seizure", first["id"], set={"ground": "straying"}, base=base)

    asha.push(first, {**second, "at": first["at"] - DAY}, device_now="2026-11-30T06:30:00.000Z")

    shown = as_person("bina").get(f"/api/v1/seizures/{first['id']}").json
    assert shown["ground"] == "straying"
    assert "clock_suspect" in shown["flags"]


def test_honest_clock_is_not_suspect(
    as_person: AsPerson, clock: StoppedClock, asha: TestPhone
) -> None:
    op = asha.pen.seizure(new_id())
    later = asha.pen.seizure(new_id())

    asha.push(op, device_now=OWN_NOW)
    asha.push(later, device_now=OWN_NOW)

    assert not is_suspect(as_person, op["id"])
    assert not is_suspect(as_person, later["id"])


def test_stamp_that_runs_against_the_counter_is_suspect(
    as_person: AsPerson, asha: TestPhone
) -> None:
    first, second = asha.pen.seizure(new_id()), asha.pen.seizure(new_id())
    asha.push({**first, "n": second["n"]}, device_now=OWN_NOW)

    asha.push({**second, "n": first["n"]}, device_now=OWN_NOW)

    assert is_suspect(as_person, second["id"])


def twin(asha: TestPhone, op: Body) -> Body:
    """Return another op under the same stamp, as a copied phone writes it."""
    other = asha.pen.seizure(new_id())
    return {**other, "t": op["t"], "n": op["n"], "at": op["at"]}


@pytest.mark.parametrize("is_one_batch", [True, False])
def test_7_22_copied_phone_loses_no_value_and_is_flagged(
    house: House,
    village: Village,
    as_person: AsPerson,
    asha: TestPhone,
    *,
    is_one_batch: bool,
) -> None:
    op = asha.pen.seizure(new_id())
    copy = twin(asha, op)

    batches = [[op, copy]] if is_one_batch else [[op], [copy]]
    results = [result for batch in batches for result in asha.push(*batch)]

    assert [one["status"] for one in results] == ["applied", "applied"]
    url = f"/api/v1/devices/{village['asha'].device_id}"
    assert as_person("admin").get(url).json["is_cloned"] is True
    asha.pull()
    assert {("seizure", op["id"]), ("seizure", copy["id"])} <= asha.records.keys()


def test_7_22_values_of_a_copied_phone_stand_beside_each_other(
    as_person: AsPerson, asha: TestPhone
) -> None:
    create = asha.pen.seizure(new_id())
    base = {"ground": [create["op"]]}
    one = asha.pen.op("seizure", create["id"], set={"ground": "straying"}, base=base)
    other = {**one, "op": new_id(), "set": {"ground": "trespass_with_damage"}}
    asha.push(create)

    statuses = [asha.push(op)[0]["status"] for op in (one, other)]

    assert statuses == ["applied", "conflict"]
    (review,) = as_person("bina").get(f"/api/v1/seizures/{create['id']}").json["reviews"]
    assert sorted(head["v"] for head in review["heads"]) == ["straying", "trespass_with_damage"]


def test_phone_that_only_resends_is_no_copy(
    village: Village, as_person: AsPerson, asha: TestPhone
) -> None:
    ops = [asha.pen.seizure(new_id()) for _ in range(3)]
    for batch in (ops[2:], ops, ops[:1]):
        asha.push(*batch)

    url = f"/api/v1/devices/{village['asha'].device_id}"
    assert as_person("admin").get(url).json["is_cloned"] is False


def test_gap_in_the_counter_is_shown_and_refuses_nothing(
    village: Village, as_person: AsPerson, asha: TestPhone
) -> None:
    ops = [asha.pen.seizure(new_id()) for _ in range(9)]
    assert [one["status"] for one in asha.push(ops[1], ops[2], ops[6])] == ["applied"] * 3

    url = f"/api/v1/devices/{village['asha'].device_id}"
    assert as_person("admin").get(url).json["missing"] == [[1, 1], [4, 6]]

    asha.push(*ops)
    assert as_person("admin").get(url).json["missing"] == []
