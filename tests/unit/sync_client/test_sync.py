"""What a phone keeps, whatever the line and the server do to its syncs."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sync.client import faults
from sync.client.device import Phone
from tests.unit.sync_client.conftest import Sleeps
from tests.unit.sync_client.server import FieldServer, bare, cut_after, cut_before, problem

SYNC = "POST /api/v1/sync"


def bodies(server: FieldServer) -> list[dict[str, object]]:
    """Return the sync requests as they arrived, oldest first."""
    asked = [each for each in server.requests if each.path == "/api/v1/sync"]
    plain = [
        gzip.decompress(each.body) if "content-encoding" in each.headers else each.body
        for each in asked
    ]
    return [json.loads(body) for body in plain]


def test_report_made_offline_reaches_the_server(phone: Phone, server: FieldServer) -> None:
    seizure = phone.create("seizure", {"ground": "trespass", "owner.mobile": "9876543210"})

    report = phone.sync()

    shown = phone.screen("seizure", seizure).shown
    assert report.answers == {"applied": 2}
    assert phone.state().waiting == 0
    assert shown == {"ground": "trespass", "owner.mobile": "9876543210"}
    assert len(server.ops) == 2


def test_ops_are_sent_as_the_bytes_that_were_saved(phone: Phone, server: FieldServer) -> None:
    phone.create("seizure", {"ground": "trespass", "count": 9.0})
    saved = phone._db.execute("SELECT raw FROM op").fetchone()[0]  # noqa: SLF001

    phone.sync()

    assert [raw for _, raw in server.ops.values()] == [saved]


def test_ops_go_in_the_order_of_their_stamps(phone: Phone, server: FieldServer) -> None:
    first = phone.create("seizure", {"ground": "trespass"})
    phone.create("seizure", {"ground": "straying"})
    phone.edit("seizure", first, {"count": 3})

    phone.sync()

    stamps = [json.loads(server.ops[op][1])["t"] for op in server.received]
    assert len(stamps) == 3
    assert stamps == sorted(stamps)


def test_answer_lost_after_commit_is_asked_for_again(phone: Phone, server: FieldServer) -> None:
    phone.create("seizure", {"ground": "trespass"})
    server.script[SYNC].extend([cut_after, cut_after])

    phone.sync()

    assert len(server.received) == 3
    assert len(server.ops) == 1
    assert phone.state().waiting == 0


def test_dead_line_keeps_the_queue(phone: Phone, server: FieldServer, sleeps: Sleeps) -> None:
    phone.create("seizure", {"ground": "trespass"})
    server.script[SYNC].extend([cut_before] * 4)

    with pytest.raises(faults.LinkDown):
        phone.sync()

    assert phone.state().waiting == 1
    assert sleeps == [0.5, 1.0, 2.0]


def test_retry_after_is_honoured(phone: Phone, server: FieldServer, sleeps: Sleeps) -> None:
    server.script[SYNC].extend(
        [problem(503, "unavailable", Retry_After="7"), problem(429, "too-many", Retry_After="9")]
    )

    phone.sync()

    assert sleeps == [7.5, 10.0]


def test_long_retry_after_ends_the_sync(phone: Phone, server: FieldServer, sleeps: Sleeps) -> None:
    server.script[SYNC].append(problem(503, "unavailable", Retry_After="600"))

    with pytest.raises(faults.Busy) as busy:
        phone.sync()

    assert busy.value.wait_s == 600
    assert sleeps == []


def test_retry_after_may_be_a_date(phone: Phone, server: FieldServer, sleeps: Sleeps) -> None:
    told = {"Date": "Mon, 30 Nov 2026 06:00:00 GMT", "Retry-After": "Mon, 30 Nov 2026 06:00:20 GMT"}
    server.script[SYNC].append(bare(503, b"", **told))

    phone.sync()

    assert sleeps == [20.5]


def test_lost_token_pauses_and_keeps_the_queue(phone: Phone, server: FieldServer) -> None:
    phone.create("seizure", {"ground": "trespass"})
    server.tokens.clear()

    with pytest.raises(faults.NotSignedIn):
        phone.sync()

    assert phone.state().waiting == 1
    assert server.ops == {}


def test_7_14_401_in_the_middle_keeps_what_was_reached(phone: Phone, server: FieldServer) -> None:
    for _ in range(3):
        phone.create("seizure", {"ground": "trespass"})
    server.page = 1
    server.script[SYNC].extend([None, problem(401, "not-authenticated")])

    with pytest.raises(faults.NotSignedIn):
        phone.sync()

    assert phone.state().waiting == 0
    assert len(phone.records("seizure")) == 3
    phone.sync()
    assert bodies(server)[-1]["cursor"] == "A:2"


@pytest.mark.parametrize(
    "answer",
    [
        bare(200, b"<html>Welcome to the airport</html>"),
        bare(302, b"", Location="http://127.0.0.1/login"),
        bare(200, b'{"results": [], "changes": []}'),
        bare(200, b"\x1f\x8bjunk", **{"Content-Encoding": "gzip"}),
        bare(403, b"<html>No</html>"),
    ],
    ids=["page", "redirect", "half", "gzip-junk", "forbidden"],
)
def test_captive_portal_is_never_taken_for_an_answer(
    phone: Phone, server: FieldServer, answer: Callable[..., object]
) -> None:
    phone.create("seizure", {"ground": "trespass"})
    server.script[SYNC].append(answer)  # type: ignore[arg-type]  # a Trick, named loosely

    with pytest.raises(faults.NotOurServer):
        phone.sync()

    assert phone.state().waiting == 1


def test_result_for_another_op_is_no_answer(phone: Phone, server: FieldServer) -> None:
    phone.create("seizure", {"ground": "trespass"})
    stranger = {"i": 0, "op": "0193a5c0-0000-7000-8000-00000000dead", "status": "applied"}
    answer = {
        "epoch": "A",
        "server_now": "2026-11-30T06:00:00Z",
        "cursor": "A:1",
        "more": False,
        "results": [stranger],
        "changes": [],
    }
    server.script[SYNC].append(bare(200, json.dumps(answer).encode()))

    with pytest.raises(faults.NotOurServer):
        phone.sync()

    assert phone.state().waiting == 1


def test_answer_that_names_retry_keeps_the_op(phone: Phone, server: FieldServer) -> None:
    seizure = phone.create("seizure", {"ground": "trespass"})
    op = phone.screen("seizure", seizure).waiting[0]
    server.statuses[op] = {"status": "retry", "retry_after_ms": 4000}

    report = phone.sync()

    assert report.answers == {"retry": 1}
    assert report.retry_after_ms == 4000
    assert phone.state().waiting == 1
    assert server.received == [op]


def test_pages_are_pulled_to_the_end(phone: Phone, server: FieldServer) -> None:
    for _ in range(7):
        phone.create("seizure", {"ground": "trespass"})
    server.page = 2

    report = phone.sync()

    assert report.requests == 4
    assert [body["cursor"] for body in bodies(server)] == [None, "A:2", "A:4", "A:6"]
    assert report.changes == 7


def test_7_11_exactly_full_pages_end_in_finite_requests(phone: Phone, server: FieldServer) -> None:
    for _ in range(4):
        phone.create("seizure", {"ground": "trespass"})
    server.page = 2

    assert phone.sync().requests == 2
    assert phone.sync().requests == 1


def test_pull_that_does_not_move_is_given_up(phone: Phone, server: FieldServer) -> None:
    stuck = {
        "epoch": "A",
        "server_now": "2026-11-30T06:00:00Z",
        "cursor": "A:0",
        "more": True,
        "results": [],
        "changes": [],
    }
    server.script[SYNC].extend([bare(200, json.dumps(stuck).encode())] * 2)

    with pytest.raises(faults.NotOurServer):
        phone.sync()


def test_cursor_the_server_cannot_read_is_let_go(phone: Phone, server: FieldServer) -> None:
    seizure = phone.create("seizure", {"ground": "trespass"})
    phone.sync()
    phone.edit("seizure", seizure, {"ground": "straying"})
    server.script[SYNC].append(problem(400, "bad-request"))

    phone.sync()

    assert [body["cursor"] for body in bodies(server)] == [None, "A:1", None]
    assert phone.state().waiting == 0


def test_request_the_server_cannot_read_keeps_the_queue(phone: Phone, server: FieldServer) -> None:
    phone.create("seizure", {"ground": "trespass"})
    server.script[SYNC].append(problem(400, "invalid-json"))

    with pytest.raises(faults.Refused):
        phone.sync()

    assert phone.state().waiting == 1


def test_large_requests_are_compressed_small_ones_not(phone: Phone, server: FieldServer) -> None:
    phone.sync()
    for _ in range(20):
        phone.create("seizure", {"ground": "trespass"})
    phone.sync()

    asked = [each.headers for each in server.requests if each.path == "/api/v1/sync"]
    assert ["content-encoding" in headers for headers in asked] == [False, True]


def test_batches_shrink_on_a_bad_line(phone: Phone, server: FieldServer) -> None:
    for _ in range(60):
        phone.create("seizure", {"ground": "trespass"})
    server.script[SYNC].extend([cut_before, cut_before])

    phone.sync()

    sizes = [len(body["ops"]) for body in bodies(server)]  # type: ignore[arg-type]  # a list
    assert sizes == [60, 30, 15, 30, 15]
    assert len(server.ops) == 60


def test_op_too_large_even_alone_blocks_no_other(phone: Phone, server: FieldServer) -> None:
    for _ in range(3):
        phone.create("seizure", {"ground": "trespass"})
    server.script[SYNC].extend([problem(413, "too-large")] * 2)

    phone.sync()

    state = phone.state()
    assert (state.waiting, state.needs_you) == (0, 1)
    assert len(server.ops) == 2
    phone.sync()
    assert phone.state().needs_you == 0


def test_pull_that_is_too_large_by_itself_is_given_up(phone: Phone, server: FieldServer) -> None:
    server.script[SYNC].append(problem(413, "too-large"))

    with pytest.raises(faults.TooMuch):
        phone.sync()


def test_second_sync_at_a_time_is_refused(
    phone: Phone, server: FieldServer, open_phone: Callable[[Path], Phone], tmp_path: Path
) -> None:
    other = open_phone(tmp_path / "phone")
    seen: list[bool] = []

    def meanwhile(*_: object) -> object:
        with pytest.raises(faults.AlreadySyncing):
            other.sync()
        seen.append(True)
        return problem(503, "unavailable")(*_)  # type: ignore[arg-type]  # passed through

    server.script[SYNC].append(meanwhile)  # type: ignore[arg-type]  # a Trick
    phone.sync()

    assert seen == [True]


def test_outdated_app_is_told_to_update(phone: Phone, server: FieldServer) -> None:
    phone.create("seizure", {"ground": "trespass"})
    server.script[SYNC].append(problem(426, "upgrade-required"))

    with pytest.raises(faults.UpgradeNeeded):
        phone.sync()

    assert phone.state().waiting == 1
