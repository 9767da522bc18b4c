"""Scenarios between people: second claimants, keepers, reviewers, phones that wait."""

from __future__ import annotations

from tests.conformance.scenario import (
    Cast,
    begin,
    edit,
    heads_of,
    need,
    need_equal,
    need_statuses,
    open_reviews,
    report,
    review_of,
    scenario,
)


@scenario("7.16", "two officers report the same seizure", "author", "other")
def two_reports(cast: Cast) -> None:
    """Both are kept; a create under another's id is held and not merged."""
    mine, yours = report(cast.author), report(cast.other)
    need_statuses([*cast.author.push(mine), *cast.other.push(yours)], "applied")
    cast.author.sees("seizure", mine["id"])
    cast.other.sees("seizure", yours["id"])
    claim = report(cast.other, mine["id"], ground="straying")
    held = cast.other.push(claim)[0]
    need_equal((held["status"], held.get("code")), ("held", "not-yours"), "second claimant")
    need_equal(cast.author.sees("seizure", mine["id"])["record"]["ground"], "trespass", "ground")


@scenario("7.20", "a case goes to a pound and leaves it", "author", "keeper")
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


@scenario("7.21", "a decision, then the author edits again", "author", "author2", "reviewer")
def decisions(cast: Cast) -> None:
    """The review closes and reopens; the decision is shown; the author sees it and why."""
    seizure, _ = begin(cast.author)
    mine = edit(cast.author, seizure, "ground", "straying", seizure)
    yours = edit(cast.author2, seizure, "ground", "trespass_with_damage", seizure)
    cast.author.push(mine)
    need_statuses(cast.author2.push(yours), "conflict")
    review = review_of(cast.author, seizure, "ground")
    decided = edit(cast.reviewer, seizure, "ground", "straying", mine, yours)
    decided["decision"] = {"review": review, "reason": "as photographed"}
    need_statuses(cast.reviewer.push(decided), "applied")
    change = cast.author.sees("seizure", seizure["id"])
    need_equal((change["record"]["ground"], open_reviews(change)), ("straying", []), "decided")
    (told,) = [one for one in change["reviews"] if one["field"] == "ground"]
    need_equal(told["id"], review, "id of the review")
    need_equal(told["decided"]["decision"].get("reason"), "as photographed", "reason")
    late = edit(cast.author, seizure, "ground", "trespass", mine)
    cast.author.push(late)
    change = cast.author.sees("seizure", seizure["id"])
    need_equal(change["record"]["ground"], "straying", "the decision stays shown")
    need_equal(open_reviews(change), ["ground"], "the review reopens")


@scenario("7.29", "the officer's count 5, the keeper's 9 having seen 5", "author", "keeper")
def counts(cast: Cast) -> None:
    """Both are heads, a review is open."""
    _, animal = begin(cast.author, {"pound_id": cast.pound()}, count=5)
    cast.keeper.sees("animal", animal["id"])
    counted = edit(cast.keeper, animal, "count", 9, animal)
    need_statuses(cast.keeper.push(counted), "conflict")
    change = cast.author.sees("animal", animal["id"])
    need_equal(heads_of(change, "count"), sorted([animal["op"], counted["op"]]), "heads")
    need_equal(open_reviews(change), ["count"], "open reviews")


@scenario("7.30", "a pending phone hands in", "pending", "author")
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
