"""A case as the counter of a pound sees it: heads, fee table, clocks, money, acts done and acts to
do, each in words. Flask-free; called by the views of the register.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from fieldapi.clock import parse_instant
from fieldapi.console.register.acts import ActDone, Group, done_of, groups_of
from fieldapi.console.register.typed import as_typed
from fieldapi.console.words import Words
from fieldapi.documents.arithmetic import arithmetic
from fieldapi.documents.books import SCALES
from fieldapi.domain import act_labels
from fieldapi.domain.access import Principal
from fieldapi.house import House
from fieldapi.law.clocks import OF_OTHERS
from fieldapi.queries import case_views, cases, counter, registers
from fieldapi.queries.authorities import all_pounds
from fieldapi.queries.register import PartyView

View = Mapping[str, Any]
_ENDED = frozenset({"met", "late", "over"})


@dataclass(frozen=True, slots=True)
class HeadRow:
    """Heads of one kind that are in one state, of one person, since one moment."""

    kind: str
    count: int
    state: str
    said: str
    owner: str
    since: str
    left: str


@dataclass(frozen=True, slots=True)
class DueLine:
    """A line of a fee table. `how`: the arithmetic in words."""

    what: str
    how: str
    amount: str
    section: str
    is_verified: bool


@dataclass(frozen=True, slots=True)
class Due:
    """What one person owes. `party`: their id; `missing`: a scale has to be loaded first."""

    party: str | None
    who: str
    lines: list[DueLine]
    paise: int | None
    total: str
    is_missing: bool


@dataclass(frozen=True, slots=True)
class Clock:
    """A period that runs, with what then follows."""

    until: str
    then: str
    section: str
    state: str
    is_verified: bool


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale in force, by which fees are worked out."""

    name: str
    number: str
    since: str
    is_sample: bool


@dataclass(slots=True)
class AtCounter:
    """A case at the counter. `view`: the case as `queries.case_views` gives it."""

    view: View
    words: Words
    parties: Mapping[str, PartyView]
    people: Mapping[str, str]
    pounds: Mapping[str, str]
    scales: list[Scale] = field(default_factory=list)

    @property
    def id(self) -> str:
        return str(self.view["id"])

    @property
    def reference(self) -> str:
        return str(self.view["reference"] or self.words.gettext("Without reference"))

    @property
    def pound(self) -> str:
        return self.pounds.get(self.view["pound"] or "", "")

    @property
    def herd(self) -> str:
        """The heads that are still held, or what there was."""
        held = Counter(one["kind"] for one in self.view["custody"] if one["became"] is None)
        return self.words.herd(held or Counter(one["kind"] for one in self.view["custody"]))

    @property
    def is_closed(self) -> bool:
        return bool(self.view["state"] == "closed")

    @property
    def has_owner(self) -> bool:
        """Say whether somebody is entered for heads that are held."""
        return any(one["liable"] and one["became"] is None for one in self.view["custody"])

    def who(self, party_id: str | None) -> str:
        """Return what somebody is called; nobody is `Not known`."""
        found = self.parties.get(party_id or "")
        return self.words.gettext("Not known") if found is None else found.name

    def heads(self) -> list[HeadRow]:
        """Return the heads, like ones together."""
        grouped: dict[tuple[str, ...], int] = {}
        for one in self.view["custody"]:
            key = (
                str(one["kind"]),
                str(one["state"]),
                str(one["liable"] or ""),
                self._day(one["impounded_at"]),
                self._day(one["left_at"]),
            )
            grouped[key] = grouped.get(key, 0) + 1
        return [self._heads(key, count) for key, count in grouped.items()]

    def _heads(self, key: tuple[str, ...], count: int) -> HeadRow:
        kind, state, liable, since, left = key
        said = self.words.gettext(act_labels.HEADS.get(state, state))
        return HeadRow(
            self.words.kind(kind, count), count, state, said, self.who(liable), since, left
        )

    def _day(self, text: str | None) -> str:
        return self.words.moment(parse_instant(text)) if text else ""

    def dues(self) -> list[Due]:
        """Return the fee table of each person."""
        return [self._due(one) for one in self.view["dues"]]

    def _due(self, one: View) -> Due:
        lines = [line_of(line, self.words) for line in one["lines"]]
        total = one["total"]
        return Due(
            party=one["party"],
            who=self.who(one["party"]),
            lines=lines,
            paise=total,
            total="" if total is None else self.words.rupees(total),
            is_missing=bool(one["missing"]),
        )

    def suggested(self, party: str) -> list[str]:
        """Return what a person owes, as it is typed into the field for it."""
        owed = [one["total"] for one in self.view["dues"] if one["party"] == (party or None)]
        return [as_typed(owed[0])] if len(owed) == 1 and owed[0] else []

    def clocks(self) -> list[Clock]:
        """Return the periods that run or are over and owed, the nearest first. What somebody
        else has let pass is nothing that is owed.
        """
        running = [one for one in self.view["clocks"] if _counts(one)]
        running.sort(key=lambda one: str(one["last_moment"]))
        return [
            Clock(
                until=self._day(one["last_moment"]),
                then=self.words.gettext(one["then"]),
                section=str(one["section"] or ""),
                state=str(one["state"]),
                is_verified=bool(one["verified"]),
            )
            for one in running
        ]

    def money(self) -> list[tuple[str, str]]:
        """Return what is held in this case, by what it is."""
        return [
            (self._account(name), self.words.rupees(paise))
            for name, paise in self.view["money"]["accounts"].items()
            if name.startswith(("held.", "due."))
        ]

    def is_both_ways(self) -> bool:
        """Say whether somebody owes for cattle here while a surplus of sold ones is kept."""
        return "held.surplus" in self.view["money"]["accounts"] and bool(self.dues())

    def _account(self, name: str) -> str:
        kind, _, what = name.partition(".")
        label = act_labels.LINES.get(what) or act_labels.ACCOUNTS.get(what) or what
        said = self.words.gettext(label)
        if kind == "held":
            return self.words.gettext("Held: {what}", what=said)
        return self.words.gettext("To be remitted: {what}", what=said)

    def groups(self, roles: frozenset[str]) -> list[Group]:
        """Return the acts, each with whether it is allowed and from when."""
        return groups_of(self.view, self.words, roles)

    def history(self) -> list[ActDone]:
        """Return the acts that were done, the newest first."""
        found = [done_of(one, self.words, self.who, self.people) for one in self.view["history"]]
        return found[::-1]


def _counts(clock: View) -> bool:
    is_let_pass = clock["rule"] in OF_OTHERS and clock["state"] == "overdue"
    return clock["state"] not in _ENDED and not is_let_pass


def called(party: PartyView) -> str:
    """Return how a list of choices names somebody."""
    return ", ".join(one for one in (party.name, party.parent, party.residence) if one)


def line_of(line: View, words: Words) -> DueLine:
    """Return a line of a quote in words."""
    label = act_labels.LINES.get(line["line"])
    return DueLine(
        what=words.gettext(label or act_labels.ACCOUNTS.get(line["line"], line["line"])),
        how=arithmetic(str(line["line"]), str(line["how"]), words.language),
        amount=words.rupees(int(line["paise"])),
        section=str(line["section"] or ""),
        is_verified=bool(line["verified"]),
    )


def load(
    session: Session, house: House, who: Principal, seizure_id: str, *, words: Words
) -> AtCounter:
    """Return a case at the counter, now. Raises `NotFound`, `Conflict`."""
    at, now = who.authority_id, house.database.clock()
    view = case_views.case(session, who, house.packs, seizure_id, at=now)
    parties = counter.party_names(session, at, _parties(view))
    people = cases.names(session, at, {one["by"] for one in view["history"]} - {None})
    pounds = {one.id: one.name for one in all_pounds(session, at)}
    scales = _scales(session, at, view["pound"], now=now, words=words)
    return AtCounter(view, words, parties, people, pounds, scales)


def _parties(view: View) -> set[str]:
    heads: Iterable[str | None] = (
        one[name] for one in view["custody"] for name in ("owner", "kept_by", "liable")
    )
    named: Iterable[str | None] = (one["party"] for one in view["history"])
    held: Sequence[View] = [*view["money"]["securities"], *view["money"]["surpluses"]]
    buyers = (one["data"].get("buyer") for one in view["history"])
    found = {*heads, *named, *buyers, *(one["party"] for one in held)}
    return {str(one) for one in found if one}


def _scales(
    session: Session, authority_id: str, pound_id: str | None, *, now: datetime, words: Words
) -> list[Scale]:
    if pound_id is None:
        return []
    at = registers.stall(session, pound_id, authority_id=authority_id)
    rows = registers.scales(session, at, on=now.date())
    return [
        Scale(
            name=words.gettext(SCALES[row.kind]),
            number=row.number,
            since=words.date(row.effective_from),
            is_sample=row.is_sample,
        )
        for row in rows
        if row.kind in SCALES
    ]
