"""A story: what happens in a case, step by step, and what has to follow from it.

Made by `reader.py` from TOML, or from the YAML of other people's stories; played by `player.py`.
Times are instants, money is whole paise, names of people and lots are those of the file.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TypeAlias

from fieldapi.law.days import Calendars
from fieldapi.law.register import Notification

Plain: TypeAlias = (
    "bool | int | float | str | date | datetime | list[Plain] | Mapping[str, Plain] | None"
)
Row: TypeAlias = Mapping[str, Plain]


class StoryError(Exception):
    """A story cannot be read: where, and what is wrong with it."""


@dataclass(frozen=True)
class Step:
    """One thing that happens, or is asked. `row`: its own keys; `expect`: what has to follow.

    `act`: an official act, or `seizure`, `complaint`, `decision`, `notify`, `confirm`, `quote`,
    `clock`, `account`, `state`, `sum`.
    """

    at: datetime
    act: str
    row: Row
    expect: Row
    where: str


@dataclass(frozen=True)
class Prior:
    """An impounding of a person from before."""

    party: str
    on: date
    head: int
    legality: str = "not_disputed"


@dataclass(frozen=True)
class Story:
    """One story with the law around it. `final`: what holds when all has been done. `is_long`: one
    of many alike, which the suite plays through the law alone, and a soak over HTTP.
    """

    id: str
    version: str
    steps: tuple[Step, ...]
    register: tuple[Notification, ...] = ()
    calendars: Calendars = field(default_factory=Calendars)
    priors: tuple[Prior, ...] = ()
    village: str | None = None
    final: Row = field(default_factory=dict)
    is_long: bool = False


@dataclass(frozen=True)
class Mismatch:
    """Something that did not follow: in which step, what was expected, what came."""

    story: str
    where: str
    what: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.story} {self.where}: {self.what}: expected {self.expected}, got {self.got}"
