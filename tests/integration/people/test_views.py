"""Who looked at personal data of others is in the ledger: once per person, record and day."""

from __future__ import annotations

from typing import Any

import pytest

from fieldapi.unit import Database
from tests.integration.console.conftest import Desk, desk  # noqa: F401 - a fixture of these tests
from tests.support.clock import StoppedClock
from tests.support.house import AsPerson
from tests.support.ledgers import entries_of
from tests.support.personas import Village
from tests.support.reports import seizure_body


@pytest.fixture
def report(as_person: AsPerson) -> str:
    """A report of asha's with an owner in it."""
    body: Any = seizure_body(owner={"known": True, "name": "Ramesh Parmar"})
    assert as_person("asha").post("/api/v1/seizures", json=body).status_code == 201
    return str(body["id"])


def views(database: Database, subject: str) -> int:
    return len(entries_of(database, subject, "record.viewed"))


@pytest.mark.database
def test_reading_anothers_report_is_entered_once_a_day(
    as_person: AsPerson, database: Database, clock: StoppedClock, report: str
) -> None:
    path, subject = f"/api/v1/seizures/{report}", f"seizure/{report}"
    as_person("asha").get(path)
    as_person("ravi").get(path)
    assert views(database, subject) == 0
    as_person("bina").get(path)
    as_person("bina").get(path)
    assert views(database, subject) == 1
    clock.move(hours=24)
    as_person("bina").get(path)
    assert views(database, subject) == 2


def test_page_of_a_report_is_a_view_too(
    desk: Desk,  # noqa: F811
    database: Database,
    report: str,
) -> None:
    assert desk("bina").get(f"/console/cases/{report}").status == 200
    assert views(database, f"seizure/{report}") == 1


def test_whole_mobile_number_is_a_view_and_a_masked_one_is_none(
    as_person: AsPerson, database: Database, village: Village
) -> None:
    admin, new = as_person("admin"), "01a22a6c-85aa-7798-baa3-00000000abcd"
    body = {"id": new, "name": "Devi", "mobile": "9876543210", "roles": []}
    assert admin.post("/api/v1/people", json=body).status_code == 201
    listed = admin.get("/api/v1/people").get_json()["items"]
    assert "9876543210" not in str(listed)
    assert views(database, f"person/{new}") == 0
    assert admin.get(f"/api/v1/people/{new}").get_json()["mobile"] == "9876543210"
    assert views(database, f"person/{new}") == 1
