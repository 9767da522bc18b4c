"""Capturing on the phone: offline, in one transaction, on what stood on the screen."""

from __future__ import annotations

import json
import sqlite3
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sync.client import faults
from sync.client.device import Connect, Phone
from sync.client.identity import Identity
from sync.client.schema import Limits, SchemaInvalid
from sync.op import OpInvalid
from sync.wire import JSON, WireError
from tests.unit.sync_client.conftest import WALL_MS
from tests.unit.sync_client.server import FieldServer, bare, cut_after, serving

OpenPhone = Callable[[Path], Phone]
TAG = "340123456789"
REFUSAL = b'{"type": "urn:fieldapi:problem:not-allowed"}'


def kept(phone: Phone) -> list[dict[str, Any]]:
    """Return the ops in the outbox, oldest first."""
    rows = phone._db.execute("SELECT raw FROM op ORDER BY stamp").fetchall()  # noqa: SLF001
    return [json.loads(raw) for (raw,) in rows]


def test_phone_without_a_device_captures_nothing(open_phone: OpenPhone, tmp_path: Path) -> None:
    phone = open_phone(tmp_path / "new")

    for attempt in (lambda: phone.create("seizure", {}), phone.sync, phone.upload):
        with pytest.raises(faults.NotEnrolled):
            attempt()


def test_folder_belongs_to_one_device(phone: Phone, address: str) -> None:
    with pytest.raises(faults.AlreadyEnrolled):
        phone.enrol(address, "GOOD-CODE", {})


def test_refused_code_leaves_the_folder_free(
    open_phone: OpenPhone, address: str, tmp_path: Path
) -> None:
    phone = open_phone(tmp_path / "new")
    with pytest.raises(faults.Refused) as refused:
        phone.enrol(address, "WRONG", {})
    assert refused.value.slug == "code-refused"

    assert phone.enrol(address, "GOOD-CODE", {}).number == 7


def test_enrolment_is_tried_again_under_the_same_id(
    open_phone: OpenPhone, address: str, server: FieldServer, tmp_path: Path
) -> None:
    server.script["POST /api/v1/devices"].extend([cut_after] * 5)
    with pytest.raises(faults.LinkDown):
        open_phone(tmp_path / "new").enrol(address, "GOOD-CODE", {"make": "Nokia"})

    open_phone(tmp_path / "new").enrol(address, "GOOD-CODE", {"make": "Nokia"})

    tries = {each.body for each in server.requests if each.path == "/api/v1/devices"}
    assert len(tries) == 1


def test_phone_file_is_its_owners_only(phone: Phone, tmp_path: Path) -> None:
    assert phone.device.token == "token-asha"
    for path in (tmp_path / "phone").glob("phone.sqlite*"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_every_commit_reaches_the_disk(phone: Phone) -> None:
    db = phone._db  # noqa: SLF001
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert db.execute("PRAGMA synchronous").fetchone() == (2,)


def test_op_and_clock_are_saved_together(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    before = phone._db.execute("SELECT last_stamp, n FROM device").fetchone()  # noqa: SLF001

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("sync.client.outbox.Outbox.save", full)
    with pytest.raises(sqlite3.OperationalError):
        phone.create("seizure", {"count": 5})

    after = phone._db.execute("SELECT last_stamp, n FROM device").fetchone()  # noqa: SLF001
    assert after == before


def test_stamps_grow_when_the_clock_goes_back(line: Connect, address: str, tmp_path: Path) -> None:
    wall = iter([WALL_MS + 50] * 6 + [0] * 50)
    with Phone(tmp_path / "phone", clock_ms=lambda: next(wall), connect=line) as phone:
        phone.enrol(address, "GOOD-CODE", {})
        seizure = phone.create("seizure", {"count": 5})
        for number in range(4):
            phone.edit("seizure", seizure, {"count": number})
        ops = kept(phone)

    stamps = [op["t"] for op in ops]
    assert stamps == sorted(set(stamps))
    assert [op["n"] for op in ops] == [1, 2, 3, 4, 5]
    assert ops[-1]["at"] == 0


def test_personal_fields_travel_apart_with_salt(phone: Phone) -> None:
    phone.create("seizure", {"count": 5, "owner.mobile": "9876543210", "ear_tags": [TAG]})

    facts, personal = kept(phone)
    assert (facts["set"], facts["add"], facts["new"]) == ({"count": 5}, {"ear_tags": [TAG]}, True)
    assert "salt" not in facts
    assert (personal["set"], "new" in personal) == ({"owner.mobile": "9876543210"}, False)
    assert len(personal["salt"]) == 22


def test_before_the_schema_is_known_everything_is_personal(
    open_phone: OpenPhone, address: str, server: FieldServer, tmp_path: Path
) -> None:
    server.script["GET /api/v1/sync/schema"].extend([cut_after] * 4)
    phone = open_phone(tmp_path / "new")
    phone.enrol(address, "GOOD-CODE", {})
    phone.create("seizure", {"count": 5, "owner.mobile": "9876543210"})

    assert ["salt" in op for op in kept(phone)] == [True]
    phone.sync()
    phone.create("seizure", {"count": 5})
    assert "salt" not in kept(phone)[-1]


@pytest.mark.parametrize(
    "document",
    [[], {"schema": "1"}, {"schema": 1, "kinds": []}, {"schema": 1, "kinds": {"a": 1}}],
    ids=["list", "version", "kinds", "kind"],
)
def test_schema_that_is_none_is_not_kept(phone: Phone, document: JSON) -> None:
    with pytest.raises(SchemaInvalid):
        Identity(phone._db).save_schema(document)  # noqa: SLF001

    phone.create("seizure", {"count": 5})
    assert "salt" not in kept(phone)[-1]


@pytest.mark.parametrize("told", [[], {"sync": {"ops": "many", "wire_bytes": 0}}], ids=str)
def test_limits_that_are_none_leave_the_published_ones(phone: Phone, told: JSON) -> None:
    identity = Identity(phone._db)  # noqa: SLF001
    identity.save_limits(told)

    assert identity.limits() == Limits()


@pytest.mark.parametrize(
    "answer",
    [
        b"[]",
        b'{"device": {"number": 7}, "person": {"id": "p"}, "authority": {}}',
        b'{"device": {"number": 7}, "person": {}, "authority": {}, "token": "t"}',
        b'{"device": {}, "person": {"id": "p"}, "authority": {}, "token": "t"}',
    ],
    ids=["list", "token", "person", "number"],
)
def test_answer_that_enrols_nobody_is_none(
    open_phone: OpenPhone, address: str, server: FieldServer, tmp_path: Path, answer: bytes
) -> None:
    server.script["POST /api/v1/devices"].append(bare(201, answer))
    phone = open_phone(tmp_path / "new")
    with pytest.raises(faults.NotOurServer):
        phone.enrol(address, "GOOD-CODE", {})

    assert phone.enrol(address, "GOOD-CODE", {}).actor == "9f86d081884c7d65"


@pytest.mark.parametrize("status, body", [(200, b'{"schema": "?"}'), (403, REFUSAL)], ids=str)
def test_schema_that_cannot_be_had_stops_no_sync(
    open_phone: OpenPhone,
    address: str,
    server: FieldServer,
    tmp_path: Path,
    *,
    status: int,
    body: bytes,
) -> None:
    server.script["GET /api/v1/sync/schema"].extend([bare(status, body)] * 2)
    phone = open_phone(tmp_path / "new")
    phone.enrol(address, "GOOD-CODE", {})
    phone.create("seizure", {"count": 5})

    phone.sync()

    assert phone.state().waiting == 0


def test_wall_clock_is_the_default(address: str, tmp_path: Path) -> None:
    before = time.time_ns() // 1_000_000
    with Phone(tmp_path / "new") as phone:
        phone.enrol(address, "GOOD-CODE", {})
        phone.create("seizure", {"count": 5})
        assert before <= kept(phone)[0]["at"] <= time.time_ns() // 1_000_000


@pytest.mark.parametrize("value", [float("nan"), 2**53, "\x00", "\ud800"], ids=repr)
def test_value_that_json_cannot_say_is_refused_at_capture(phone: Phone, value: JSON) -> None:
    with pytest.raises(WireError):
        phone.create("seizure", {"ground": value})

    assert phone.state().waiting == 0


def test_record_id_that_is_none_is_refused_at_capture(phone: Phone) -> None:
    with pytest.raises(OpInvalid):
        phone.create("seizure", {"count": 5}, record="first")


def test_edit_names_what_stood_on_the_screen_it_was_made_on(
    phone: Phone, server: FieldServer
) -> None:
    seizure = server.strangers_record("seizure", {"count": 5})
    phone.sync()
    form = phone.screen("seizure", seizure)
    (seen,) = server.heads["seizure", seizure]["count"]
    server.strangers_edit("seizure", seizure, {"count": 9}, over=[seen.id])
    phone.sync()

    phone.edit("seizure", seizure, {"count": 6}, seen=form)

    assert kept(phone)[-1]["base"] == {"count": [seen.id]}


def test_edit_on_an_old_screen_names_own_ops_made_since(phone: Phone) -> None:
    seizure = phone.create("seizure", {"count": 5})
    phone.sync()
    form = phone.screen("seizure", seizure)
    phone.edit("seizure", seizure, {"count": 6})
    phone.sync()

    phone.edit("seizure", seizure, {"count": 7}, seen=form)

    created, edited, last = kept(phone)
    assert last["base"] == {"count": [created["op"], edited["op"]]}


def test_looked_at_value_is_replaced_by_the_next_edit(phone: Phone, server: FieldServer) -> None:
    seizure = phone.create("seizure", {"count": 5})
    phone.sync()
    phone.edit("seizure", seizure, {"count": 6})
    theirs = server.strangers_edit("seizure", seizure, {"count": 9})
    hold_back(phone, server)

    seen = phone.screen("seizure", seizure)
    assert (seen.shown["count"], seen.newer) == (6, {"count": 9})
    phone.look(seen)
    assert phone.screen("seizure", seizure).newer == {}
    phone.edit("seizure", seizure, {"ground": "straying"})
    phone.edit("seizure", seizure, {"count": 7})

    waiting = kept(phone)[1]["op"]
    assert set(kept(phone)[-1]["base"]["count"]) == {kept(phone)[0]["op"], theirs, waiting}


def test_look_ends_with_the_next_edit(phone: Phone, server: FieldServer) -> None:
    seizure = phone.create("seizure", {"count": 5})
    server.strangers_edit("seizure", seizure, {"count": 9})
    hold_back(phone, server)
    phone.look(phone.screen("seizure", seizure))
    phone.edit("seizure", seizure, {"count": 6})
    phone.sync()

    phone.edit("seizure", seizure, {"count": 7})
    phone.edit("seizure", seizure, {"count": 8})

    _, looked, first, second = kept(phone)
    assert first["base"] == {"count": [looked["op"]]}
    assert second["base"] == {"count": [looked["op"], first["op"]]}


def hold_back(phone: Phone, server: FieldServer) -> None:
    """Sync while the server answers `retry` to everything."""
    for op in kept(phone):
        server.statuses.setdefault(op["op"], {"status": "retry"})
    phone.sync()
    server.statuses.clear()


def test_element_is_added_to_a_set(phone: Phone) -> None:
    seizure = phone.create("seizure", {"count": 5})

    phone.add("seizure", seizure, "ear_tags", TAG)

    assert kept(phone)[-1]["add"] == {"ear_tags": [TAG]}
    assert phone.screen("seizure", seizure).shown["ear_tags"] == [TAG]


def test_strike_names_the_adds_on_the_screen(phone: Phone) -> None:
    seizure = phone.create("seizure", {"count": 5, "ear_tags": [TAG]})

    phone.strike("seizure", seizure, "ear_tags", key=TAG, reason="misread")

    created, struck = kept(phone)
    told = {"key": TAG, "ops": [created["op"]], "reason": "misread"}
    assert struck["strike"] == {"ear_tags": [told]}
    assert phone.screen("seizure", seizure).struck == {"ear_tags": [TAG]}


def test_retract_and_undo(phone: Phone) -> None:
    seizure = phone.create("seizure", {"count": 5})

    phone.retract("seizure", seizure, reason="sent twice")
    assert phone.screen("seizure", seizure).is_withdrawn
    phone.undo_retract("seizure", seizure)
    assert not phone.screen("seizure", seizure).is_withdrawn

    created, retract, undo = kept(phone)
    assert retract["retract"] == {"reason": "sent twice"}
    assert retract["base"] == {"withdrawn": [], "*": [created["op"]]}
    assert (undo["retract"], undo["base"]) == (False, {"withdrawn": [retract["op"]]})


def test_quarantined_value_is_corrected_by_name(phone: Phone, server: FieldServer) -> None:
    seizure = phone.create("seizure", {"count": -5, "ground": "trespass"})
    (op,) = phone.screen("seizure", seizure).waiting
    parked = {"count": {"shown": None, "code": "invalid-value"}}
    server.statuses[op] = {"status": "quarantined", "applied": True, "fields": parked}
    phone.sync()
    (aside,) = phone.screen("seizure", seizure).aside
    assert (aside.op, aside.values) == (op, {"count": -5})
    assert phone.state().needs_you == 1

    phone.edit("seizure", seizure, {"count": 5}, fixes=op)

    correction = kept(phone)[-1]
    assert (correction["fixes"], correction["base"]) == (op, {"count": [op]})


def test_numbers_are_never_given_twice(phone: Phone, open_phone: OpenPhone, tmp_path: Path) -> None:
    other = open_phone(tmp_path / "phone")

    given = [each.next_number("2611") for each in (phone, other, phone)]

    assert given == [1, 2, 3]
    assert phone.next_number("2612") == 1


def test_unknown_record_is_named_as_such(phone: Phone) -> None:
    with pytest.raises(faults.UnknownRecord):
        phone.screen("seizure", "0193a5c0-0000-7000-8000-00000000dead")


def test_phone_moves_with_its_server(
    phone: Phone, server: FieldServer, open_phone: OpenPhone, tmp_path: Path
) -> None:
    with serving(server) as elsewhere:
        phone.sync()
        for moved in (phone, open_phone(tmp_path / "phone")):
            moved.move(elsewhere)
            moved.sync()

        assert phone.device.base_url == elsewhere


def test_new_address_must_be_safe(phone: Phone) -> None:
    with pytest.raises(faults.InsecureAddress):
        phone.move("http://cattle.example.org")

    assert phone.device.base_url.startswith("http://127.0.0.1:")
