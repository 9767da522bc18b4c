"""Phones that were not online for a while: their app is older than the server and still heard."""

from __future__ import annotations

import pytest

from fieldapi.domain import checks
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.services import sync
from tests.support.deliveries import pen_of
from tests.support.house import AsPerson
from tests.support.personas import Village
from tests.support.reports import push_body


@pytest.mark.parametrize("schema", [3, 4, 5])
def test_last_three_schemas_are_taken(
    house: House,
    as_person: AsPerson,
    village: Village,
    schema: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sync, "SCHEMA_VERSION", 5)
    monkeypatch.setattr(checks, "SCHEMA_VERSION", 5)
    body = push_body([pen_of(village["asha"]).seizure(new_id())])

    answer = as_person("asha").post("/api/v1/sync", json={**body, "schema": schema})

    assert [one["status"] for one in answer.json["results"]] == ["applied"]
