"""Tree heads over HTTP: phones carry them away, bring them back, and both sides notice a lie."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from fieldapi import ledger
from fieldapi.house import House
from fieldapi.ids import new_id
from fieldapi.ledger import Entry
from fieldapi.models import OpRow
from fieldapi.services.epochs import begin_epochs
from sync.tree import verify_consistency
from tests.support.personas import Village
from tests.support.phones import TestPhone, phone_of
from tests.support.reports import push_body

pytestmark = pytest.mark.database

Head = dict[str, Any]


def head_now(phone: TestPhone, *kept: object) -> Head:
    answer = phone.client.post("/api/v1/sync", json=push_body([], tree_heads=[*kept]))
    assert answer.status_code == 200, answer.json
    told: Head = answer.json["tree_heads"][0]
    return told


def carried(head: Head) -> Head:
    return {name: head[name] for name in ("authority", "epoch", "size", "root")}


def entries(house: House, village: Village, kind: str) -> list[Entry]:
    with house.database.read() as session:
        return list(ledger.entries_of_kind(session, village.rjk, kind))


def test_answer_proves_that_it_continues_the_head_a_phone_kept(
    house: House, village: Village, asha: TestPhone
) -> None:
    heads = [head_now(asha)]
    for _ in range(5):
        asha.push(*(asha.pen.seizure(new_id()) for _ in range(3)))
        heads.append(head_now(asha))

    for old in heads:
        new = head_now(asha, carried(old))
        proof = [bytes.fromhex(node) for node in new["consistency"]]
        roots = bytes.fromhex(old["root"]), bytes.fromhex(new["root"])
        assert "fits" not in new
        assert verify_consistency(old["size"], roots[0], new["size"], root=roots[1], proof=proof), (
            old["size"]
        )
    assert entries(house, village, "ledger.contradicted") == []


@pytest.mark.parametrize(
    "lie",
    [{"root": "00" * 32}, {"size": 10_000}, {"size": 0}, {"epoch": "Q"}],
    ids=["root", "longer", "empty", "epoch"],
)
def test_a_head_that_does_not_fit_is_an_alarm_on_both_sides(
    house: House,
    village: Village,
    asha: TestPhone,
    caplog: pytest.LogCaptureFixture,
    lie: Head,
) -> None:
    wrong = {**carried(head_now(asha)), **lie}
    asha.push(asha.pen.seizure(new_id()))

    told = [head_now(asha, wrong) for _ in range(2)]

    assert [(one["fits"], one["consistency"]) for one in told] == [(False, [])] * 2
    (entry,) = entries(house, village, "ledger.contradicted")
    assert (entry["epoch"], entry["size"], entry["root"], entry["actor"]) == (
        wrong["epoch"],
        wrong["size"],
        wrong["root"],
        asha.pen.actor,
    )
    assert [one.levelname for one in caplog.records if "contradicted" in str(one.msg)] == [
        "ERROR"
    ] * 2


def test_a_phone_that_lies_without_end_fills_no_ledger(
    house: House, village: Village, asha: TestPhone
) -> None:
    head = carried(head_now(asha))

    for turn in range(3):
        lies = [{**head, "root": f"{turn:02x}{n:02x}" * 16} for n in range(20)]
        assert head_now(asha, *lies)["fits"] is False

    assert len(entries(house, village, "ledger.contradicted")) == 20


def test_7_17_heads_of_an_epoch_that_is_over_are_witnesses_and_no_alarm(
    house: House, village: Village, asha: TestPhone
) -> None:
    early = head_now(asha)
    asha.push(asha.pen.seizure(new_id()))
    lost = {**carried(head_now(asha)), "size": 500, "root": "ab" * 32}

    house.database.transact(begin_epochs)
    told = [head_now(asha, carried(early), lost) for _ in range(2)]

    assert [(one["epoch"], "fits" in one) for one in told] == [("B", False)] * 2
    witnessed = entries(house, village, "ledger.witnessed")
    assert [(one["epoch"], one["size"]) for one in witnessed] == [
        ("A", early["size"]),
        ("A", 500),
    ]
    assert entries(house, village, "ledger.contradicted") == []


def test_a_false_head_of_an_epoch_that_is_over_is_an_alarm(
    house: House, village: Village, asha: TestPhone
) -> None:
    early = {**carried(head_now(asha)), "root": "cd" * 32}
    house.database.transact(begin_epochs)

    assert head_now(asha, early)["fits"] is False
    assert len(entries(house, village, "ledger.contradicted")) == 1


@pytest.mark.parametrize("heads", [None, 7, "x", {}, [7], [{"authority": 7}], [{"size": -1}]])
def test_heads_that_are_none_strand_no_phone(asha: TestPhone, heads: object) -> None:
    answer = asha.client.post("/api/v1/sync", json=push_body([], tree_heads=heads))

    assert answer.status_code == 200
    assert "fits" not in answer.json["tree_heads"][0]


def test_heads_of_another_authority_are_not_compared(
    app: Flask, village: Village, asha: TestPhone
) -> None:
    foreign = carried(head_now(phone_of(app, village["chetan"])))

    assert "fits" not in head_now(asha, foreign)


def test_the_head_that_an_op_saw_is_kept_with_it(
    house: House, village: Village, asha: TestPhone
) -> None:
    seen = head_now(asha)
    op = asha.pen.seizure(new_id())
    op["head"] = {"size": seen["size"], "root": seen["root"]}

    assert asha.push(op)[0]["status"] == "applied"

    assert seen["root"] in payload_of(house, village, op["op"])


def payload_of(house: House, village: Village, op: str) -> str:
    with house.database.read() as session:
        row = session.get_one(OpRow, (village.rjk, village["asha"].actor, op))
        return (row.payload or b"").decode()
