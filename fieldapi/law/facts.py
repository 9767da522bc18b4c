"""A case as the law sees it: what was seized, what was done since, and what is in force around it.

Built by queries and services from rows, and by the player of case files. All frozen; acts are the
truth, everything else is folded from them (`state.py`). Must never import packs or SQL.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from fieldapi.law.days import ALWAYS_OPEN, Calendars
from fieldapi.law.profile import StatuteProfile
from fieldapi.law.register import NOTHING_IN_FORCE, Register
from sync.strict import JSON

PERFORM, RECORD = "perform", "record"


@dataclass(frozen=True)
class Move:
    """Whole paise that leave one account and come into another. `party`: who paid or was paid."""

    line: str
    paise: int
    source: str
    target: str
    party: str | None = None
    how: str = ""
    section: str = ""


@dataclass(frozen=True)
class Seizure:
    """The report. `area`: the local area in which the cattle were seized."""

    at: datetime
    capacity: str = ""
    ground: str = ""
    place_kind: str = ""
    has_damage: bool = False
    area: str | None = None
    village: str | None = None


@dataclass(frozen=True)
class Head:
    """One head: identity only. `since`: its first moment in this case, None: from the seizure.

    `previous`: the head that it continues, in this case or in an earlier one.
    """

    id: str
    kind: str
    lot: str | None = None
    previous: str | None = None
    since: datetime | None = None
    origin: str = "seized"


@dataclass(frozen=True)
class Done:
    """An act that was done. `at`: when it happened, the time that clocks use; `n`: its turn."""

    id: str
    n: int
    act: str
    at: datetime
    mode: str = PERFORM
    party: str | None = None
    heads: tuple[str, ...] = ()
    data: Mapping[str, JSON] = field(default_factory=dict)
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True)
class Proposal:
    """An act that somebody wants to do, or to state. `at`: now; `happened_at`: earlier for facts.

    `heads`: empty stands for all that the act can mean.
    """

    id: str
    act: str
    at: datetime
    happened_at: datetime
    mode: str = PERFORM
    party: str | None = None
    heads: tuple[str, ...] = ()
    data: Mapping[str, JSON] = field(default_factory=dict)


@dataclass(frozen=True)
class Impounding:
    """Cattle of a person impounded in another case, or before this register was kept.

    `liable`: who owes the fine; `owner`: to whom they belong. They need not be the same.
    """

    at: datetime
    head: int
    liable: str | None = None
    owner: str | None = None
    legality: str = "not_disputed"
    case: str | None = None


@dataclass(frozen=True)
class Complaint:
    """A complaint of illegal seizure. `outcome`: None while open, `dismissed`, `lawful`, `illegal`.

    `heads`: empty stands for all heads of `by`.
    """

    id: str
    made_at: datetime
    by: str | None = None
    outcome: str | None = None
    decided_at: datetime | None = None
    heads: tuple[str, ...] = ()


@dataclass(frozen=True)
class Case:
    """All that a judgement may depend on. `profile`: with what the authority confirmed.

    `continues`: the earlier cases whose rescued or escaped heads were seized again in this one.
    """

    id: str
    profile: StatuteProfile
    seizure: Seizure
    heads: tuple[Head, ...]
    acts: tuple[Done, ...] = ()
    register: Register = NOTHING_IN_FORCE
    calendars: Calendars = ALWAYS_OPEN
    complaints: tuple[Complaint, ...] = ()
    impoundings: tuple[Impounding, ...] = ()
    continues: frozenset[str] = frozenset()

    def after(self, *acts: Done) -> "Case":
        """Return the case with more acts done."""
        return replace(self, acts=(*self.acts, *acts))
