"""How answers change what the phone keeps: whole or not at all, and never backwards."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from sync.client import faults
from sync.client.answer import Answer, Change, Result, read_answer
from sync.client.database import open_database
from sync.client.device import Phone
from sync.client.identity import Identity
from sync.client.inbox import Inbox
from sync.client.outbox import KEEP_MS, Outbox, Outcome
from sync.client.pulled import PulledRecords
from sync.wire import JSON
from tests.unit.sync_client.conftest import WALL_MS
from tests.unit.sync_client.server import FieldServer

RECORD = "0193a5c0-0000-7000-8000-00000000beef"
OpenPhone = Callable[[Path], Phone]


@pytest.fixture
def db(phone: Phone, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A second look at the phone's file."""
    opened = open_database(tmp_path / "phone" / "phone.sqlite")
    yield opened
    opened.close()


def answer(
    *changes: Change,
    results: tuple[Result, ...] = (),
    now_ms: int = WALL_MS,
    cursor: str = "A:1",
) -> Answer:
    return Answer("A", now_ms, cursor, False, results, changes, (), ())


def put(seq: int, record: dict[str, Any], stamps: JSON = None) -> Change:
    document: dict[str, JSON] = {"record": record, "stamps": stamps, "reviews": []}
    return Change(seq, "put", "seizure", RECORD, seq, document)


def test_7_12_older_put_does_not_overwrite_a_newer_one(db: sqlite3.Connection) -> None:
    inbox, pulled = Inbox(db), PulledRecords(db)

    inbox.take(answer(put(9, {"count": 9}), put(7, {"count": 7})))

    got = pulled.get("seizure", RECORD)
    assert got is not None
    assert (got.seq, got.shown) == (9, {"count": 9})


def test_equal_put_is_taken_again(db: sqlite3.Connection) -> None:
    Inbox(db).take(answer(put(9, {"count": 9}), put(9, {"count": 8})))

    got = PulledRecords(db).get("seizure", RECORD)
    assert got is not None
    assert got.shown == {"count": 8}


@pytest.mark.parametrize("what", ["leave", "closed"])
def test_record_that_leaves_is_gone_until_a_newer_put(db: sqlite3.Connection, what: str) -> None:
    inbox, pulled = Inbox(db), PulledRecords(db)
    inbox.take(answer(put(9, {"count": 9}), Change(11, what, "seizure", RECORD, 11, {})))
    assert pulled.get("seizure", RECORD) is None
    assert pulled.ids("seizure") == []

    inbox.take(answer(put(10, {"count": 9})))
    assert pulled.get("seizure", RECORD) is None

    inbox.take(answer(put(12, {"count": 9})))
    assert pulled.get("seizure", RECORD) is not None


def test_unknown_change_of_a_newer_server_is_passed_over(db: sqlite3.Connection) -> None:
    Inbox(db).take(answer(Change(9, "applause", "seizure", RECORD, 9, {}), cursor="A:9"))

    assert Identity(db).cursor() == ("A", "A:9")


def test_outcome_tells_what_became_of_a_held_op(phone: Phone, db: sqlite3.Connection) -> None:
    seizure = phone.create("seizure", {"count": 5})
    (op,) = phone.screen("seizure", seizure).waiting
    inbox = Inbox(db)
    inbox.take(answer(results=(Result(op, Outcome("held", 3, "pending"), None),)))
    assert [each.code for each in phone.screen("seizure", seizure).aside] == ["pending"]

    told = {"status": "rejected", "reason": "not your pound"}
    inbox.take(answer(Change(8, "outcome", "None", op, 8, told)))

    assert phone.screen("seizure", seizure).aside == ()
    reason = db.execute("SELECT reason FROM op WHERE id = ?", (op,)).fetchone()[0]
    assert reason == "not your pound"


def test_answer_is_saved_whole_or_not_at_all(phone: Phone, db: sqlite3.Connection) -> None:
    seizure = phone.create("seizure", {"count": 5})
    (op,) = phone.screen("seizure", seizure).waiting
    result = Result(op, Outcome("applied", 3), None)
    taken = answer(put(3, {"count": 5}), results=(result,), cursor="A:3")

    broken_off = 0
    for steps in count(1, 25):
        if survives(db, taken, steps):
            break
        broken_off += 1
        assert phone.state().waiting == 1
        assert Identity(db).cursor() == (None, None)
        assert PulledRecords(db).get("seizure", RECORD) is None

    assert broken_off > 5
    assert phone.state().waiting == 0
    assert Identity(db).cursor() == ("A", "A:3")


def survives(db: sqlite3.Connection, taken: Answer, steps: int) -> bool:
    """Take an answer, but stop the database once after so many of its steps."""
    taken_steps = count(1)
    db.set_progress_handler(lambda: next(taken_steps) == steps, 1)
    try:
        Inbox(db).take(taken)
    except sqlite3.OperationalError:
        return False
    finally:
        db.set_progress_handler(None, 1)
    return True


def test_erased_values_leave_the_phone(phone: Phone, db: sqlite3.Connection) -> None:
    seizure = phone.create("seizure", {"count": 5, "owner.mobile": "9876543210"})
    phone.edit("seizure", seizure, {"owner.mobile": "9876500000"})
    facts, personal, waiting = phone.screen("seizure", seizure).waiting
    stamps = {op.id: op.stamp for op in Outbox(db).everything()}
    results = tuple(
        Result(op, Outcome("applied", i), None) for i, op in enumerate((facts, personal))
    )
    erased: JSON = {"owner.mobile": [{"op": personal, "t": stamps[personal], "erased": True}]}
    gone = Change(5, "put", "seizure", seizure, 5, {"record": {}, "stamps": erased})

    Inbox(db).take(answer(gone, results=results))

    kept = {op.id: op.raw for op in Outbox(db).everything()}
    assert kept[personal] is None
    assert None not in (kept[facts], kept[waiting])
    assert [own.op.id for own in phone.screen("seizure", seizure).ground.own] == [facts, waiting]
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"9876543210" not in Path(db.execute("PRAGMA database_list").fetchone()[2]).read_bytes()


def test_value_given_after_an_erasure_stays(phone: Phone, db: sqlite3.Connection) -> None:
    seizure = phone.create("seizure", {"owner.mobile": "9876543210"})
    phone.edit("seizure", seizure, {"owner.mobile": "9876500000"})
    first, second = phone.screen("seizure", seizure).waiting
    stamps = {op.id: op.stamp for op in Outbox(db).everything()}
    results = tuple(Result(op, Outcome("applied", i), None) for i, op in enumerate((first, second)))
    heads: JSON = [
        {
            "op": "0193a5c0-0000-7000-8000-00000000dead",
            "t": f"{1:012x}-0000-{'b' * 16}",
            "erased": True,
        },
        {"op": second, "t": stamps[second]},
    ]
    change = Change(
        5, "put", "seizure", seizure, 5, {"record": {}, "stamps": {"owner.mobile": heads}}
    )

    Inbox(db).take(answer(change, results=results))

    kept = {op.id: op.raw is not None for op in Outbox(db).everything()}
    assert kept == {first: False, second: True}


def test_answered_ops_are_kept_for_thirty_days(phone: Phone, db: sqlite3.Connection) -> None:
    seizure = phone.create("seizure", {"count": 5})
    (op,) = phone.screen("seizure", seizure).waiting
    inbox = Inbox(db)
    inbox.take(answer(results=(Result(op, Outcome("applied", 3), None),)))

    inbox.take(answer(now_ms=WALL_MS + KEEP_MS))
    assert len(list(Outbox(db).everything())) == 1

    inbox.take(answer(now_ms=WALL_MS + KEEP_MS + 1))
    assert list(Outbox(db).everything()) == []


def test_held_ops_are_kept_for_good(phone: Phone, db: sqlite3.Connection) -> None:
    seizure = phone.create("seizure", {"count": 5})
    (op,) = phone.screen("seizure", seizure).waiting
    inbox = Inbox(db)
    inbox.take(answer(results=(Result(op, Outcome("held", 3), None),)))

    inbox.take(answer(now_ms=WALL_MS + 100 * KEEP_MS))

    assert phone.state().held == 1


def test_clock_is_raised_by_the_server_and_by_own_stamps_only(
    phone: Phone, db: sqlite3.Connection
) -> None:
    actor = phone.device.actor
    own, other = f"{WALL_MS + 9000:012x}-0000-{actor}", f"{WALL_MS + 10**9:012x}-0000-{'b' * 16}"
    stamps: JSON = {"count": [{"op": RECORD, "t": own}, {"op": RECORD, "t": other}]}
    Inbox(db).take(answer(put(3, {}, stamps), now_ms=WALL_MS + 5000))

    seizure = phone.create("seizure", {"count": 5})

    stamp = phone.screen("seizure", seizure).ground.own[0].op.stamp
    assert stamp == f"{WALL_MS + 9000:012x}-0001-{actor}"


def test_struck_elements_are_read_from_the_record(phone: Phone, server: FieldServer) -> None:
    seizure = phone.create("seizure", {"count": 5})
    phone.sync()
    server.extra = {"struck": {"ear_tags": ["340123456789"]}}
    phone.edit("seizure", seizure, {"count": 6})
    phone.sync()

    seen = phone.screen("seizure", seizure)
    assert seen.struck == {"ear_tags": ["340123456789"]}
    assert "struck" not in seen.shown


@pytest.mark.parametrize(
    "spoilt",
    [
        {"more": "no"},
        {"epoch": 7},
        {"server_now": "yesterday"},
        {"server_now": "2026-11-30T06:00:00"},
        {"changes": [{"what": "put"}]},
        {"changes": [{"what": "put", "seq": "nine"}]},
        {"changes": "none"},
        {"results": [{}]},
        {"tree_heads": [{"authority": "a", "epoch": "A", "size": None, "root": ""}]},
        {"photos": [7]},
        {"cursor": None},
    ],
    ids=str,
)
def test_answer_that_makes_no_sense_is_none(spoilt: dict[str, Any]) -> None:
    sound: dict[str, JSON] = {
        "epoch": "A",
        "server_now": "2026-11-30T06:00:00.000Z",
        "cursor": "A:1",
        "more": False,
        "results": [],
        "changes": [],
    }
    assert read_answer(sound, []).cursor == "A:1"

    with pytest.raises(faults.NotOurServer):
        read_answer({**sound, **spoilt}, [])
