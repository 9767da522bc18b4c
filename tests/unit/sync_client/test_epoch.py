"""A server restored from yesterday's backup gets back what it lost; a rewritten one is noticed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sync import tree
from sync.client import faults
from sync.client.device import Phone
from sync.op import parse_op
from tests.unit.sync_client.server import FieldServer, problem
from tests.unit.sync_client.test_sync import SYNC, bodies

LEAVES = [tree.leaf_hash(bytes([i])) for i in range(8)]


def root(begin: int, end: int) -> bytes:
    frontier = tree.Frontier()
    for leaf in LEAVES[begin:end]:
        frontier, _ = frontier.append(leaf)
    return frontier.root()


def head(size: int, *, since: int = 0, epoch: str = "A") -> dict[str, Any]:
    """Return a true tree head over the first leaves, with the proof from an older one."""
    nodes = tree.consistency_proof(since, size, lambda h, end: root(end - (1 << h), end))
    told = {"authority": "auth", "epoch": epoch, "size": size, "root": root(0, size).hex()}
    return {**told, "consistency": [node.hex() for node in nodes]}


def restore(server: FieldServer, *, kept: int) -> None:
    """Take the server back to its first entries, under a new epoch."""
    ops = sorted(server.ops.values())[:kept]
    server.epoch = "B"
    server.ops.clear()
    server.entries.clear()
    server.heads.clear()
    for _, raw in ops:
        server.take(raw)


def test_7_17_restored_server_is_offered_everything_again(
    phone: Phone, server: FieldServer
) -> None:
    made = [phone.create("seizure", {"ground": "trespass"}) for _ in range(3)]
    phone.sync()
    restore(server, kept=1)
    made.append(phone.create("seizure", {"ground": "straying"}))

    phone.sync()

    assert len(server.ops) == 4
    assert phone.records("seizure") == sorted(made)
    assert phone.state().waiting == 0


def test_restore_wipes_what_was_pulled_and_pulls_from_the_start(
    phone: Phone, server: FieldServer
) -> None:
    phone.create("seizure", {"ground": "trespass"})
    phone.sync()
    stranger = server.strangers_record("seizure", {"ground": "straying"})
    phone.sync()
    restore(server, kept=0)

    phone.sync()

    cursors = [body["cursor"] for body in bodies(server)]
    assert cursors[-2:] == ["A:2", None]
    with pytest.raises(faults.UnknownRecord):
        phone.screen("seizure", stranger)


def test_edit_after_a_restore_still_names_what_it_replaces(
    phone: Phone, server: FieldServer
) -> None:
    seizure = phone.create("seizure", {"count": 4})
    phone.sync()
    phone.edit("seizure", seizure, {"count": 5})
    restore(server, kept=0)

    phone.sync()

    assert phone.screen("seizure", seizure).shown["count"] == 5
    assert len(server.heads["seizure", seizure]["count"]) == 1


def test_another_epoch_in_an_answer_starts_over_too(phone: Phone, server: FieldServer) -> None:
    phone.create("seizure", {"ground": "trespass"})
    phone.sync()
    restore(server, kept=0)
    server.is_blind_to_epochs = True

    phone.sync()

    assert len(server.ops) == 1
    assert phone.state().waiting == 0


def test_endless_change_of_epoch_is_given_up(phone: Phone, server: FieldServer) -> None:
    phone.create("seizure", {"ground": "trespass"})
    server.script[SYNC].extend([problem(409, "epoch-changed")] * 2)

    with pytest.raises(faults.EpochChanged):
        phone.sync()

    assert phone.state().waiting == 1


def test_head_of_the_old_epoch_is_handed_in_once(phone: Phone, server: FieldServer) -> None:
    server.tree_heads = [head(3)]
    phone.sync()
    restore(server, kept=0)
    server.tree_heads = [head(1, epoch="B")]
    phone.sync()
    phone.sync()

    sent = [body["tree_heads"] for body in bodies(server)]
    old, new = head(3), head(1, epoch="B")
    assert [[(h["epoch"], h["size"]) for h in heads] for heads in sent] == [  # type: ignore[attr-defined]  # a list
        [],
        [("A", old["size"])],
        [("A", old["size"])],
        [("B", new["size"])],
    ]


def test_heads_that_continue_raise_no_alarm(phone: Phone, server: FieldServer) -> None:
    for size, since in ((3, 0), (3, 3), (7, 3)):
        server.tree_heads = [head(size, since=since)]
        phone.sync()

    assert phone.state().alarms == ()
    phone.create("seizure", {"ground": "trespass"})
    phone.sync()
    (_, raw) = next(iter(server.ops.values()))
    assert json.loads(raw)["head"] == {"size": 7, "root": root(0, 7).hex()}


@pytest.mark.parametrize(
    "told",
    [
        {**head(3), "root": "00" * 32},
        {**head(7, since=3), "root": "00" * 32},
        {**head(7, since=3), "consistency": ["00" * 32] * 3},
        {**head(7, since=3), "consistency": ["no hash"]},
        {**head(7), "consistency": [], "fits": False},
        head(2),
    ],
    ids=["same-size", "other-root", "false-proof", "no-proof", "told", "shrunk"],
)
def test_rewritten_history_is_an_alarm_that_stops_nothing(
    phone: Phone, server: FieldServer, told: dict[str, Any]
) -> None:
    server.tree_heads = [head(3)]
    phone.sync()
    server.tree_heads = [told]
    phone.create("seizure", {"ground": "trespass"})

    phone.sync()
    phone.sync()

    assert phone.state().waiting == 0
    (alarm,) = phone.state().alarms
    assert json.loads(alarm)["seen"] == {"size": 3, "root": root(0, 3).hex()}


def test_head_without_a_proof_is_passed_over(phone: Phone, server: FieldServer) -> None:
    for told in (head(3), {**head(5), "consistency": []}, head(7, since=3)):
        server.tree_heads = [told]
        phone.sync()

    sent = bodies(server)[-1]["tree_heads"]
    assert [each["size"] for each in sent] == [3]  # type: ignore[attr-defined]  # a list
    assert phone.state().alarms == ()


def test_parsed_ops_are_what_was_meant(phone: Phone, server: FieldServer) -> None:
    seizure = phone.create("seizure", {"count": 4, "owner.mobile": "9876543210"})
    phone.sync()

    facts, personal = (parse_op(json.loads(raw)) for _, raw in sorted(server.ops.values()))
    assert (facts.record, facts.is_new, dict(facts.set), facts.salt) == (
        seizure,
        True,
        {"count": 4},
        None,
    )
    assert (personal.is_new, len(personal.salt or "")) == (False, 22)
    assert (facts.n, personal.n) == (1, 2)
