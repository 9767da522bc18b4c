"""What one device may bring in a day, and what a stranger learns from bringing it: nothing."""

from __future__ import annotations

import pytest

from fieldapi import limits
from fieldapi.ids import new_id
from tests.integration.photos.conftest import MoodyStorage, Work
from tests.support.clock import StoppedClock
from tests.support.house import AsPerson, Client
from tests.support.photos import TUS, add, begin, jpeg, put, report

pytestmark = pytest.mark.database


@pytest.fixture
def two_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PHOTO_DAY_COUNT", 2)


@pytest.mark.usefixtures("two_a_day")
def test_third_photo_of_the_day_waits_for_midnight(
    as_person: AsPerson, clock: StoppedClock
) -> None:
    asha = as_person("asha")
    ids = report(asha, *(jpeg(seed) for seed in range(4)))
    assert put(asha, ids[0], jpeg(0)).status_code == 201
    assert begin(asha, ids[1], jpeg(1)).status_code == 201

    refused = [begin(asha, ids[2], jpeg(2)), put(asha, ids[3], jpeg(3))]

    assert {answer.status_code for answer in refused} == {429}
    assert {answer.json["type"] for answer in refused} == {"urn:fieldapi:problem:quota-reached"}
    wait = int(refused[0].headers["Retry-After"])
    assert wait == refused[0].json["retry_after"] <= 24 * 3600
    clock.move(seconds=wait)
    assert put(asha, ids[3], jpeg(3)).status_code == 201


@pytest.mark.usefixtures("two_a_day")
def test_what_was_begun_goes_on_and_others_are_not_counted(as_person: AsPerson) -> None:
    asha, ravi = as_person("asha"), as_person("ravi")
    ids = report(asha, jpeg(1), jpeg(2))
    begun = [begin(asha, one, jpeg(seed)) for seed, one in enumerate(ids, 1)]
    assert begin(asha, new_id(), jpeg(3)).status_code == 429

    again = begin(asha, ids[0], jpeg(1))
    whole = add(asha, begun[1].headers["Location"], 0, jpeg(2))

    assert (again.status_code, whole.status_code) == (201, 204)
    assert put(asha, ids[1], jpeg(2)).status_code == 200
    assert put(ravi, *_own(ravi, 4)).status_code == 201


def _own(client: Client, seed: int) -> tuple[str, bytes]:
    (photo_id,) = report(client, jpeg(seed))
    return photo_id, jpeg(seed)


def test_bytes_count_as_well_as_photos(
    as_person: AsPerson, monkeypatch: pytest.MonkeyPatch
) -> None:
    asha = as_person("asha")
    ids = report(asha, jpeg(1), jpeg(2))
    monkeypatch.setattr(limits, "PHOTO_DAY_BYTES", len(jpeg(1)) + 10)
    assert put(asha, ids[0], jpeg(1)).status_code == 201

    refused = begin(asha, ids[1], jpeg(2))

    assert refused.status_code == 429
    assert refused.json["bytes"] == len(jpeg(1))
    assert asha.get("/api/v1/limits").json["photos"]["day_bytes"] == len(jpeg(1)) + 10


@pytest.mark.usefixtures("two_a_day")
def test_wrong_bytes_count_too(as_person: AsPerson) -> None:
    asha = as_person("asha")
    (photo_id,) = report(asha, jpeg(1))
    for seed in (2, 3):
        assert put(asha, photo_id, jpeg(seed)).status_code == 422

    assert put(asha, photo_id, jpeg(4)).status_code == 429


def test_upload_of_a_photo_of_others_is_begun_as_if_it_were_not_here(
    as_person: AsPerson, work: Work
) -> None:
    asha, ravi = as_person("asha"), as_person("ravi")
    (photo_id,) = report(asha, jpeg(1))
    put(asha, photo_id, jpeg(1))

    known, unknown = begin(ravi, new_id(), jpeg(1)), begin(ravi, new_id(), jpeg(2))
    ended = [ravi.delete(one.headers["Location"], headers=TUS) for one in (known, unknown)]

    assert [one.headers["Upload-Offset"] for one in (known, unknown)] == ["0", "0"]
    assert [one.status_code for one in ended] == [204, 204]
    again = begin(ravi, new_id(), jpeg(1))
    assert add(ravi, again.headers["Location"], 0, jpeg(1)).status_code == 204
    assert begin(asha, photo_id, jpeg(1)).headers["Upload-Offset"] == str(len(jpeg(1)))


def test_photo_handed_in_while_the_store_is_down_is_stored_by_itself(
    as_person: AsPerson, store: MoodyStorage, work: Work
) -> None:
    asha = as_person("asha")
    (photo_id,) = report(asha, jpeg(1))
    store.is_down = True
    answer = put(asha, photo_id, jpeg(1))
    waiting = asha.get(f"/api/v1/photos/{photo_id}").json["state"]
    store.is_down = False
    work()

    assert (answer.status_code, waiting) == (503, "receiving")
    assert asha.get(f"/api/v1/photos/{photo_id}").json["state"] == "stored"
