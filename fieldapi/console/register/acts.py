"""Official acts as pages show them: which may be done now, which only later and why not, which
were done. Flask-free.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from fieldapi.clock import parse_instant
from fieldapi.console.words import Words
from fieldapi.documents.papers import KINDS
from fieldapi.domain import act_labels, complaint_labels
from fieldapi.services.acts.registry import ACTS

View = Mapping[str, Any]
# What the form is there to be told: an empty one says nothing against the act.
_TOLD_IN_FORM = frozenset(
    {
        "balance.receipt",
        "deposit.paid",
        "head.unknown",
        "notice.particulars",
        "order.missing",
        "party.missing",
        "release.declaration",
        "release.paid",
        "release.signature",
        "sum.missing",
        "surplus.established",
        "surplus.officer",
        "surplus.proof",
    }
)
# Nothing is there with which it could be done: such acts are not listed.
_HAS_NO_SUBJECT = frozenset(
    {
        "auction.none",
        "balance.none",
        "case.closed",
        "case.open",
        "deposit.none",
        "head.none",
        "head.not_on_auction",
        "security.none",
        "stay.none",
        "sum.none",
        "surplus.none",
    }
)
# What follows the sale for a default: without these before, there is nothing to be done by it.
_DEFAULTS = frozenset({"record_owner_default", "re_seize"})
_FOLLOWS = MappingProxyType(
    {
        "account_to_owner": "apply_proceeds",
        "pay_balance": "apply_proceeds",
        "record_refusal": "hold_auction",
    }
)
# What is told of heads while they are held.
_OF_HELD = frozenset({"appear", "born", "claim", "offer_to_pay"})


@dataclass(frozen=True, slots=True)
class ToDo:
    """An act of the list. `allowed`: yes, warn, no. `is_mine`: it is for the reader."""

    slug: str
    label: str
    allowed: str
    reason: str
    section: str
    since: str
    is_mine: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Acts of one family. `now`: those that may be done; `later`: those that may not."""

    title: str
    now: list[ToDo]
    later: list[ToDo]


@dataclass(frozen=True, slots=True)
class PaperLink:
    """A paper that an act minted."""

    id: str
    name: str
    serial: str


@dataclass(frozen=True, slots=True)
class ActDone:
    """An act that stands in the register."""

    id: str
    label: str
    when: str
    who: str
    party: str
    reason: str
    is_record: bool
    flags: list[str]
    papers: list[PaperLink]
    serials: list[str]


def label_of(slug: str, words: Words) -> str:
    """Return what an act is called."""
    return words.gettext(act_labels.ACTS.get(slug) or complaint_labels.ACTS.get(slug) or slug)


def groups_of(view: View, words: Words, roles: frozenset[str]) -> list[Group]:
    """Return the acts of a case in their families; what can never be done with these heads is left
    out, as is what is told of heads that are still held when none is, and what follows acts that
    were not done.
    """
    known = {one["act"]: one for one in view["acts"]}
    done = {one["act"] for one in view["history"]}
    is_held = any(head["became"] is None for head in view["custody"])
    found = []
    for title, slugs in act_labels.GROUPS.items():
        told = [
            slug for slug in slugs if (is_held or slug not in _OF_HELD) and _follows(slug, done)
        ]
        listed = [_todo(slug, known.get(slug), words, roles) for slug in told]
        shown = [one for one in listed if one is not None and one.is_mine]
        group = Group(
            words.gettext(title),
            [one for one in shown if one.allowed != "no"],
            [one for one in shown if one.allowed == "no"],
        )
        if group.now or group.later:
            found.append(group)
    return found


def _follows(slug: str, done: Collection[str]) -> bool:
    before = _FOLLOWS.get(slug)
    return before is None or (before in done and not _DEFAULTS.isdisjoint(done))


def _todo(slug: str, verdict: View | None, words: Words, roles: frozenset[str]) -> ToDo | None:
    # What the law only takes note of has no verdict: it may always be noted.
    said = verdict or {"allowed": "yes", "code": None}
    if said.get("code") in _HAS_NO_SUBJECT:
        return None
    if said.get("code") in _TOLD_IN_FORM:
        said = {"allowed": "yes"}
    not_before, reason = said.get("not_before"), said.get("reason")
    return ToDo(
        slug=slug,
        label=label_of(slug, words),
        allowed=str(said["allowed"]),
        reason=words.gettext(str(reason)) if reason else "",
        section=str(said.get("section") or ""),
        since=words.moment(parse_instant(not_before)) if not_before else "",
        is_mine=bool(roles & ACTS[slug].roles) or ACTS[slug].appointed is not None,
    )


def done_of(
    one: View, words: Words, who: Callable[[str | None], str], people: Mapping[str, str]
) -> ActDone:
    """Return an act that was done, in words."""
    return ActDone(
        id=str(one["id"]),
        label=label_of(one["act"], words),
        when=words.moment(parse_instant(one["happened_at"])),
        who=people.get(one["by"] or "", ""),
        party=who(one["party"]) if one["party"] else "",
        reason=str(one["written_reason"] or ""),
        is_record=one["mode"] == "record",
        flags=[str(flag) for flag in one["flags"]],
        papers=[paper_of(paper, words) for paper in one["documents"]],
        serials=[str(serial) for serial in one["serials"]],
    )


def paper_of(paper: View, words: Words) -> PaperLink:
    """Return the link to a paper."""
    title = KINDS[paper["kind"]].title if paper["kind"] in KINDS else str(paper["kind"])
    return PaperLink(str(paper["id"]), words.gettext(title), str(paper["serial"] or ""))
