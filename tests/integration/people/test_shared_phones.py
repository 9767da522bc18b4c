"""Several people on one phone: each is named inside their ops, and nobody else is."""

from __future__ import annotations

import pytest
from flask import Flask

from fieldapi.ids import new_id
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.phones import phone_of
from tests.support.reports import Pen


def said(as_person: AsPerson, village: Village, verb: str, name: str = "ravi") -> int:
    path = f"/api/v1/devices/{village['asha'].device_id}/people/{village[name].person_id}/{verb}"
    return as_person("admin").post(path).status_code


@pytest.mark.database
def test_person_joins_a_phone_and_leaves_it(
    app: Flask, as_person: AsPerson, village: Village
) -> None:
    phone = phone_of(app, village["asha"])
    ravi = Pen(village["asha"].actor, village["ravi"].person_id)
    assert phone.push(ravi.seizure(new_id()))[0]["status"] == "held"

    assert said(as_person, village, "join") == said(as_person, village, "join") == 200
    assert phone.push(ravi.seizure(new_id()))[0]["status"] == "applied"
    named = as_person("asha").get("/api/v1/me").get_json()["people"]
    assert {one["name"] for one in named} == {"Asha", "Ravi"}
    assert said(as_person, village, "leave") == said(as_person, village, "leave") == 200
    assert phone.push(ravi.seizure(new_id()))[0]["status"] == "held"


def test_person_of_elsewhere_joins_no_phone(as_person: AsPerson, village: Village) -> None:
    assert said(as_person, village, "join", "chetan") == 404
    assert said(as_person, village, "leave", "chetan") == 404


def test_owner_of_a_phone_does_not_leave_it(as_person: AsPerson, village: Village) -> None:
    assert said(as_person, village, "leave", "asha") == 409


def test_ended_phone_is_shared_by_nobody(as_person: AsPerson, village: Village) -> None:
    as_person("admin").post(f"/api/v1/devices/{village['asha'].device_id}/revoke", json={})

    assert said(as_person, village, "join") == 409
