"""The reference client against the real server, over real sockets and a bad line."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from fieldapi.clock import to_ms
from fieldapi.domain.references import mint
from fieldapi.services import devices
from fieldapi.unit import Database
from sync.client.device import Phone
from sync.client.transport import Backoff, Transport
from tests.support.answering import answering
from tests.support.clock import StoppedClock
from tests.support.flaky_proxy import Plan, flaky_proxy
from tests.support.house import AsPerson
from tests.support.personas import Village, issue
from tests.support.reports import FIELD, SEIZED_AT

pytestmark = pytest.mark.database
Port = int
OpenPhone = Callable[..., Phone]


@pytest.fixture
def port(app: Flask) -> Iterator[Port]:
    """The port of the real app on loopback."""
    with answering(app) as address:
        yield int(address.rpartition(":")[2])


@pytest.fixture
def open_phone(
    port: Port, village: Village, database: Database, clock: StoppedClock, tmp_path: Path
) -> Iterator[OpenPhone]:
    """Enrol a fresh phone for asha."""

    def connect(base_url: str, token: str | None) -> Transport:
        return Transport(base_url, token, backoff=Backoff(tries=6, first_s=0.01))

    with ExitStack() as phones:

        def open_(name: str, address: str = f"http://127.0.0.1:{port}", **how: bool) -> Phone:
            asha = village["asha"]
            code = issue(database, asha.authority_id, asha.person_id, **how)
            phone = Phone(tmp_path / name, clock_ms=lambda: to_ms(clock.now), connect=connect)
            phones.enter_context(phone).enrol(address, code, {"make": "Nokia"})
            return phone

        yield open_


def report(phone: Phone) -> tuple[str, list[str]]:
    """Capture a seizure with two lots, as an app would."""
    number = phone.next_number("reference 2611")
    code, device = str(phone.device.authority["code"]), phone.device.number
    fields: dict[str, Any] = {
        "reference": mint(code, device, year=2026, month=11, counter=number),
        "seized_at": SEIZED_AT,
        "capacity": "watch_and_ward",
        "ground": "trespass",
        "place_kind": "private_land",
        "location": dict(FIELD),
        "owner.name": "Ramesh",
        "fixes": [{**FIELD, "accuracy_m": 4, "fixed_at": "2026-11-30T05:10:30.000Z"}],
    }
    seizure = phone.create("seizure", fields)
    lots = [
        phone.create("animal", {"seizure_id": seizure, "kind": kind, "count": count})
        for kind, count in (("buffalo", 2), ("cow", 3))
    ]
    return seizure, lots


def test_offline_report_reaches_the_reviewer_over_a_bad_line(
    port: Port, open_phone: OpenPhone, as_person: AsPerson
) -> None:
    phone = open_phone("phone")
    seizure, lots = report(phone)
    plans = [Plan(reset_up_at=700), Plan(drop_answer=True), Plan(reset_down_at=400)]
    with flaky_proxy(("127.0.0.1", port), *plans) as proxy:
        phone.move(proxy.address)
        done = phone.sync()

    assert done.answers == {"applied": 4}
    told = as_person("bina").get(f"/api/v1/seizures/{seizure}").json
    assert told["reference"] == phone.screen("seizure", seizure).shown["reference"]
    assert sorted(animal["id"] for animal in told["animals"]) == sorted(lots)


def test_phone_shows_its_report_as_the_server_has_it(open_phone: OpenPhone) -> None:
    phone = open_phone("phone")
    seizure, (lot, _) = report(phone)
    before = phone.screen("seizure", seizure)
    phone.sync()

    after = phone.screen("seizure", seizure)
    assert before.shown.items() <= after.shown.items()
    assert (after.waiting, after.aside, after.newer) == ((), (), {})
    assert after.ground.covered() == frozenset(own.op.id for own in after.ground.own)
    phone.edit("animal", lot, {"count": 4})
    phone.sync()
    assert phone.screen("animal", lot).shown["count"] == 4
    assert phone.screen("animal", lot).reviews == ()


def test_two_phones_that_disagree_see_one_review(open_phone: OpenPhone) -> None:
    first, second = open_phone("first"), open_phone("second")
    _, (lot, _) = report(first)
    first.sync()
    second.sync()
    first.edit("animal", lot, {"count": 5})
    second.edit("animal", lot, {"count": 9})

    assert first.sync().answers == {"applied": 1}
    assert second.sync().answers == {"conflict": 1}
    first.sync()

    shown = [phone.screen("animal", lot) for phone in (first, second)]
    assert shown[0].shown == shown[1].shown
    assert [len(screen.reviews) for screen in shown] == [1, 1]


def test_7_30_pending_phone_keeps_its_report_until_it_is_confirmed(
    open_phone: OpenPhone, database: Database, village: Village
) -> None:
    phone = open_phone("phone", is_confirmed=False)
    seizure, _ = report(phone)
    assert phone.sync().answers == {"held": 4}
    held = phone.screen("seizure", seizure)
    assert (held.shown, {aside.status for aside in held.aside}) == ({}, {"held"})

    admin = village["admin"].principal(database)
    database.transact(
        lambda unit: devices.judge(
            unit, admin, phone.device.id, verdict="confirm", reason="fingerprints compared"
        )
    )
    phone.sync()

    released = phone.screen("seizure", seizure)
    assert released.shown["owner.name"] == "Ramesh"
    assert released.aside == ()
    assert phone.state().held == 0


def test_impossible_value_comes_back_and_is_corrected(open_phone: OpenPhone) -> None:
    phone = open_phone("phone")
    _, (lot, _) = report(phone)
    phone.edit("animal", lot, {"count": -5, "colour": "black"})
    phone.sync()
    (aside,) = phone.screen("animal", lot).aside
    assert aside.values == {"count": -5}
    assert phone.screen("animal", lot).shown["colour"] == "black"

    phone.edit("animal", lot, {"count": 5}, fixes=aside.op)
    phone.sync()

    corrected = phone.screen("animal", lot)
    assert corrected.shown["count"] == 5
    assert corrected.reviews == ()


def test_photos_arrive_whole_over_a_line_that_breaks(
    port: Port, open_phone: OpenPhone, as_person: AsPerson, tmp_path: Path
) -> None:
    phone = open_phone("phone")
    seizure, _ = report(phone)
    contents = {attach(phone, seizure, tmp_path, size): size for size in (9_000, 400_000)}
    phone.sync()
    plans = [Plan(reset_up_at=5_000), Plan(reset_up_at=150_000), Plan(drop_answer=True)]
    with flaky_proxy(("127.0.0.1", port), *plans) as proxy:
        phone.move(proxy.address)
        done = phone.upload()

    assert sorted(done.stored) == sorted(contents)
    assert list((tmp_path / "phone" / "photos").iterdir()) == []
    for photo, size in contents.items():
        got = as_person("bina").get(f"/api/v1/photos/{photo}/content")
        assert got.data == picture(size)


def picture(size: int) -> bytes:
    """Return bytes that only the upload cares about."""
    return random.Random(size).randbytes(size)


def attach(phone: Phone, seizure: str, folder: Path, size: int) -> str:
    source = folder / f"{size}.jpg"
    source.write_bytes(picture(size))
    fields: dict[str, Any] = {
        "seizure_id": seizure,
        "media_type": "image/jpeg",
        "taken_at": SEIZED_AT,
        "source": "camera",
        "subject": "animals",
    }
    return phone.attach_photo(source, fields)


def test_photo_that_no_record_announces_yet_stays_on_the_phone(
    open_phone: OpenPhone, tmp_path: Path
) -> None:
    phone = open_phone("phone")
    seizure, _ = report(phone)
    photos = [attach(phone, seizure, tmp_path, size) for size in (9_000, 400_000)]

    assert phone.upload().waiting == tuple(photos)
    assert len(list((tmp_path / "phone" / "photos").iterdir())) == 2

    phone.sync()
    assert phone.upload().stored == tuple(photos)
    assert list((tmp_path / "phone" / "photos").iterdir()) == []
