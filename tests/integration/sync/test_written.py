"""A page is written from what rows keep as JSON; it says what the same records say as values."""

from __future__ import annotations

import pytest
from flask import Flask

from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.queries import sights, views
from tests.support.personas import Village
from tests.support.phones import TestPhone, phone_of
from tests.support.reports import Body, photo_body

pytestmark = pytest.mark.database


def odd_records(asha: TestPhone, second: TestPhone) -> list[Body]:
    """Records of every kind of page: plain, named, with a set, withdrawn and back, in conflict."""
    plain, named, lot, back, photo = (new_id() for _ in range(5))
    other = second.pen.op("animal", lot, set={"count": 9, "kind": "cow"})
    ops = [
        asha.pen.seizure(plain, remarks='a "quoted" word, "withdrawn": गाय'),
        asha.pen.seizure(named, reference="RJK/7"),
        asha.pen.animal(lot, plain, "buffalo", 2),
        asha.pen.op("animal", lot, add={"ear_tags": ["340123456789", "340123456780"]}),
        asha.pen.op("animal", lot, strike={"ear_tags": [{"key": "340123456780", "ops": []}]}),
        asha.pen.seizure(back),
        asha.pen.op("seizure", back, retract={"reason": "twice"}, base={"withdrawn": [], "*": []}),
    ]
    undone = {"withdrawn": [ops[-1]["op"]], "*": []}
    ops.append(asha.pen.op("seizure", back, retract=False, base=undone))
    announced = photo_body(b"a photo") | {"seizure_id": plain}
    announced.pop("id")
    ops.append(asha.pen.op("photo", photo, new=True, set=announced))
    second.push(other)
    return ops


def test_page_says_what_the_records_say(
    app: Flask, house: House, village: Village, asha: TestPhone, second: TestPhone
) -> None:
    asha.push(*odd_records(asha, second))
    intake = {"received_at": "2026-11-30T06:00:00.000Z", "pound_id": village.pound_id}
    mohan = phone_of(app, village["mohan"])
    mohan.push(mohan.pen.op("intake", new_id(), new=True, set=intake))

    came = phone_of(app, village["bina"]).pull()

    keys = [(one["kind"], one["id"]) for one in came]
    with house.database.read() as session:
        loaded = views.load(session, village.rjk, keys)
        told = [
            {**sights.put(loaded.rows[key], loaded, views.WHOLE, one["rev"]), "seq": one["seq"]}
            for key, one in zip(keys, came, strict=True)
        ]
    assert {kind for kind, _ in keys} == {"seizure", "animal", "photo", "intake"}
    assert came == told
    assert any(one["reviews"] for one in came)
