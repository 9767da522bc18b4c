"""What could not be used is corrected by an op of its own, or merged once the server knows it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from types import MappingProxyType

import pytest
from flask import Flask

from fieldapi import ledger
from fieldapi.domain import checks, records
from fieldapi.domain import values as value
from fieldapi.domain.records import SEIZURE, RecordField
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.jobs import JobRunner
from fieldapi.pending import jobs_of
from fieldapi.services import replay
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.phones import TestPhone, phone_of
from tests.support.reports import FIELD, Body, push_body

pytestmark = pytest.mark.database
NOWHERE = {"lat": 999, "lon": 70}


@pytest.fixture
def newer() -> Iterator[None]:
    """Nothing yet: what `upgrade` changes is put back."""
    fields = SEIZURE.fields
    yield
    object.__setattr__(SEIZURE, "fields", fields)
    records.merge_kind.cache_clear()


def upgrade(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the server know the next schema: a seizure has a weather."""
    row = RecordField("weather", "latest", value.SHORT)
    fields = MappingProxyType({**SEIZURE.fields, row.name: row})
    object.__setattr__(SEIZURE, "fields", fields)
    for module in (records, checks):
        monkeypatch.setattr(module, "SCHEMA_VERSION", 2)
    records.merge_kind.cache_clear()


def merge_deferred(house: House) -> int:
    """Run that job; return how many ops it took."""
    jobs = [job for job in jobs_of(house) if job.name == "deferred fields"]
    return JobRunner(house.database, jobs, lock=house.settings.data / "jobs.lock").run_once()


def half_bad(asha: TestPhone, seizure: str) -> Body:
    """Hand in a report of which the place and the ground cannot be used."""
    op = asha.pen.seizure(seizure, location=NOWHERE, ground="nonsense")
    result = asha.push(op)[0]
    assert (result["status"], result["applied"]) == ("quarantined", True)
    return op


def fix(phone: TestPhone, bad: Body, **fields: object) -> Body:
    base = {name: [bad["op"]] for name in fields}
    return phone.pen.op("seizure", bad["id"], set=fields, base=base, fixes=bad["op"])


def assert_integrity(house: House, village: Village) -> None:
    with house.database.read() as session:
        assert ledger.verify(session, village.rjk, house.keys).faults == ()
        assert replay.check(session, village.rjk).differences == ()


def test_corrected_fields_make_the_original_good(
    house: House, village: Village, asha: TestPhone
) -> None:
    seizure = new_id()
    bad = half_bad(asha, seizure)

    first = fix(asha, bad, location=FIELD)
    asha.push(first)
    half = asha.push(bad)[0]
    last = fix(asha, bad, ground="straying")
    asha.push(last)
    whole = asha.push(bad)[0]

    assert (half["status"], half["fields"]["ground"]["code"]) == ("quarantined", "invalid-value")
    assert (whole["status"], whole["code"]) == ("applied", "corrected")
    assert whole["by_op"] == f"{asha.pen.actor}/{last['op']}"
    asha.pull()
    assert asha.shown("seizure", seizure)["ground"] == "straying"
    assert [(one["op"], one["status"]) for one in asha.outcomes] == [(bad["op"], "applied")]
    assert_integrity(house, village)


def test_reviewer_corrects_what_the_author_does_not(
    app: Flask, house: House, village: Village, as_person: AsPerson, asha: TestPhone
) -> None:
    bad = half_bad(asha, new_id())
    bina = phone_of(app, village["bina"])

    result = bina.push(fix(bina, bad, location=FIELD, ground="straying"))[0]

    assert result["status"] == "applied"
    asha.pull()
    assert [one["status"] for one in asha.outcomes] == ["applied"]
    assert as_person("bina").get("/api/v1/ops?status=quarantined").json["items"] == []
    assert len(as_person("bina").get("/api/v1/ops?status=corrected").json["items"]) == 1
    assert_integrity(house, village)


def test_correction_that_is_no_better_corrects_nothing(asha: TestPhone) -> None:
    bad = half_bad(asha, new_id())

    asha.push(fix(asha, bad, location=NOWHERE, ground="straying"))

    assert asha.push(bad)[0]["status"] == "quarantined"


def test_somebody_else_corrects_nothing(app: Flask, village: Village, asha: TestPhone) -> None:
    bad = half_bad(asha, new_id())
    mohan = phone_of(app, village["mohan"])
    other = asha.pen.seizure(new_id(), pound_id=village.pound_id)
    asha.push(other)

    moved = mohan.pen.op(
        "seizure",
        other["id"],
        set={"pound_id": village.pound_id},
        base={"pound_id": [other["op"]]},
        fixes=bad["op"],
    )
    assert mohan.push(moved)[0]["status"] == "applied"

    assert asha.push(bad)[0]["status"] == "quarantined"


def test_unreadable_op_is_corrected_by_the_hash_of_its_bytes(
    house: House, village: Village, asha: TestPhone
) -> None:
    seizure = new_id()
    raw = b'{"op": NaN}'
    body = json.dumps(push_body([])).replace('"ops": []', f'"ops": [{raw.decode()}]')
    sent = {"data": body, "content_type": "application/json"}
    assert asha.client.post("/api/v1/sync", **sent).json["results"][0]["code"] == "invalid-json"

    op = asha.pen.seizure(seizure)
    op["fixes"] = hashlib.sha256(raw).hexdigest()
    asha.push(op)

    again = asha.client.post("/api/v1/sync", **sent).json["results"][0]
    assert (again["status"], again["code"]) == ("applied", "corrected")
    asha.pull()
    assert [one["op"] for one in asha.outcomes] == [op["fixes"]]
    assert_integrity(house, village)


def test_released_correction_corrects(
    app: Flask, house: House, village: Village, as_person: AsPerson, asha: TestPhone
) -> None:
    bad = half_bad(asha, new_id())
    ravi = phone_of(app, village["ravi"])
    carried = fix(asha, bad, location=FIELD, ground="straying")
    assert ravi.push(carried)[0]["code"] == "not-yours"

    path = f"/api/v1/ops/{asha.pen.actor}/{carried['op']}/release"
    assert as_person("bina").post(path, json={"reason": "Hers."}).status_code == 200

    assert asha.push(bad)[0]["code"] == "corrected"
    assert_integrity(house, village)


def test_7_13_field_of_a_newer_phone_is_merged_after_the_upgrade(
    house: House,
    village: Village,
    asha: TestPhone,
    newer: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seizure = new_id()
    create = asha.pen.seizure(seizure)
    asha.push(create)
    rain = asha.pen.op(
        "seizure",
        seizure,
        set={"weather": "rain", "ground": "straying"},
        base={"weather": [], "ground": [create["op"]]},
    )
    early = asha.push(rain, schema=2)[0]
    assert early["fields"]["weather"]["code"] == "deferred"
    assert early["fields"]["ground"] == {"shown": "straying"}
    assert merge_deferred(house) == 0

    upgrade(monkeypatch)
    assert merge_deferred(house) == 1

    asha.pull()
    assert asha.shown("seizure", seizure)["weather"] == "rain"
    assert [(one["op"], one["status"]) for one in asha.outcomes] == [(rain["op"], "applied")]
    assert asha.push(rain, schema=2)[0]["fields"]["weather"] == {"shown": "rain"}
    assert merge_deferred(house) == 0
    assert_integrity(house, village)


def test_7_13_deferred_value_that_the_newer_server_cannot_use_is_parked(
    house: House,
    village: Village,
    asha: TestPhone,
    newer: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seizure = new_id()
    asha.push(asha.pen.seizure(seizure))
    odd = asha.pen.op("seizure", seizure, set={"weather": 7, "tide": "low"})
    asha.push(odd, schema=2)

    upgrade(monkeypatch)
    assert merge_deferred(house) == 1

    told = asha.push(odd, schema=2)[0]
    assert {name: said["code"] for name, said in told["fields"].items()} == {
        "weather": "invalid-value",
        "tide": "unknown-field",
    }
    assert merge_deferred(house) == 0
    assert_integrity(house, village)


def test_7_13_old_phone_does_not_blank_what_it_does_not_know(
    app: Flask,
    village: Village,
    asha: TestPhone,
    newer: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    upgrade(monkeypatch)
    seizure = new_id()
    create = asha.pen.seizure(seizure, weather="rain")
    asha.push(create, schema=2)

    base = {"ground": [create["op"]]}
    asha.push(asha.pen.op("seizure", seizure, set={"ground": "straying"}, base=base), schema=1)

    asha.pull()
    shown = asha.shown("seizure", seizure)
    assert (shown["weather"], shown["ground"]) == ("rain", "straying")
