"""Scenarios of merging: what stands when people wrote without knowing of each other."""

from __future__ import annotations

from typing import Any

from sync.clock import rfc3339
from tests.conformance.line import Device, Document, new_id, now_ms
from tests.conformance.scenario import (
    FIELD,
    Cast,
    begin,
    edit,
    heads_of,
    lot,
    need_equal,
    need_statuses,
    open_reviews,
    report,
    scenario,
)

_DAY_MS = 86_400_000


def _need_field(
    device: Device, of: Document, name: str, *, shown: Any, heads: list[Document], is_open: bool
) -> None:
    """Pull, and compare what a field shows, its heads and whether a review is open."""
    change = device.sees(of["kind"], of["id"])
    need_equal(change["record"].get(name), shown, f"{name} shown")
    need_equal(heads_of(change, name), sorted(one["op"] for one in heads), f"heads of {name}")
    need_equal(name in open_reviews(change), is_open, f"review of {name} open")


@scenario("7.4a", "two phones set `ground` from one base to two values", "author", "author2")
def two_values(cast: Cast) -> None:
    """The same shown value, heads and review in either order."""
    for is_swapped in (False, True):
        seizure, _ = begin(cast.author)
        mine = edit(cast.author, seizure, "ground", "straying", seizure)
        yours = edit(cast.author2, seizure, "ground", "trespass_with_damage", seizure)
        pushes = [(cast.author, mine), (cast.author2, yours)]
        for device, op in reversed(pushes) if is_swapped else pushes:
            device.push(op)
        heads = [mine, yours]
        shown = max(heads, key=lambda op: (op["at"], op["t"]))["set"]["ground"]
        _need_field(cast.author, seizure, "ground", shown=shown, heads=heads, is_open=True)


@scenario("7.4b", "two phones set the same value", "author", "author2")
def same_value(cast: Cast) -> None:
    """No review."""
    seizure, _ = begin(cast.author)
    mine = edit(cast.author, seizure, "ground", "straying", seizure)
    yours = edit(cast.author2, seizure, "ground", "straying", seizure)
    need_statuses([*cast.author.push(mine), *cast.author2.push(yours)], "applied")
    heads = [mine, yours]
    _need_field(cast.author, seizure, "ground", shown="straying", heads=heads, is_open=False)


@scenario("7.5a", "a capture of 1970 does not beat an honest edit", "author", "author2")
def clock_of_1970(cast: Cast) -> None:
    """Accepted; the honest one is shown."""
    seizure, _ = begin(cast.author)
    old = {**edit(cast.author2, seizure, "survey_no", "1970"), "at": 0}
    honest = edit(cast.author, seizure, "survey_no", "now")
    need_statuses([*cast.author.push(honest), *cast.author2.push(old)], "applied")
    heads = [old, honest]
    _need_field(cast.author, seizure, "survey_no", shown="now", heads=heads, is_open=False)


@scenario("7.5b", "a phone whose clock says 1970, and one 400 days ahead", "author")
def clocks_off(cast: Cast) -> None:
    """Nothing is refused for its clock."""
    device = cast.author
    for device_now, at in ((0, now_ms()), (now_ms() + 400 * _DAY_MS,) * 2):
        op = {**report(device), "at": at}
        results = device.push(op, device_now=rfc3339(device_now))
        need_statuses(results, "applied")


@scenario("7.5c", "the clock is set back between two edits", "author")
def clock_set_back(cast: Cast) -> None:
    """The second still replaces the first."""
    device = cast.author
    seizure, _ = begin(device)
    first = edit(device, seizure, "ground", "straying", seizure)
    second = {**edit(device, seizure, "ground", "trespass", first), "at": first["at"] - _DAY_MS}
    need_statuses(device.push(first, second), "applied")
    _need_field(device, seizure, "ground", shown="trespass", heads=[second], is_open=False)


@scenario("7.7", "own edits e2, e1, create in that order", "author")
def backwards(cast: Cast) -> None:
    """The same state, no review."""
    device = cast.author
    seizure = report(device)
    first = edit(device, seizure, "ground", "straying", seizure)
    second = edit(device, seizure, "ground", "trespass_with_damage", seizure, first)
    for op in (second, first, seizure):
        device.push(op)
    shown = "trespass_with_damage"
    _need_field(device, seizure, "ground", shown=shown, heads=[second], is_open=False)


@scenario("7.22", "colliding stamps of a cloned phone", "author")
def clones(cast: Cast) -> None:
    """No value is lost."""
    device = cast.author
    seizure, _ = begin(device)
    mine = edit(device, seizure, "ground", "straying", seizure)
    twin = {**edit(device, seizure, "ground", "trespass_with_damage", seizure), "t": mine["t"]}
    device.push(mine, twin)
    change = device.sees("seizure", seizure["id"])
    need_equal(heads_of(change, "ground"), sorted([mine["op"], twin["op"]]), "heads")


@scenario("7.23", "cyclic, self-naming and dishonest bases", "author", "author2")
def dishonest(cast: Cast) -> None:
    """No field ever empties."""
    device, record = cast.author, new_id()
    seizure = report(device, record)
    one = edit(device, seizure, "ground", "straying")
    two = edit(cast.author2, seizure, "ground", "trespass")
    one["base"]["ground"], two["base"]["ground"] = [two["op"], seizure["op"]], [one["op"]]
    seizure["base"]["ground"] = [seizure["op"], new_id()]
    for phone, op in ((device, seizure), (device, one), (cast.author2, two)):
        phone.push(op)
        change = device.sees("seizure", record)
        need_equal(bool(heads_of(change, "ground")), True, "ground has a head")
        need_equal(change["record"].get("ground") is not None, True, "ground is shown")


def _retract(device: Device, of: Document, *knew: Document) -> Document:
    base = {"withdrawn": [], "*": [one["op"] for one in knew]}
    return device.op(of["kind"], of["id"], retract={"reason": "sent twice"}, base=base)


@scenario("7.24a", "a retract against a concurrent edit, in both orders", "author", "author2")
def retract_and_edit(cast: Cast) -> None:
    """A review opens."""
    for is_swapped in (False, True):
        seizure, _ = begin(cast.author)
        pushes = [
            (cast.author, _retract(cast.author, seizure, seizure)),
            (cast.author2, edit(cast.author2, seizure, "ground", "straying", seizure)),
        ]
        for device, op in reversed(pushes) if is_swapped else pushes:
            device.push(op)
        change = cast.author.sees("seizure", seizure["id"])
        need_equal("withdrawn" in open_reviews(change), True, "review of withdrawn open")


@scenario("7.24b", "a retract, an edit by one who saw it, an undo", "author")
def retract_seen(cast: Cast) -> None:
    """No review; the record stands again."""
    device = cast.author
    seizure, _ = begin(device)
    gone = _retract(device, seizure, seizure)
    need_statuses(device.push(gone), "applied")
    after = edit(device, seizure, "survey_no", "12")
    after["base"]["withdrawn"] = [gone["op"]]
    need_statuses(device.push(after), "applied")
    change = device.sees("seizure", seizure["id"])
    need_equal((change["record"]["withdrawn"], open_reviews(change)), (True, []), "withdrawn")
    undo = device.op("seizure", seizure["id"], retract=False, base={"withdrawn": [gone["op"]]})
    need_statuses(device.push(undo), "applied")
    change = device.sees("seizure", seizure["id"])
    need_equal((change["record"]["withdrawn"], open_reviews(change)), (False, []), "undone")


@scenario("7.25", "a set: one key with two contents; a strike, then an unseen add", "author")
def sets(cast: Cast) -> None:
    """All kept; the unseen add is shown again."""
    device = cast.author
    _, animal = begin(device)
    tag = "340123456789"
    first, unseen = (device.op("animal", animal["id"], add={"ear_tags": [tag]}) for _ in range(2))
    struck = [{"key": tag, "ops": [first["op"]], "reason": "misread"}]
    device.push(first, device.op("animal", animal["id"], strike={"ear_tags": struck}))
    change = device.sees("animal", animal["id"])
    need_equal(change["record"]["ear_tags"], [], "tags after the strike")
    need_equal(change["record"]["struck"].get("ear_tags"), [tag], "struck tags")
    device.push(unseen)
    need_equal(device.sees("animal", animal["id"])["record"]["ear_tags"], [tag], "tags again")


@scenario("7.27", "a better fix half a minute later", "author")
def fixes(cast: Cast) -> None:
    """It goes to `fixes`; the first location stays and no review opens."""
    device = cast.author
    seizure, _ = begin(device)
    better = {**FIELD, "accuracy_m": 4, "fixed_at": rfc3339(now_ms() + 30_000)}
    added = device.op("seizure", seizure["id"], add={"fixes": [better]})
    need_statuses(device.push(added), "applied")
    change = device.sees("seizure", seizure["id"])
    need_equal(change["record"]["location"], seizure["set"]["location"], "location")
    need_equal((change["record"]["fixes"], open_reviews(change)), ([better], []), "fixes")


@scenario("7.28", "a clone: A1:4, A2:5[A1], A3:9[A1]", "author")
def clone_counts(cast: Cast) -> None:
    """5 and 9 are both heads."""
    device = cast.author
    seizure = report(device)
    first = lot(device, seizure["id"], 4)
    five, nine = edit(device, first, "count", 5, first), edit(device, first, "count", 9, first)
    device.push(seizure, first, five, nine)
    # Not later in either clock: the later stamp of one phone.
    _need_field(device, first, "count", shown=9, heads=[five, nine], is_open=True)
