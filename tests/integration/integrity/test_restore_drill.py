"""The drill: back up while phones push, lose the server, restore, and let the phones come back.

Nothing that was acknowledged is lost (docs/protocol/sync.md section 7, number 17).
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from flask import Flask

from fieldapi.app import app_of
from fieldapi.backup import make_backup, restore
from fieldapi.clock import to_ms
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.models import Seizure
from sync.client.device import Phone
from sync.client.transport import Backoff, Transport
from sync.wire import JSON
from tests.support.answering import answering
from tests.support.clock import StoppedClock
from tests.support.deliveries import deliver, pen_of, store_photo
from tests.support.personas import Persona, Village, issue
from tests.support.phones import phone_of
from tests.support.reports import FIELD, SEIZED_AT, Pen, push_body
from tests.support.restores import assert_sound, environ_of, opened

Environ = Mapping[str, str]


@pytest.fixture
def environ(tmp_path: Path) -> Environ:
    """The environment of the new host."""
    return environ_of(tmp_path)


@dataclass(slots=True)
class Writer:
    """A phone that pushes reports with photos until it is told to stop; it forgets nothing."""

    house: House
    persona: Persona
    pen: Pen
    acknowledged: list[dict[str, JSON]] = field(default_factory=list)
    photos: list[str] = field(default_factory=list)
    is_busy: threading.Event = field(default_factory=threading.Event)
    is_stopped: threading.Event = field(default_factory=threading.Event)

    def live(self) -> None:
        while not self.is_stopped.is_set():
            seizure = new_id()
            ops = [
                self.pen.seizure(seizure),
                self.pen.op("seizure", seizure, set={"owner.name": "Ramesh"}),
                self.pen.animal(new_id(), seizure, "cow", 4),
            ]
            deliver(self.house, self.persona, *ops)
            self.acknowledged += ops
            content = f"photo {len(self.photos)}".encode()
            self.photos.append(store_photo(self.house, self.persona, seizure, content))
            if len(self.photos) >= 3:
                self.is_busy.set()


@contextmanager
def writing(house: House, persona: Persona) -> Iterator[Writer]:
    writer = Writer(house, persona, pen_of(persona))
    thread = threading.Thread(target=writer.live)
    thread.start()
    try:
        assert writer.is_busy.wait(30)
        yield writer
    finally:
        writer.is_stopped.set()
        thread.join()


def test_drill(house: House, village: Village, environ: Environ, tmp_path: Path) -> None:
    with writing(house, village["asha"]) as writer:
        before = len(writer.photos)
        made = make_backup(house, tmp_path / "backup")
        within = len(writer.photos)
    shutil.rmtree(house.settings.data)

    restore(made.folder, tmp_path / "new", environ=environ)

    with opened(tmp_path / "new", environ) as restored:
        assert_sound(restored, village.rjk, village.klm)
        assert before <= photos_in(made.folder) <= within + 1
        deliver(restored, village["asha"], *writer.acknowledged)
        assert_sound(restored, village.rjk)
        with restored.database.read() as session:
            kept = {seizure.id for seizure in session.query(Seizure).where(Seizure.heads != "")}
    assert kept == {op["id"] for op in writer.acknowledged if op["kind"] == "seizure"}


def photos_in(backup: Path) -> int:
    return sum(1 for path in (backup / "photos" / "originals").rglob("*") if path.is_file())


def test_7_17_old_cursor_is_answered_epoch_changed_and_applies_nothing(
    app: Flask, house: House, village: Village, environ: Environ, tmp_path: Path
) -> None:
    asha = phone_of(app, village["asha"])
    asha.push(asha.pen.seizure(new_id()))
    asha.pull()
    make_backup(house, tmp_path / "backup")
    asha.push(asha.pen.seizure(new_id()))
    restore(tmp_path / "backup", tmp_path / "new", environ=environ)

    with opened(tmp_path / "new", environ) as restored:
        back = phone_of(app_of(restored), village["asha"])
        lost = asha.pen.written[-1]
        refused = back.client.post("/api/v1/sync", json=push_body([lost], cursor=asha.cursor))
        again = back.push(*asha.pen.written)
        back.pull()

    assert (refused.status_code, refused.json["type"]) == (
        409,
        "urn:fieldapi:problem:epoch-changed",
    )
    assert refused.json["epoch"] == "B"
    assert [(one["status"], one["replayed"]) for one in again] == [
        ("applied", True),
        ("applied", False),
    ]
    assert {change["rev"].split(".")[0] for change in back.records.values()} == {"B"}
    assert len(back.records) == 2


def create_report(phone: Phone) -> str:
    values: dict[str, JSON] = {
        "seized_at": SEIZED_AT,
        "capacity": "watch_and_ward",
        "ground": "trespass",
        "place_kind": "private_land",
        "location": dict(FIELD),
        "owner.name": "Ramesh",
    }
    return phone.create("seizure", values)


def test_7_17_phone_that_holds_what_it_was_acknowledged_loses_nothing(
    house: House, village: Village, clock: StoppedClock, environ: Environ, tmp_path: Path
) -> None:
    asha = village["asha"]
    code = issue(house.database, asha.authority_id, asha.person_id)

    def connect(base_url: str, token: str | None) -> Transport:
        return Transport(base_url, token, backoff=Backoff(tries=3, first_s=0.01))

    with Phone(tmp_path / "phone", clock_ms=lambda: to_ms(clock.now), connect=connect) as phone:
        with answering(app_of(house)) as address:
            phone.enrol(address, code, {"make": "Nokia"})
            seizures = [create_report(phone)]
            phone.sync()
            make_backup(house, tmp_path / "backup")
            seizures.append(create_report(phone))
            phone.sync()
        seizures.append(create_report(phone))
        restore(tmp_path / "backup", tmp_path / "new", environ=environ)
        with opened(tmp_path / "new", environ) as restored, answering(app_of(restored)) as address:
            phone.move(address)
            phone.sync()
            assert_sound(restored, village.rjk)
            with restored.database.read() as session:
                there = [session.get_one(Seizure, (village.rjk, one)) for one in seizures]
        assert phone.state().alarms == ()
        assert phone.state().waiting == 0
    assert [row.fields["owner.name"] for row in there] == ["Ramesh"] * 3
