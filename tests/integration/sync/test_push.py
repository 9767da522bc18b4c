"""Pushes over HTTP: each op is answered by itself, and none is lost or applied twice."""

from __future__ import annotations

import gzip
import itertools
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from sqlalchemy import event

from fieldapi.ids import new_id
from fieldapi.unit import Database
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.phones import phone_of
from tests.support.reports import push_body

pytestmark = pytest.mark.database


def test_offline_report_is_applied_and_pulled_by_the_reviewer(app: Flask, village: Village) -> None:
    asha, bina = phone_of(app, village["asha"]), phone_of(app, village["bina"])
    seizure, lot = new_id(), new_id()

    results = asha.push(
        asha.pen.seizure(seizure),
        asha.pen.op("seizure", seizure, set={"owner.name": "Ramesh"}),
        asha.pen.animal(lot, seizure, "buffalo", 2),
    )

    assert [one["status"] for one in results] == ["applied"] * 3
    bina.pull()
    assert bina.shown("seizure", seizure)["owner.name"] == "Ramesh"
    assert bina.shown("animal", lot)["count"] == 2


def test_7_2_resends_in_parallel_have_one_effect(app: Flask, village: Village) -> None:
    asha = phone_of(app, village["asha"])
    ops = [asha.pen.seizure(new_id()) for _ in range(5)]

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: phone_of(app, village["asha"]).push(*ops), range(8)))

    assert all(one["status"] == "applied" for answer in answers for one in answer)
    assert (
        sorted(one["replayed"] for answer in answers for one in answer) == [False] * 5 + [True] * 35
    )
    assert len({json.dumps([one["seq"] for one in answer]) for answer in answers}) == 1


def test_7_3_one_poison_op_never_stops_its_neighbours(app: Flask, village: Village) -> None:
    asha = phone_of(app, village["asha"])
    ids = [new_id() for _ in range(100)]
    ops = [json.dumps(asha.pen.seizure(one)) for one in ids]
    ops[37] = '{"op": "01a2", "set": {"count": NaN}, "deep": ' + "[" * 50_000 + "]" * 50_000 + "}"
    bad = asha.pen.seizure(ids[60], location={"lat": 999, "lon": 70})
    ops[60] = json.dumps(bad)
    body = json.dumps(push_body([])).replace('"ops": []', f'"ops": [{",".join(ops)}]')

    answer = asha.client.post("/api/v1/sync", data=body, content_type="application/json")

    assert answer.status_code == 200
    statuses = [one["status"] for one in answer.json["results"]]
    assert statuses.count("applied") == 98
    assert (statuses[37], answer.json["results"][37]["code"]) == ("quarantined", "invalid-json")
    part = answer.json["results"][60]
    assert (part["status"], part["applied"]) == ("quarantined", True)
    assert part["fields"]["location"]["code"] == "invalid-value"
    assert part["fields"]["ground"] == {"shown": "trespass"}


def test_7_4_two_values_from_one_base_open_a_review(app: Flask, village: Village) -> None:
    asha, mohan = phone_of(app, village["asha"]), phone_of(app, village["mohan"])
    seizure, lot = new_id(), new_id()
    asha.push(
        asha.pen.seizure(seizure, pound_id=village.pound_id),
        asha.pen.animal(lot, seizure, "cow", 5),
    )
    first = asha.pen.written[-1]["op"]

    result = mohan.push(mohan.pen.op("animal", lot, set={"count": 9}, base={"count": [first]}))

    assert result[0]["status"] == "conflict", result
    bina = phone_of(app, village["bina"])
    bina.pull()
    review = bina.records["animal", lot]["reviews"][0]
    assert (review["field"], review["state"]) == ("count", "open")
    assert sorted(head["v"] for head in review["heads"]) == [5, 9]


def test_7_15_same_id_with_other_content_is_kept_apart(app: Flask, village: Village) -> None:
    asha = phone_of(app, village["asha"])
    seizure = new_id()
    op = asha.pen.seizure(seizure)
    asha.push(op)

    other = asha.push({**op, "set": {"ground": "straying"}})

    assert (other[0]["status"], other[0]["code"]) == ("quarantined", "id-reuse")
    again = asha.push({**op, "set": {"ground": "straying"}})
    assert again[0]["replayed"] is True
    asha.pull()
    assert asha.shown("seizure", seizure)["ground"] == "trespass"


def test_another_persons_record_is_held(app: Flask, village: Village) -> None:
    asha, ravi = phone_of(app, village["asha"]), phone_of(app, village["ravi"])
    seizure = new_id()
    asha.push(asha.pen.seizure(seizure))

    result = ravi.push(ravi.pen.op("seizure", seizure, set={"ground": "straying"}))

    assert (result[0]["status"], result[0]["code"]) == ("held", "not-yours")
    asha.pull()
    assert asha.shown("seizure", seizure)["ground"] == "trespass"


def test_op_before_its_create_is_held_when_the_author_turns_out_to_be_another(
    app: Flask, village: Village
) -> None:
    asha, ravi = phone_of(app, village["asha"]), phone_of(app, village["ravi"])
    seizure = new_id()
    early = ravi.push(ravi.pen.op("seizure", seizure, set={"remarks": "mine?"}))
    assert early[0]["status"] == "applied"

    asha.push(asha.pen.seizure(seizure))

    asha.pull()
    assert "remarks" not in asha.shown("seizure", seizure)
    again = ravi.push(ravi.pen.written[0])
    assert (again[0]["status"], again[0]["code"]) == ("held", "not-yours")


def test_child_before_parent_is_taken(app: Flask, village: Village) -> None:
    asha = phone_of(app, village["asha"])
    seizure, lot = new_id(), new_id()

    first = asha.push(asha.pen.animal(lot, seizure, "goat", 4))
    asha.push(asha.pen.seizure(seizure))

    assert first[0]["status"] == "applied"
    asha.pull()
    assert asha.shown("animal", lot)["seizure_id"] == seizure


def test_7_14_unknown_token_applies_nothing(app: Flask, village: Village) -> None:
    asha = phone_of(app, village["asha"])
    op = asha.pen.seizure(new_id())

    refused = app.test_client().post(
        "/api/v1/sync", json=push_body([op]), headers={"Authorization": "Bearer csd1_x"}
    )

    assert refused.status_code == 401
    assert asha.push(op)[0]["replayed"] is False


def test_7_10_gzip_bomb_is_refused_before_it_is_inflated(as_person: AsPerson) -> None:
    bomb = gzip.compress(b"0" * (64 * 1024 * 1024))

    answer = as_person("asha").post(
        "/api/v1/sync",
        data=bomb,
        headers={"Content-Encoding": "gzip", "Content-Type": "application/json"},
    )

    assert (answer.status_code, answer.json["type"]) == (413, "urn:fieldapi:problem:too-large")


def test_push_of_many_reports_asks_no_more_than_one_of_few(
    app: Flask, village: Village, database: Database
) -> None:
    asha, asked = phone_of(app, village["asha"]), []
    asha.push(asha.pen.seizure(new_id()))
    event.listen(database.engine, "before_cursor_execute", lambda *args: asked.append(args[2]))

    def questions(reports: int) -> int:
        asked.clear()
        asha.push(*(asha.pen.seizure(new_id()) for _ in range(reports)))
        return sum(one.startswith("SELECT") for one in asked)

    assert questions(12) == questions(2)


@pytest.mark.parametrize("pieces,status", [(2, 200), (17, 400)])
def test_gzip_of_a_few_members_is_one_body(as_person: AsPerson, pieces: int, status: int) -> None:
    body = json.dumps(push_body([])).encode()
    ends = [len(body) * at // pieces for at in range(pieces + 1)]
    members = b"".join(gzip.compress(body[a:b]) for a, b in itertools.pairwise(ends))

    answer = as_person("asha").post(
        "/api/v1/sync",
        data=members,
        headers={"Content-Encoding": "gzip", "Content-Type": "application/json"},
    )

    assert answer.status_code == status


def test_gzip_goes_both_ways(as_person: AsPerson) -> None:
    body = gzip.compress(json.dumps(push_body([])).encode())

    answer = as_person("asha").post(
        "/api/v1/sync",
        data=body,
        headers={
            "Content-Encoding": "gzip",
            "Content-Type": "application/json",
            "Accept-Encoding": "gzip",
        },
    )

    assert answer.status_code == 200
