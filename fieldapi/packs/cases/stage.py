"""The stage of a story: its cases as they stand, and the register around them.

Used by `player.py`. Keeps what a server would keep in rows; judges nothing.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from fieldapi.law.days import midnight
from fieldapi.law.facts import Case, Complaint, Done, Head, Impounding, Seizure
from fieldapi.law.legality import parted
from fieldapi.law.profile import StatuteProfile
from fieldapi.law.register import SECTION_189, SECTION_190, Notification, Register
from fieldapi.law.removals import RemovalCase
from fieldapi.law.state import HeadState, state
from fieldapi.packs.cases.story import Row, Story, StoryError
from fieldapi.packs.cases.values import count, row, texts

LONG_AGO = date(1900, 1, 1)
FAR = midnight(date(9999, 1, 1))


@dataclass
class Stage:
    """Everything that acts have changed so far. `cases` by the name of their seizure."""

    story: Story
    profile: StatuteProfile
    cases: dict[str, Case] = field(default_factory=dict)
    orders: dict[str, RemovalCase] = field(default_factory=dict)
    notifications: list[Notification] = field(default_factory=list)
    impoundings: list[Impounding] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Put the register and the earlier impoundings in place."""
        self.notifications = list(self.story.register)
        for one in self.story.priors:
            at, who = midnight(one.on), one.party
            self.impoundings.append(Impounding(at, one.head, who, who, one.legality))

    def switch(self, section: str) -> None:
        """Let section 189 or 190 apply everywhere."""
        kind = SECTION_189 if section == "189" else SECTION_190
        self.notifications.append(Notification(kind, kind, LONG_AGO))

    def case(self, name: str) -> Case:
        """Return a case with all that is in force around it now. Raises StoryError."""
        if name not in self.cases:
            raise StoryError(f"there is no seizure {name!r}")
        return replace(
            self.cases[name],
            profile=self.profile,
            register=Register(tuple(self.notifications)),
            calendars=self.story.calendars,
            impoundings=(*self.impoundings, *self._others(name)),
        )

    def seize(self, name: str, at: datetime, data: Row) -> None:
        """Begin a case: its animals become heads named `cow 1`, `cow 2`."""
        text = {key: value for key, value in data.items() if isinstance(value, str)}
        seizure = Seizure(
            at,
            capacity=text.get("capacity", ""),
            ground=text.get("ground", ""),
            place_kind=text.get("place", ""),
            has_damage=data.get("damage") is True,
            area=text.get("area"),
            village=self.story.village,
        )
        heads = tuple(
            Head(f"{name}/{kind} {n}", kind, kind)
            for kind, many in row(data.get("animals")).items()
            for n in range(1, count(many) + 1)
        )
        again = frozenset(texts(data.get("continues")))
        self.cases[name] = Case(name, self.profile, seizure, heads, continues=again)

    def add_heads(self, name: str, kinds: list[str], at: datetime, origin: str) -> tuple[str, ...]:
        """Add heads that came later, and return their ids."""
        case = self.cases[name]
        numbers = Counter(one.kind for one in case.heads)
        added: list[Head] = []
        for kind in kinds:
            numbers[kind] += 1
            added.append(Head(f"{name}/{kind} {numbers[kind]}", kind, kind, None, at, origin))
        self.cases[name] = replace(case, heads=(*case.heads, *added))
        return tuple(one.id for one in added)

    def seize_again(self, name: str, old: tuple[HeadState, ...], at: datetime) -> tuple[str, ...]:
        """Add a new head for each that was delivered, and return their ids."""
        case = self.cases[name]
        added = tuple(
            Head(f"{one.id} again", one.kind, None, one.id, at, "reseized") for one in old
        )
        self.cases[name] = replace(case, heads=(*case.heads, *added))
        return tuple(one.id for one in added)

    def did(self, name: str, done: Done) -> None:
        """Keep an act."""
        self.cases[name] = self.cases[name].after(done)

    def complain(self, name: str, complaint: Complaint) -> None:
        """Keep a complaint, in place of the one with the same id."""
        case = self.cases[name]
        others = tuple(one for one in case.complaints if one.id != complaint.id)
        self.cases[name] = replace(case, complaints=(*others, complaint))

    def _others(self, name: str) -> Iterator[Impounding]:
        """Yield what was impounded in the other cases, for each person and arrival."""
        for other, case in self.cases.items():
            if other == name:
                continue
            heads = state(case, FAR).heads.values()
            groups: dict[tuple[datetime, str | None, str | None], list[str]] = {}
            for one in heads:
                if one.impounded_at is not None and one.origin not in ("born", "reseized"):
                    whose = (one.impounded_at, one.liable, one.owner or one.liable)
                    groups.setdefault(whose, []).append(one.id)
            for (at, liable, owner), ids in groups.items():
                for legality, many in parted(case.complaints, {liable, owner}, ids):
                    yield Impounding(at, many, liable, owner, legality, other)
