"""What a phone learns of itself in one request."""

from __future__ import annotations

import json

import pytest
from flask import Flask

from fieldapi.domain.records import SCHEMA_VERSION
from fieldapi.services import places
from fieldapi.services.authorise import operator
from fieldapi.services.places import NewPlace
from fieldapi.unit import Database
from tests.support.house import AsPerson, client_with
from tests.support.personas import Village, enrol


@pytest.mark.database
def test_phone_learns_who_where_and_under_which_act(as_person: AsPerson, village: Village) -> None:
    me = as_person("asha").get("/api/v1/me").get_json()
    assert me["person"]["id"] == village["asha"].person_id
    assert me["roles"] == ["reporter"]
    assert me["authority"]["code"] == "RJK"
    assert {pound["id"] for pound in me["pounds"]} == {village.pound_id, village.other_pound_id}
    assert me["statute"]["series"] == "gujarat"
    assert (me["schema"], me["protocol"]) == (SCHEMA_VERSION, 1)
    assert me["server_now"] == "2026-11-30T04:30:00.000Z"


def test_statute_brings_the_words_of_the_forms(as_person: AsPerson) -> None:
    statute = as_person("chetan").get("/api/v1/me").get_json()["statute"]
    assert statute["series"] == "kerala"
    assert statute["transit_hours"] == 24
    named = ("kinds", "capacities", "grounds", "place_kinds")
    assert all(one["code"] and one["label"] for name in named for one in statute[name])


def test_labels_come_in_the_language_asked_for(as_person: AsPerson) -> None:
    asha = as_person("asha")
    english = asha.get("/api/v1/me").get_json()["statute"]["kinds"]
    gujarati = asha.get("/api/v1/me?language=gu").get_json()["statute"]["kinds"]
    assert [one["code"] for one in english] == [one["code"] for one in gujarati]
    assert [one["label"] for one in english] != [one["label"] for one in gujarati]


def test_unknown_language_is_refused(as_person: AsPerson) -> None:
    assert as_person("asha").get("/api/v1/me?language=xx").status_code == 400


def test_keeper_learns_the_own_pounds(as_person: AsPerson, village: Village) -> None:
    assert as_person("mohan").get("/api/v1/me").get_json()["keeps"] == [village.pound_id]
    assert as_person("asha").get("/api/v1/me").get_json()["keeps"] == []


def test_device_names_who_may_write_on_it(as_person: AsPerson, village: Village) -> None:
    me = as_person("asha").get("/api/v1/me").get_json()
    assert me["people"] == [{"id": village["asha"].person_id, "name": "Asha"}]
    assert me["device"]["actor"] == village["asha"].actor


@pytest.mark.database
def test_places_come_in_both_scripts(
    as_person: AsPerson, database: Database, village: Village
) -> None:
    stand = NewPlace("Rajkot bus stand", "રાજકોટ બસ સ્ટેન્ડ", 22.29, 70.79)
    boss = operator(village.rjk)
    database.transact(lambda unit: places.import_many(unit, boss, [stand]))
    (place,) = as_person("asha").get("/api/v1/me").get_json()["places"]
    assert (place["name"], place["local_name"]) == ("Rajkot bus stand", "રાજકોટ બસ સ્ટેન્ડ")
    assert as_person("chetan").get("/api/v1/me").get_json()["places"] == []


def test_pending_phone_learns_that_it_waits(
    app: Flask, database: Database, village: Village
) -> None:
    asha = village["asha"]
    token = enrol(database, village.rjk, asha.person_id, is_confirmed=False).token
    device = client_with(app, token).get("/api/v1/me").get_json()["device"]
    assert (device["standing"], device["confirmed"]) == ("pending", False)


def test_nothing_of_other_authorities_is_told(as_person: AsPerson, village: Village) -> None:
    told = json.dumps(as_person("chetan").get("/api/v1/me").get_json())
    assert village.rjk not in told
    assert village.pound_id not in told
