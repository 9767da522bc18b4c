"""Two app hosts and a worker on one database and one S3: no host knows what the others do not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from fieldapi.api.auth import GUESSES
from fieldapi.ids import new_id
from fieldapi.models import Original
from fieldapi.services import sign_ins
from fieldapi.services.authorise import new_token, operator
from fieldapi.worker_tables import has_worker
from sync.client.device import Phone
from sync.client.faults import LinkDown
from sync.client.transport import Backoff, Request, Transport
from tests.sim.chaos import storms
from tests.sim.chaos.scenario import Ground
from tests.support.cluster import Cluster, Host, cluster, wait_until
from tests.support.databases import Databases
from tests.support.personas import Village, found_village, issue
from tests.support.photos import TUS, jpeg, metadata, sha256
from tests.support.postgres import Postgres
from tests.support.reports import FIELD, SEIZED_AT

PASSWORD = "green-field-42-rain"


@pytest.fixture(scope="module")
def state(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Two hosts and one worker."""
    folder = tmp_path_factory.mktemp("state")
    with cluster(folder, hosts=2, workers=1, postgres=postgres) as made:
        yield made


@pytest.fixture(scope="module")
def people(state: Cluster) -> Village:
    return found_village(state.house.database)


@pytest.fixture
def phone(state: Cluster, people: Village, tmp_path: Path) -> Iterator[Phone]:
    """Asha's phone, enrolled at the first host."""
    asha = people["asha"]
    code = issue(state.house.database, asha.authority_id, asha.person_id)
    with Phone(tmp_path / "phone", connect=_line) as phone:
        phone.enrol(state.hosts[0].address, code, {"make": "Nokia"})
        yield phone


def _line(base_url: str, token: str | None) -> Transport:
    return Transport(base_url, token, backoff=Backoff(tries=2, first_s=0.01))


def _ask(host: Host, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes]:
    connection = HTTPConnection("127.0.0.1", host.port, timeout=30)
    try:
        sent = None if body is None else json.dumps(body)
        kind = {"Content-Type": "application/json"} if sent else {}
        connection.request(method, path, sent, {**kind, **headers})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def _is_relieved(state: Cluster) -> bool:
    with state.house.database.read() as session:
        return has_worker(session)


def _capture(phone: Phone, folder: Path, content: bytes) -> str:
    """Write a report with one photo down, and return the photo's id."""
    seizure = phone.create(
        "seizure",
        {
            "seized_at": SEIZED_AT,
            "capacity": "watch_and_ward",
            "ground": "trespass",
            "place_kind": "private_land",
            "location": dict(FIELD),
        },
    )
    (folder / "camera.jpg").write_bytes(content)
    fields = {"seizure_id": seizure, "media_type": "image/jpeg", "taken_at": SEIZED_AT}
    return phone.attach_photo(
        folder / "camera.jpg", {**fields, "source": "camera", "subject": "animals"}
    )


def test_session_opened_at_one_host_holds_at_the_other(state: Cluster, people: Village) -> None:
    bina, database = people["bina"], state.house.database
    sign_ins.set_password(
        database, operator(bina.authority_id), bina.person_id, name="bina.rjk", password=PASSWORD
    )
    browser = build_opener(HTTPCookieProcessor())  # a cookie is for a name, whatever the port
    first, second = (f"{host.address}/console/" for host in state.hosts)
    with browser.open(f"{first}sign-in") as page:
        hidden = dict(re.findall(r'name="(\w+)"[^>]* value="([^"]*)"', page.read().decode()))
    form = urlencode({**hidden, "name": "bina.rjk", "password": PASSWORD}).encode()
    browser.open(f"{first}sign-in", form).close()

    with browser.open(second) as page:
        assert (page.status, page.url) == (200, second)


def test_failed_tries_are_counted_over_all_hosts(state: Cluster) -> None:
    guess = {"Authorization": f"Bearer {new_token(new_id())}"}
    told = [
        _ask(state.hosts[number % 2], "GET", "/api/v1/me", **guess)[0]
        for number in range(GUESSES.tries + 2)
    ]

    assert told == [401] * GUESSES.tries + [429] * 2


def test_photo_is_looked_into_by_the_worker_and_shown_by_both_hosts(
    state: Cluster, phone: Phone, tmp_path: Path
) -> None:
    photo = _capture(phone, tmp_path, jpeg(71))
    wait_until(lambda: _is_relieved(state), "a sign of life")
    phone.sync()
    phone.move(state.hosts[1].address)
    phone.upload()

    def is_analysed() -> bool:
        with state.house.database.read() as session:
            rows = session.query(Original).filter_by(sha256=sha256(jpeg(71)))
            return all(row.analysed_at is not None for row in rows)

    wait_until(is_analysed, "the worker")
    token = str(phone.device.token)
    path = f"/api/v1/photos/{photo}/thumbnail"
    found = [_ask(one, "GET", path, Authorization=f"Bearer {token}") for one in state.hosts]
    assert [status for status, _ in found] == [200, 200]
    assert b'"job": "photos' in state.workers[0].log.read_bytes()


def test_upload_that_another_host_began_starts_over_and_is_stored(
    state: Cluster, phone: Phone, tmp_path: Path
) -> None:
    content = jpeg(72) + bytes(70_000)
    photo = _capture(phone, tmp_path, content)
    phone.sync()
    line = _line(state.hosts[0].address, phone.device.token)
    headers = {**TUS, "Upload-Length": str(len(content))}
    headers["Upload-Metadata"] = metadata(photo, sha256(content))
    headers["Content-Type"] = "application/offset+octet-stream"
    line.send(Request("POST", "/api/v1/uploads", content[:5000], headers))
    line.close()

    phone.move(state.hosts[1].address)

    assert phone.upload().stored == (photo,)


def test_phone_goes_on_at_another_host_when_its_own_is_gone(
    state: Cluster, phone: Phone, tmp_path: Path
) -> None:
    _capture(phone, tmp_path, jpeg(73))
    state.hosts[0].kill()
    with pytest.raises(LinkDown):
        phone.sync()
    phone.move(state.hosts[1].address)

    try:
        assert phone.sync().answers.total() == 2
        assert len(phone.upload().stored) == 1
    finally:
        state.hosts[0].start()
        state.hosts[0].wait_ready()


def test_worker_ends_when_told_and_a_server_takes_over(
    state: Cluster, phone: Phone, tmp_path: Path
) -> None:
    assert state.workers[0].stop() == 0
    try:
        _capture(phone, tmp_path, jpeg(74))
        phone.sync()
        phone.upload()
        wait_until(lambda: any(_did_shared_work(one) for one in state.hosts), "a server's thread")
    finally:
        state.workers[0].start()


def _did_shared_work(host: Host) -> bool:
    return b'"job": "photos' in host.log.read_bytes()


def test_nothing_is_lost_while_database_store_host_and_worker_die(
    state: Cluster,
    people: Village,
    postgresql_databases: Databases,
    sqlite_databases: Databases,
    tmp_path: Path,
) -> None:
    databases = (postgresql_databases, sqlite_databases)
    ground = Ground(
        tmp_path, state.postgres, *databases, 7, phones=3, times=1, reports=1, pause_s=0.5
    )

    found = storms.live_through(state, people, ground, storms.all_of_it)

    assert found.wrong == []
    assert found.counts["acknowledged"] == found.counts["sent"] != 0
