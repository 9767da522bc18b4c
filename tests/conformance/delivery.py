"""Scenarios of delivery: resends, bad neighbours, reused ids, doors that stay closed."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus

from tests.conformance.line import Device, Document, new_id
from tests.conformance.scenario import (
    Cast,
    begin,
    edit,
    heads_of,
    lot,
    need,
    need_equal,
    need_statuses,
    report,
    scenario,
)

_HANDS = 8
_FIRST_WRITES = 40
_WRITES = 30


@scenario("7.1", "writers at once while a reader polls", "author", "author2", "other")
def slow_writers(cast: Cast) -> None:
    """The reader is told everything, and goes back to nothing."""
    writers, told = [cast.author, cast.author2], set[str]()
    cast.other.pull()
    with ThreadPoolExecutor(len(writers)) as pool:
        work = [pool.submit(_write_much, device) for device in writers]
        while not all(one.done() for one in work):
            told |= _news(cast.other)
        written = {record for one in work for record in one.result()}
    told |= _news(cast.other)
    need_equal(written - told, set(), "reports that a polling reader was never told")


def _write_much(device: Device) -> list[str]:
    ops = [report(device) for _ in range(_WRITES)]
    for op in ops:
        need_statuses(device.push(op), "applied")
    return [op["id"] for op in ops]


def _news(device: Device) -> set[str]:
    return {change["id"] for page in device.pull() for change in page["changes"] if "id" in change}


@scenario("7.2", "a push whose answer is cut, resent at once and in other batches", "author")
def resends(cast: Cast) -> None:
    """One record, one effect per op, equal results."""
    device = cast.author
    ops = [report(device) for _ in range(4)]
    body = device.envelope(ops)
    device.line.cut("POST", "/api/v1/sync", body=body, headers=device.headers)
    answers = _at_once(_HANDS, lambda: device.send(body).json["results"])
    answers.append([*device.push(ops[3], ops[1]), *device.push(ops[0], ops[2])])
    by_op = [{one["op"]: (one["status"], one["seq"]) for one in results} for results in answers]
    need(all(one == by_op[0] for one in by_op), f"resends differ: {by_op[0]} and {by_op[-1]}")
    need_equal({status for status, _ in by_op[0].values()}, {"applied"}, "status")
    for op in ops:
        need_equal(heads_of(device.sees("seizure", op["id"]), "ground"), [op["op"]], "heads")


def _at_once(hands: int, work: Callable[[], list[Document]]) -> list[list[Document]]:
    with ThreadPoolExecutor(hands) as pool:
        return [one.result() for one in [pool.submit(work) for _ in range(hands)]]


@scenario("7.3", "100 ops, one not JSON, one with latitude 999", "author")
def bad_neighbours(cast: Cast) -> None:
    """98 applied whole, one in part, one kept byte for byte."""
    device = cast.author
    ops: list[Document | bytes] = [report(device) for _ in range(100)]
    ops[36] = b'{"op": NaN, "kind": "seizure"}'
    bent = report(device)
    bent["set"]["location"]["lat"] = 999
    ops[70] = bent
    results = device.push(*ops)
    need_equal([one["i"] for one in results], [*range(100)], "results are positional")
    whole = [one for at, one in enumerate(results) if at not in {36, 70}]
    need_statuses(whole, "applied")
    need_equal(results[36].get("code"), "invalid-json", "code of what is no JSON")
    need_statuses([results[36], results[70]], "quarantined")
    need_equal(results[70]["fields"]["location"].get("code"), "invalid-value", "code of the field")
    shown = device.sees("seizure", bent["id"])["record"]
    need_equal(shown.get("ground"), "trespass", "the rest of the op with latitude 999")
    again = device.push(ops[36])[0]
    need(again.get("replayed") is True, "the same bytes sent again are not known again")


@scenario("7.8a", "a child before its parent", "author")
def child_first(cast: Cast) -> None:
    """Both are there in the end."""
    device = cast.author
    seizure = report(device)
    need_statuses(device.push(lot(device, seizure["id"], 3)), "applied")
    need_statuses(device.push(seizure), "applied")
    device.sees("seizure", seizure["id"])


@scenario("7.8b", "many first writes of one new id at once", "author")
def first_writes(cast: Cast) -> None:
    """None is lost."""
    device, record = cast.author, new_id()
    tags = [f"3401234{number:05d}" for number in range(_FIRST_WRITES)]
    ops = [device.op("animal", record, add={"ear_tags": [tag]}) for tag in tags]
    with ThreadPoolExecutor(_HANDS) as pool:
        for results in pool.map(device.push, ops):
            need_statuses(results, "applied")
    need_statuses(device.push(lot(device, new_id(), 1, record)), "applied")
    shown = device.sees("animal", record)["record"]["ear_tags"]
    need_equal(sorted(shown), tags, "tags")


@scenario("7.14", "401 on the way: nothing is half applied", "author")
def not_signed_in(cast: Cast) -> None:
    """The queue stays, and works with the right token."""
    device, op = cast.author, report(cast.author)
    body = device.envelope([op])
    answer = device.send(body, Authorization="Bearer csd1_nobody")
    need_equal(answer.status, HTTPStatus.UNAUTHORIZED, "status with a wrong token")
    need(device.push(op)[0]["replayed"] is False, "the refused push had left something")


@scenario("7.15a", "equal op ids by two devices", "author", "author2")
def equal_ids(cast: Cast) -> None:
    """Both stand."""
    seizure, _ = begin(cast.author)
    first = edit(cast.author, seizure, "survey_no", "12")
    second = {**edit(cast.author2, seizure, "survey_no", "13"), "op": first["op"]}
    need_statuses([*cast.author.push(first), *cast.author2.push(second)], "applied")
    change = cast.author.sees("seizure", seizure["id"])
    marks = [mark["op"] for mark in change["stamps"]["survey_no"]]
    wanted = sorted(f"{one.actor}/{first['op']}" for one in (cast.author, cast.author2))
    need_equal(sorted(marks), wanted, "stamps, ready to be put in a base")


@scenario("7.15b", "one actor's id again with other content", "author")
def reused_id(cast: Cast) -> None:
    """The first stands, the other is quarantined as `id-reuse`."""
    device = cast.author
    seizure = report(device)
    other = json.loads(json.dumps(seizure))
    other["set"]["ground"] = "straying"
    results = [*device.push(seizure), *device.push(other)]
    need_equal([one["status"] for one in results], ["applied", "quarantined"], "statuses")
    need_equal(results[1].get("code"), "id-reuse", "code")
    need_equal(device.sees("seizure", seizure["id"])["record"]["ground"], "trespass", "ground")


@scenario("7.0", "envelopes that are none: 400, 413, 415, 426", "author")
def envelopes(cast: Cast) -> None:
    """A broken envelope applies nothing."""
    device = cast.author
    need_equal(device.send(b'{"protocol": 1, "ops": [').status, HTTPStatus.BAD_REQUEST, "broken")
    spoken = device.send(device.envelope([], protocol=99))
    need_equal(spoken.status, HTTPStatus.UPGRADE_REQUIRED, "another protocol")
    need({"min", "max"} <= spoken.json.keys(), "426 does not say which protocols are spoken")
    many = device.envelope([{"op": number} for number in range(_most_ops(device) + 1)])
    need_equal(device.send(many).status, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too many ops")
    text = device.send(device.envelope([]), **{"Content-Type": "text/plain"})
    need_equal(text.status, HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "no JSON")


def _most_ops(device: Device) -> int:
    answer = device.line.call("GET", "/api/v1/limits")
    return int(answer.json["sync"]["ops"])
