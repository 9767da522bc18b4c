"""The numbers of `/metrics`: what waits, what is down; dashboard and alerts name real ones."""

from __future__ import annotations

import re

import pytest

from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.queries.vitals import vitals
from fieldapi.storage import StorageUnavailable
from tests.support.clock import StoppedClock
from tests.support.deliveries import pen_of, store_photo
from tests.support.house import AsPerson, Client
from tests.support.personas import Village
from tests.support.reports import photo_body, push_body
from tests.support.tree import ROOT

# Made by PostgreSQL alone, or only once something of it happened.
_SELDOM = {
    "fieldapi_worker_up",
    "fieldapi_queue_jobs",
    "fieldapi_database_bytes",
    "fieldapi_job_failing",
}
_NAME = re.compile(r"fieldapi_[a-z_]+")


def _numbers(client: Client) -> dict[str, float]:
    answer = client.get("/metrics")
    assert answer.status_code == 200
    lines = answer.get_data(as_text=True).splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


@pytest.mark.database
def test_what_waits_and_how_much_there_is_are_told(
    as_person: AsPerson, house: House, village: Village
) -> None:
    asha = village["asha"]
    seizure = new_id()
    pen = pen_of(asha)
    photo = photo_body(b"not here yet")
    announced = pen.op(
        "photo", photo.pop("id"), new=True, set={**photo, "seizure_id": seizure}, base={}
    )
    client = as_person("asha")
    client.post("/api/v1/sync", json=push_body([pen.seizure(seizure), announced]))
    store_photo(house, asha, seizure, b"a photo")

    told = _numbers(client)

    assert told['fieldapi_sync_results_total{status="applied"}'] >= 2
    assert told['fieldapi_pending{of="photo bytes"}'] == 1
    assert told['fieldapi_pending{of="photo analysis"}'] == 1
    assert told['fieldapi_pending{of="review"}'] == 1
    assert told["fieldapi_authorities"] == 2
    assert told["fieldapi_ledger_entries"] > 10
    assert told['fieldapi_part_up{part="database"}'] == 1


def test_silence_of_phones_bounds_how_old_an_unsent_report_is(
    as_person: AsPerson, house: House, village: Village, clock: StoppedClock
) -> None:
    clock.move(hours=8 * 24)
    as_person("asha").get("/api/v1/me")
    clock.move(hours=1)

    with house.database.read() as session:
        told = {one.name: one.value for one in vitals(session, clock.now)}

    phones = len(village.people)
    assert (told["phones"], told["phones_silent"]) == (phones, phones - 1)
    assert told["phone_silent_seconds"] == (8 * 24 + 1) * 3600


def test_part_that_is_down_is_a_number_and_no_failure(
    client: Client, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(_self: object) -> None:
        raise StorageUnavailable("no answer")

    monkeypatch.setattr(type(house.storage), "probe", down)

    assert _numbers(client)['fieldapi_part_up{part="storage"}'] == 0


@pytest.mark.parametrize("name", ["grafana/fieldapi.json", "prometheus/alerts.yml"])
def test_dashboard_and_alerts_name_numbers_that_are_there(client: Client, name: str) -> None:
    client.get("/healthz")
    page = client.get("/metrics").get_data(as_text=True)
    known = set(_NAME.findall(page)) | _SELDOM
    text = (ROOT / "deploy" / name).read_text()

    assert {one for one in _NAME.findall(text) if one not in known} == set()
