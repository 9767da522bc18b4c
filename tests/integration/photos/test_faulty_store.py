"""A photo store that hangs, fails, lies or refuses us: reports are taken, photos wait, and what
waits is stored by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from fieldapi.ids import is_id, new_id
from fieldapi.storage.guard import GuardedStorage
from fieldapi.storage.keys import original_key
from fieldapi.storage.s3 import S3Storage
from fieldapi.storage.verify import sha256_of
from tests.integration.photos.conftest import MoodyStorage, Work
from tests.support.clock import StoppedClock
from tests.support.faulty_store import FAULTS, FaultyStore, faulty_store
from tests.support.house import AsPerson
from tests.support.photos import add, begin, jpeg, put, read, report, sha256
from tests.support.s3 import S3Server


class Watch:
    """The guard's clock, which only we move."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def faulty(s3_server: S3Server) -> Iterator[FaultyStore]:
    with faulty_store(s3_server.endpoint) as made:
        yield made


@pytest.fixture
def store(faulty: FaultyStore, s3_server: S3Server, watch: Watch) -> MoodyStorage:
    server = replace(s3_server, endpoint=faulty.endpoint)
    url = f"{server.url(f'faulty-{new_id()[-12:]}')}&timeout=1"
    guard = GuardedStorage(S3Storage.from_url(url, server.environ), clock=watch)
    guard.probe()
    return MoodyStorage(guard)


@pytest.mark.parametrize("fault", FAULTS)
def test_photo_waits_for_a_store_that_fails_and_is_stored_by_itself(
    as_person: AsPerson,
    faulty: FaultyStore,
    store: MoodyStorage,
    work: Work,
    clock: StoppedClock,
    watch: Watch,
    fault: str,
) -> None:
    asha = as_person("asha")
    faulty.fault = fault
    (at_once, in_pieces) = report(asha, jpeg(1), jpeg(2))
    place = begin(asha, in_pieces, jpeg(2)).headers["Location"]

    answers = [put(asha, at_once, jpeg(1)), add(asha, place, 0, jpeg(2))]
    work()

    assert {answer.status_code for answer in answers} == {503}
    states = [read(asha, one).json["state"] for one in (at_once, in_pieces)]
    assert states == ["receiving", "receiving"]
    faulty.fault = None
    clock.move(seconds=61)
    watch.now += 61
    work()
    for photo_id, seed in ((at_once, 1), (in_pieces, 2)):
        told = read(asha, photo_id).json
        assert (told["state"], told["verdict"]) == ("stored", "accept")
        assert sha256_of(store, original_key(sha256(jpeg(seed)))) == sha256(jpeg(seed))


def test_store_is_told_for_which_request_or_job_it_is_asked(
    as_person: AsPerson, faulty: FaultyStore, store: MoodyStorage, work: Work
) -> None:
    asha = as_person("asha")
    (photo,) = report(asha, jpeg(8))
    faulty.named.clear()
    answer = put(asha, photo, jpeg(8))
    by_request, faulty.named = faulty.named, []
    work()

    assert {*by_request} == {answer.headers["X-Request-Id"]}
    assert faulty.named
    assert all(one and is_id(one) for one in faulty.named)
    assert not {*by_request} & {*faulty.named}


def test_store_that_refuses_us_is_an_alarm_and_is_not_asked_again_and_again(
    as_person: AsPerson,
    faulty: FaultyStore,
    work: Work,
    clock: StoppedClock,
    watch: Watch,
) -> None:
    asha = as_person("asha")
    ids = report(asha, *(jpeg(seed) for seed in range(5)))
    faulty.fault, faulty.asked = "403", 0

    answers = [put(asha, one, jpeg(seed)).status_code for seed, one in enumerate(ids)]
    for _ in range(20):
        work()
        clock.move(seconds=2)

    assert answers == [503] * 5
    assert faulty.asked <= 2
    ready = asha.get("/readyz")
    assert (ready.status_code, ready.json["parts"]["storage"]) == (503, "denied")
    faulty.fault = None
    clock.move(seconds=301)
    watch.now += 61
    work()
    assert {read(asha, one).json["state"] for one in ids} == {"stored"}
