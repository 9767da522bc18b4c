"""Scenarios of reviews: decisions, what reopens them, counts that compete."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from sync.clock import rfc3339
from tests.conformance.line import Device, Document, new_id, now_ms
from tests.conformance.scenario import (
    Cast,
    begin,
    edit,
    heads_of,
    lot,
    need_equal,
    need_statuses,
    open_reviews,
    report,
    review_of,
    scenario,
)

_HOUR_MS = 3_600_000
_WHY = "as photographed"


def _decide(cast: Cast, of: Document, name: str, value: Any, named: Sequence[Document]) -> Document:
    """Let the reviewer decide a field over the ops named; return the decision."""
    op = edit(cast.reviewer, of, name, value, *named)
    op["decision"] = {"review": review_of(cast.author, of, name), "reason": _WHY}
    need_statuses(cast.reviewer.push(op), "applied")
    return op


def _need_state(device: Device, of: Document, name: str, *, shown: Any, is_open: bool) -> Document:
    """Pull, and compare what a field shows and whether its review is open."""
    change = device.sees(of["kind"], of["id"])
    need_equal(change["record"].get(name), shown, f"{name} shown")
    need_equal(name in open_reviews(change), is_open, f"review of {name} open")
    return change


def _disputed(cast: Cast) -> tuple[Document, Document, Document]:
    """Let two phones say two grounds over one; return the create and both."""
    seizure, _ = begin(cast.author)
    mine = edit(cast.author, seizure, "ground", "straying", seizure)
    yours = edit(cast.author2, seizure, "ground", "trespass_with_damage", seizure)
    cast.author.push(mine)
    need_statuses(cast.author2.push(yours), "conflict")
    return seizure, mine, yours


@scenario("7.21a", "a decision, then the author edits again", "author", "author2", "reviewer")
def decisions(cast: Cast) -> None:
    """The review closes and reopens; the decision is shown; the author sees it and why."""
    seizure, mine, yours = _disputed(cast)
    _decide(cast, seizure, "ground", "straying", [mine, yours])
    change = _need_state(cast.author, seizure, "ground", shown="straying", is_open=False)
    (told,) = [one for one in change["reviews"] if one["field"] == "ground"]
    need_equal(told["id"], review_of(cast.author, seizure, "ground"), "id of the review")
    need_equal(told["decided"]["decision"].get("reason"), _WHY, "reason")
    cast.author.push(edit(cast.author, seizure, "ground", "trespass", mine))
    _need_state(cast.author, seizure, "ground", shown="straying", is_open=True)


@scenario("7.21b", "an earlier `evidence` value after a decision", "author", "reviewer")
def late_evidence(cast: Cast) -> None:
    """The review reopens, the decision is still shown."""
    device, seizure = cast.author, report(cast.author)
    times = [rfc3339(now_ms() - hours * _HOUR_MS) for hours in (1, 2, 3)]
    early = {**edit(device, seizure, "seized_at", times[2]), "at": seizure["at"] - _HOUR_MS}
    other = edit(device, seizure, "seized_at", times[0], seizure)
    device.push(seizure, other)
    _decide(cast, seizure, "seized_at", times[1], [seizure, other])
    _need_state(device, seizure, "seized_at", shown=times[1], is_open=False)
    device.push(early)
    _need_state(device, seizure, "seized_at", shown=times[1], is_open=True)


@scenario("7.28b", "A1:5, B2:9, decision R3:5, late C0:3", "author", "author2", "reviewer")
def late_third_value(cast: Cast) -> None:
    """The review is open, the decision is shown."""
    seizure, mine, yours = _disputed(cast)
    decided = _decide(cast, seizure, "ground", "straying", [mine, yours])
    late = {**edit(cast.author2, seizure, "ground", "trespass"), "at": seizure["at"] - _HOUR_MS}
    cast.author2.push(late)
    change = _need_state(cast.author, seizure, "ground", shown="straying", is_open=True)
    wanted = {decided["op"], late["op"]}
    need_equal(set(heads_of(change, "ground")) >= wanted, True, "decision and late value stand")


def _counted(cast: Cast) -> tuple[Document, Document]:
    """Let a report stand at the keeper's pound; return a lot of five, not sent, and a nine."""
    seizure = report(cast.author, pound_id=cast.pound())
    need_statuses(cast.author.push(seizure), "applied")
    five = lot(cast.author, seizure["id"], 5, new_id())
    return five, edit(cast.keeper, five, "count", 9, five)


@scenario("7.29a", "the officer's count 5, the keeper's 9 having seen 5", "author", "keeper")
def counts(cast: Cast) -> None:
    """In both orders both are heads and a review is open."""
    for is_swapped in (False, True):
        five, nine = _counted(cast)
        pushes = [(cast.author, five), (cast.keeper, nine)]
        for device, op in reversed(pushes) if is_swapped else pushes:
            device.push(op)
        change = cast.author.sees("animal", five["id"])
        need_equal(heads_of(change, "count"), sorted([five["op"], nine["op"]]), "heads")
        need_equal(open_reviews(change), ["count"], "open reviews")


@scenario("7.29b", "a count decided, then the officer again", "author", "keeper", "reviewer")
def count_decided(cast: Cast) -> None:
    """The officer's late op reopens the review; the decision is shown."""
    five, nine = _counted(cast)
    cast.author.push(five)
    cast.keeper.push(nine)
    _decide(cast, five, "count", 9, [five, nine])
    _need_state(cast.author, five, "count", shown=9, is_open=False)
    cast.author.push(edit(cast.author, five, "count", 6, five))
    _need_state(cast.author, five, "count", shown=9, is_open=True)


@scenario("7.29c", "A1:5, B1:9, A2:9 over A1, in every order", "author", "keeper")
def count_agreed(cast: Cast) -> None:
    """Who comes to say what the other says closes the review."""
    for order in itertools.permutations(range(3)):
        five, nine = _counted(cast)
        same = edit(cast.author, five, "count", 9, five)
        pushes = [(cast.author, five), (cast.keeper, nine), (cast.author, same)]
        for at in order:
            device, op = pushes[at]
            device.push(op)
        _need_state(cast.author, five, "count", shown=9, is_open=False)
