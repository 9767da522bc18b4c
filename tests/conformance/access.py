"""Scenarios of access: roles that end and begin, phones that wait, values that are erased."""

from __future__ import annotations

from http import HTTPStatus

from tests.conformance.line import Document, new_id
from tests.conformance.scenario import (
    Cast,
    begin,
    edit,
    heads_of,
    need,
    need_equal,
    need_statuses,
    report,
    scenario,
)

_DONE = {HTTPStatus.OK, HTTPStatus.CREATED}


def _do(cast: Cast, path: str, body: Document) -> Document:
    """Let the admin post something; return the answer."""
    answer = cast.admin.ask("POST", path, body)
    need(answer.status in _DONE, f"POST {path} was answered {answer.status}: {answer.body[:200]!r}")
    told: Document = answer.json
    return told


def _end_roles(cast: Cast) -> list[Document]:
    """End every role of the leaver; return them."""
    person = cast.leaver.person
    roles: list[Document] = cast.admin.ask("GET", f"/api/v1/people/{person}").json["roles"]
    for role in roles:
        _do(cast, f"/api/v1/people/{person}/roles/{role['id']}/end", {"id": new_id()})
    return roles


@scenario("7.6", "captured before access ended, handed in after", "leaver", "admin", "reviewer")
def access_ended(cast: Cast) -> None:
    """Held; reads give nothing; released, it counts as if it had come in order."""
    seizure, _ = begin(cast.leaver)
    late = edit(cast.leaver, seizure, "ground", "straying", seizure)
    other = report(cast.leaver)
    roles = _end_roles(cast)
    results = cast.leaver.push(late, other)
    need_statuses(results, "held")
    cast.leaver.records = {}
    cast.leaver.cursor = None
    cast.leaver.pull()
    strangers = {key for key in cast.leaver.records if key[1] != seizure["id"]}
    need(not [key for key in strangers if key[0] == "seizure"], f"reads give {strangers}")
    for op in (late, other):
        path = f"/api/v1/ops/{cast.leaver.actor}/{op['op']}/release"
        answer = cast.reviewer.ask("POST", path, {"id": new_id(), "reason": "captured in time"})
        need(answer.status in _DONE, f"POST {path} was answered {answer.status}")
    change = cast.reviewer.sees("seizure", seizure["id"])
    need_equal(change["record"]["ground"], "straying", "ground")
    need_equal(heads_of(change, "ground"), [late["op"]], "heads")
    cast.reviewer.sees("seizure", other["id"])
    _give_back(cast, roles)


def _give_back(cast: Cast, roles: list[Document]) -> None:
    for role in roles:
        told = {"id": new_id(), "role": role["role"], "pound_id": role["pound_id"]}
        _do(cast, f"/api/v1/people/{cast.leaver.person}/roles", told)


@scenario("7.20b", "a role is taken and given back", "author", "leaver", "admin")
def roles_change(cast: Cast) -> None:
    """It takes effect at the next pull."""
    seizure, _ = begin(cast.author)
    key = ("seizure", seizure["id"])
    cast.leaver.sees(*key)
    roles = _end_roles(cast)
    cast.leaver.pull()
    need(key not in cast.leaver.records, "a record is still there after the role ended")
    _give_back(cast, roles)
    cast.leaver.sees(*key)


@scenario("7.26", "values of a person are erased", "author", "admin")
def erasure(cast: Cast) -> None:
    """Shown as null and said so; a resend is answered as before and stores nothing."""
    device = cast.author
    seizure, _ = begin(device)
    owner = edit(device, seizure, "owner.mobile", "9000000000")
    owner["salt"] = "AAAAAAAAAAAAAAAAAAAAAA"
    first = device.push(owner)[0]
    told = {"record": f"seizure/{seizure['id']}", "fields": ["owner.mobile"], "reason": "asked"}
    _do(cast, "/api/v1/erasures", {"id": new_id(), **told})
    for _ in range(2):
        change = device.sees("seizure", seizure["id"])
        need_equal(change["record"].get("owner.mobile"), None, "the erased value")
        marks = [(one["op"], one.get("erased")) for one in change["stamps"]["owner.mobile"]]
        need_equal(marks, [(owner["op"], True)], "heads of the erased field")
        again = device.push(owner)[0]
        need_equal((again["status"], again["replayed"]), (first["status"], True), "resend")


@scenario("7.30a", "a pending phone hands in", "pending", "author")
def waiting(cast: Cast) -> None:
    """Held, read by nobody, told again as held; the phone reads nothing."""
    op = report(cast.pending)
    first, again = cast.pending.push(op)[0], cast.pending.push(op)[0]
    need_equal((first["status"], again["status"]), ("held", "held"), "statuses")
    need(again.get("replayed") is True, "a resend of a held op is not known again")
    cast.pending.pull()
    need_equal(cast.pending.records, {}, "what the pending phone reads")
    cast.author.pull()
    need(("seizure", op["id"]) not in cast.author.records, "a held report is told to others")


@scenario("7.30b", "a pending phone is confirmed", "pending", "author", "admin")
def confirmed(cast: Cast) -> None:
    """What it handed in is released in order, and its phone is told."""
    device = cast.pending
    seizure = report(device)
    op = edit(device, seizure, "ground", "straying", seizure)
    need_statuses(device.push(op, seizure), "held")
    _do(cast, f"/api/v1/devices/{device.id}/confirm", {"id": new_id()})
    change = device.sees("seizure", seizure["id"])
    need_equal(change["record"]["ground"], "straying", "ground")
    need_equal(heads_of(change, "ground"), [op["op"]], "heads")
    told = {one["op"]: device.outcomes.get(one["op"], {}).get("status") for one in (seizure, op)}
    need_equal(set(told.values()), {"applied"}, "outcomes")
    cast.author.sees("seizure", seizure["id"])
