"""Pulls over HTTP: everything visible comes exactly once, in pages, and always to an end."""

from __future__ import annotations

import pytest
from flask import Flask

from fieldapi.ids import new_id
from tests.support.personas import Village
from tests.support.phones import phone_of
from tests.support.reports import push_body

pytestmark = pytest.mark.database


def test_7_11_pull_in_pages_ends_and_repeats_nothing(app: Flask, village: Village) -> None:
    asha, bina = phone_of(app, village["asha"]), phone_of(app, village["bina"])
    ids = {new_id() for _ in range(20)}
    asha.push(*(asha.pen.seizure(one) for one in ids))

    came = bina.pull(limit=5)

    assert sorted(change["id"] for change in came) == sorted(ids)
    assert bina.pull(limit=5) == []


def test_a_later_edit_is_the_only_version_that_comes(app: Flask, village: Village) -> None:
    asha, bina = phone_of(app, village["asha"]), phone_of(app, village["bina"])
    seizure = new_id()
    asha.push(asha.pen.seizure(seizure))
    base = {"ground": [asha.pen.written[-1]["op"]]}
    asha.push(asha.pen.op("seizure", seizure, set={"ground": "straying"}, base=base))

    came = bina.pull()

    assert [change["record"]["ground"] for change in came] == ["straying"]
    assert came[0]["reviews"] == []


def test_other_field_staff_see_a_report_in_short(app: Flask, village: Village) -> None:
    asha, ravi = phone_of(app, village["asha"]), phone_of(app, village["ravi"])
    seizure = new_id()
    asha.push(
        asha.pen.seizure(seizure),
        asha.pen.op("seizure", seizure, set={"owner.name": "Ramesh", "remarks": "secret"}),
    )

    ravi.pull()

    shown = ravi.shown("seizure", seizure)
    assert shown["ground"] == "trespass"
    assert not {"owner.name", "remarks", "capacity"} & shown.keys()


def test_another_authority_pulls_nothing(app: Flask, village: Village) -> None:
    asha, chetan = phone_of(app, village["asha"]), phone_of(app, village["chetan"])
    asha.push(asha.pen.seizure(new_id()))

    assert chetan.pull() == []


def test_a_foreign_cursor_is_refused(app: Flask, village: Village) -> None:
    asha, bina = phone_of(app, village["asha"]), phone_of(app, village["bina"])
    asha.pull()

    answer = bina.client.post("/api/v1/sync", json=push_body([], cursor=asha.cursor))

    assert (answer.status_code, answer.json["type"]) == (400, "urn:fieldapi:problem:bad-request")


def test_7_12_ones_own_push_comes_back_once(app: Flask, village: Village) -> None:
    asha = phone_of(app, village["asha"])
    seizure = new_id()

    asha.push(asha.pen.seizure(seizure))

    assert [change["id"] for change in asha.pull()] == [seizure]
    assert asha.pull() == []
