"""Scenarios of the pull: pages, ends, fields from the future, bombs, tree heads."""

from __future__ import annotations

import gzip
from http import HTTPStatus

from sync import tree
from tests.conformance.line import Device, Document
from tests.conformance.scenario import (
    Cast,
    begin,
    edit,
    need,
    need_equal,
    need_statuses,
    report,
    scenario,
)

_PAGE_BYTES = 1 << 20
_LIMIT = 20
_BOMB_MIB = 64


@scenario("7.9", "pages within limit and 1 MiB; a page asked twice is one page", "author")
def pages(cast: Cast) -> None:
    """Everything arrives, in order of `seq`."""
    device = _fresh(cast.author)
    ops = [report(device) for _ in range(3 * _LIMIT)]
    need_statuses(device.push(*ops), "applied")
    first = device.exchange(cursor=None, limit=_LIMIT)
    again = device.exchange(cursor=None, limit=_LIMIT)
    need_equal(again["changes"], first["changes"], "the same page again")
    told = device.pull(_LIMIT)
    need(all(len(page["changes"]) <= _LIMIT for page in told), "a page is longer than its limit")
    seqs = [change["seq"] for page in told for change in page["changes"]]
    need_equal(seqs, sorted(seqs), "order of seq")
    missing = {op["id"] for op in ops} - {record for _, record in device.records}
    need_equal(missing, set(), "reports that were never told")
    raw = device.send(device.envelope([], limit=500))
    need(len(raw.body) <= 2 * _PAGE_BYTES, f"a page of {len(raw.body)} bytes")


def _fresh(device: Device) -> Device:
    """Return the same phone as one that has pulled nothing."""
    device.cursor, device.records = None, {}
    return device


@scenario("7.11", "exactly k times limit rows", "author")
def exact_pages(cast: Cast) -> None:
    """Finite requests and an empty end."""
    device = cast.author
    device.pull()
    need_statuses(device.push(*[report(device) for _ in range(2 * _LIMIT)]), "applied")
    told = device.pull(_LIMIT)
    need(len(told) <= 2 + 1 + 1, f"{len(told)} requests for two pages")
    end = device.pull(_LIMIT)
    need_equal([page["changes"] for page in end], [[]], "after the end")


@scenario("7.12", "the pushed row comes back", "author", "author2")
def echo(cast: Cast) -> None:
    """Once, and every later word of a record is newer than the one before."""
    device = cast.author
    device.pull()
    seizure, _ = begin(device)
    seen = [_told(device, seizure), _told(device, seizure)]
    need_equal([len(one) for one in seen], [1, 0], "how often a push comes back")
    need_statuses(cast.author2.push(edit(cast.author2, seizure, "survey_no", "7")), "applied")
    need(device.push(seizure)[0]["replayed"] is True, "a resend is not known again")
    (later,) = _told(device, seizure)
    need_equal(later["record"]["survey_no"], "7", "what another phone wrote meanwhile")
    need(later["seq"] > seen[0][0]["seq"] and later["rev"] != seen[0][0]["rev"], "no newer rev")


def _told(device: Device, of: Document) -> list[Document]:
    changes = [change for page in device.pull() for change in page["changes"]]
    return [change for change in changes if change.get("id") == of["id"]]


@scenario("7.10", "a gzip bomb", "author")
def bomb(cast: Cast) -> None:
    """413, and the server lives."""
    device = cast.author
    packed = gzip.compress(b" " * (_BOMB_MIB << 20))
    answer = device.send(packed, **{"Content-Encoding": "gzip"})
    need_equal(answer.status, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "status")
    device.pull()


@scenario("7.13a", "an old client does not blank what it does not know", "author", "author2")
def old_client(cast: Cast) -> None:
    """Absent leaves alone."""
    seizure, _ = begin(cast.author, {"survey_no": "12"})
    need_statuses(cast.author2.push(edit(cast.author2, seizure, "ground", "straying")), "conflict")
    shown = cast.author.sees("seizure", seizure["id"])["record"]
    need_equal(shown.get("survey_no"), "12", "a field that the edit did not name")


@scenario("7.13b", "a field from a newer schema, and one that nobody knows", "author")
def newer_field(cast: Cast) -> None:
    """Deferred under a newer schema, parked under a known one; the rest applies."""
    device = cast.author
    for schema, code in ((99, "deferred"), (1, "unknown-field")):
        op = report(device, brand_new="x")
        (result,) = device.push(op, schema=schema)
        need_statuses([result], "quarantined")
        need_equal(result["fields"]["brand_new"].get("code"), code, f"code under schema {schema}")
        need_equal(device.sees("seizure", op["id"])["record"]["ground"], "trespass", "the rest")


@scenario("3", "tree heads continue each other", "author")
def heads(cast: Cast) -> None:
    """A consistency proof leads from the head of one pull to that of the next."""
    device = cast.author
    (old,) = device.pull()[-1]["tree_heads"]
    need_statuses(device.push(report(device)), "applied")
    device.heads = [old]
    try:
        (new,) = device.pull()[-1]["tree_heads"]
    finally:
        device.heads = []
    need(_continues(old, new), f"no proof from {old['size']} to {new['size']}")


def _continues(old: Document, new: Document) -> bool:
    proof = [bytes.fromhex(node) for node in new["consistency"]]
    return new["size"] > old["size"] and tree.verify_consistency(
        old["size"],
        bytes.fromhex(old["root"]),
        new["size"],
        root=bytes.fromhex(new["root"]),
        proof=proof,
    )
