"""Scenarios between people who share a case: second claimants, and keepers of pounds."""

from __future__ import annotations

from functools import partial

from tests.conformance.line import Device, Document
from tests.conformance.scenario import (
    Cast,
    begin,
    edit,
    need,
    need_equal,
    need_soon,
    need_statuses,
    report,
    scenario,
    somewhere,
)


@scenario("7.16a", "two officers report the same seizure", "author", "other")
def two_reports(cast: Cast) -> None:
    """Both are kept, and each is flagged as perhaps the same as another."""
    place = somewhere()
    both = [begin(phone, {"location": place})[0] for phone in (cast.author, cast.other)]
    for device, op in zip((cast.author, cast.other), both, strict=True):
        need_soon(partial(_is_doubted, device, op), "not flagged as a possible duplicate")


def _is_doubted(device: Device, of: Document) -> bool:
    return "possible_duplicate" in device.sees("seizure", of["id"])["record"]["flags"]


@scenario("7.16b", "a create under the id of another's report", "author", "other")
def second_claimant(cast: Cast) -> None:
    """Held and not merged."""
    mine = report(cast.author)
    need_statuses(cast.author.push(mine), "applied")
    claim = report(cast.other, mine["id"], ground="straying")
    held = cast.other.push(claim)[0]
    need_equal((held["status"], held.get("code")), ("held", "not-yours"), "second claimant")
    need_equal(cast.author.sees("seizure", mine["id"])["record"]["ground"], "trespass", "ground")


@scenario("7.20a", "a case goes to a pound and leaves it", "author", "keeper")
def pounds(cast: Cast) -> None:
    """The keeper gets the whole case, then `leave`."""
    pound = cast.pound()
    seizure, animal = begin(cast.author, {"owner.name": "Ramesh"})
    cast.keeper.pull()
    keys = {("seizure", seizure["id"]), ("animal", animal["id"])}
    need(not keys & cast.keeper.records.keys(), "the keeper saw a case of no pound")
    sent = edit(cast.author, seizure, "pound_id", pound)
    need_statuses(cast.author.push(sent), "applied")
    shown = cast.keeper.sees("seizure", seizure["id"])
    need(keys <= cast.keeper.records.keys(), "the keeper did not get the whole case")
    need_equal(shown["record"].get("owner.name"), "Ramesh", "what the keeper sees of the owner")
    need_statuses(cast.author.push(edit(cast.author, seizure, "pound_id", None, sent)), "applied")
    cast.keeper.pull()
    need(keys <= cast.keeper.gone, f"the keeper was not told that it left: {cast.keeper.gone}")
    cast.author.pull()
    need(keys <= cast.author.records.keys(), "own reports left their author")
