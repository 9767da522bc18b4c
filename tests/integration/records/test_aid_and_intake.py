"""Aid and intake by REST: the same path as a seizure, under the rights of their own kind."""

from __future__ import annotations

from typing import Any

import pytest

from fieldapi.ids import new_id
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.reports import SEIZED_AT, photo_body, seizure_body

pytestmark = pytest.mark.database


def _aid(**changes: Any) -> dict[str, Any]:
    return {
        "id": new_id(),
        "ground": "rescue_committed",
        "rendered": True,
        "requested_at": SEIZED_AT,
        "officer": {"name": "R. Jadeja", "rank": "Constable"},
        "photos": [photo_body(b"the rescue")],
        **changes,
    }


def test_police_record_the_help_they_gave(as_person: AsPerson) -> None:
    body = _aid()

    created = as_person("ravi").post("/api/v1/aids", json=body)

    assert created.status_code == 201, created.json
    read = as_person("bina").get(f"/api/v1/aids/{body['id']}")
    assert read.json["officer"] == {"name": "R. Jadeja", "rank": "Constable"}
    assert len(read.json["photos"]) == 1
    assert as_person("asha").get(f"/api/v1/aids/{body['id']}").status_code == 404


def test_aid_by_one_who_is_not_police_is_kept_for_a_reviewer(as_person: AsPerson) -> None:
    answer = as_person("asha").post("/api/v1/aids", json=_aid(photos=[]))

    assert (answer.status_code, answer.json["state"]) == (202, "held")


def test_keeper_records_what_arrived_at_his_pound(as_person: AsPerson, village: Village) -> None:
    report = seizure_body(pound_id=village.pound_id, photos=[])
    as_person("asha").post("/api/v1/seizures", json=report)
    body = {
        "id": new_id(),
        "seizure_id": report["id"],
        "pound_id": village.pound_id,
        "received_at": "2026-11-30T05:40:00.000Z",
        "counts": [{"kind": "buffalo", "count": 2}, {"kind": "cow", "count": 2}],
    }

    created = as_person("mohan").post("/api/v1/intakes", json=body)

    assert created.status_code == 201, created.json
    assert created.json["counts"] == body["counts"]
    assert as_person("mohan").post("/api/v1/intakes", json=body).status_code == 200
    elsewhere = {**body, "id": new_id(), "pound_id": village.other_pound_id}
    seizure = seizure_body(pound_id=village.other_pound_id, photos=[])
    as_person("asha").post("/api/v1/seizures", json=seizure)
    elsewhere["seizure_id"] = seizure["id"]
    assert as_person("mohan").post("/api/v1/intakes", json=elsewhere).status_code == 202


def test_faults_of_an_aid_are_named(as_person: AsPerson) -> None:
    answer = as_person("ravi").post("/api/v1/aids", json=_aid(ground="boredom", colour="red"))

    assert answer.status_code == 422
    assert set(answer.json["errors"]) == {"ground", "colour"}
